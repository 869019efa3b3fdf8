// The page that the server sends: the playground is all of it, and keeps its state in the address.

import { startPlayground } from "./main.js";
import { socketTransport } from "./transport.js";

const address = {
  read: () => new URLSearchParams(location.hash.slice(1)).get("s"),
  write: (text) => history.replaceState(null, "", `#s=${text}`),
  link: (text) => `${location.href.split("#")[0]}#s=${text}`,
};
const socket = new URL("/ws", location.href);
socket.protocol = location.protocol === "https:" ? "wss:" : "ws:";
socket.searchParams.set("token", new URLSearchParams(location.search).get("token") ?? "");
startPlayground(document.querySelector(".phil-play"), socketTransport(socket.href), address);
// The page itself changes the address without an event: this is somebody who pasted another one.
addEventListener("hashchange", () => location.reload());
