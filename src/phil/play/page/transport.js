// Frames to and from a server, or out of a recording: see phil/play/protocol.py.

import { readColumns } from "./trace.js";

const RETRY = [300, 600, 1200, 2500, 5000]; // milliseconds until a lost connection is tried again
const STEADY = 5000; // a connection that lasted as long was a good one
const TYPE_NAMES = new Map([
  [Uint8Array, "uint8"],
  [Int32Array, "int32"],
  [Float32Array, "float32"],
]);
const padded = (bytes) => 4 * Math.ceil(bytes / 4);

export function decodeFrame(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return [header, readColumns(header.columns, buffer, 4 + length)];
}

export function encodeFrame(header, columns) {
  const listed = Object.entries(columns).map(([name, data]) => ({
    name,
    type: TYPE_NAMES.get(data.constructor),
    length: data.length,
  }));
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: listed }));
  const sizes = Object.values(columns).map((data) => padded(data.byteLength));
  const begin = 4 + padded(text.length);
  const frame = new Uint8Array(begin + sizes.reduce((sum, size) => sum + size, 0));
  new DataView(frame.buffer).setUint32(0, padded(text.length), true);
  frame.fill(0x20, 4, begin);
  frame.set(text, 4);
  let place = begin;
  Object.values(columns).forEach((data, index) => {
    frame.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place);
    place += sizes[index];
  });
  return frame;
}

// Says `lost` when the connection is gone, tries again, and gets another `welcome` when it is back.
export function socketTransport(url) {
  const listeners = [];
  let socket = null;
  let failures = 0;
  let closed = false;
  let timer = 0;
  const tell = (header, columns) => listeners.forEach((listener) => listener(header, columns));

  function connect() {
    socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    const begun = performance.now();
    socket.onmessage = ({ data }) => tell(...decodeFrame(data));
    socket.onclose = () => {
      if (closed) return;
      if (performance.now() - begun > STEADY) failures = 0;
      tell({ type: "lost", attempts: failures }, {});
      timer = setTimeout(connect, RETRY[Math.min(failures++, RETRY.length - 1)]);
    };
  }

  return {
    live: true,
    listen(listener) {
      listeners.push(listener);
      if (!socket) connect();
    },
    send(header, columns) {
      if (socket?.readyState !== WebSocket.OPEN) return;
      socket.send(columns ? encodeFrame(header, columns) : JSON.stringify(header));
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

export function recordingTransport(recording) {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  return {
    live: false,
    listen(listener) {
      for (const frame of recording.frames) listener(...decodeFrame(bytes(frame)));
    },
    send() {},
    close() {},
  };
}
