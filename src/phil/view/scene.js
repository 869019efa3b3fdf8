// Draws the searches of one scene on the canvases of its section, which rotate together.
//
// The projection is parallel and never from below, so the cells alone determine the depth order: by
// z, then y, then x. There is one drawing order for each of the four sides that the viewer can be
// on. It is computed once; frames need no sorting and are exact.
(() => {
  "use strict";
  const section = document.currentScript.closest("section");
  const data = JSON.parse(section.querySelector("script[type='application/json']").textContent);
  const shape = data.shape;
  const [X, Y, Z] = shape;
  const block = data.block; // obstacles are drawn in cubes of this many cells per side

  const HOME = { turn: 0.6, tilt: 0.6, zoom: 1, panX: 0, panY: 0 };
  const LEAST_ZOOM = 0.5;
  const MOST_ZOOM = 20;
  const FRAME = 25; // milliseconds
  const KEY_STEP = Math.PI / 36;
  const LIGHT = [0.82, 0.9, 0.74, 0.86, 1.04]; // of a face by its direction: +x -x +y -y +z
  const OPACITY = [0.7, 0.16]; // of an obstacle's faces at the far and the near end of the room
  const OUTSIDE_OPACITY = 0.08; // of the outermost sides of the map: the viewer looks in
  const camera = { ...HOME };

  // ---- Faces of obstacles and their outlines, in cells --------------------------------------

  // A part is a face or a line: {line, direction, outside, level, corner, along, key}. Its key is
  // its place in the drawing order, in half cells: cells are odd, what is between them is even.
  function readRoom() {
    const parts = [];
    data.faces.forEach((flat, direction) => addSurface(parts, direction, flat));
    return parts;
  }

  function addSurface(parts, direction, flat) {
    const axis = direction >> 1;
    const [a, b] = [0, 1, 2].filter((other) => other !== axis);
    const size = shape.map((side) => Math.ceil(side / block));
    const masks = new Map();
    for (let k = 0; k < flat.length; k += 5) {
      const [plane, i, j, rows, columns] = flat.slice(k, k + 5);
      if (!masks.has(plane)) masks.set(plane, new Uint8Array(size[a] * size[b]));
      const mask = masks.get(plane);
      for (let r = i; r < i + rows; r++) mask.fill(1, r * size[b] + j, r * size[b] + j + columns);
      if (axis === 2) add(false, plane, i, j, i + rows, j + columns);
    }
    // Faces that point up lie between two layers of cells and can be large. The others must not
    // span several steps of the drawing order: they are rows along x, and single faces across x.
    for (const [plane, mask] of masks) {
      const has = (i, j) => i >= 0 && j >= 0 && i < size[a] && j < size[b] && mask[i * size[b] + j];
      for (let i = 0; i < size[a]; i++) {
        for (let j = 0; j < size[b]; j++) {
          if (!has(i, j)) continue;
          if (axis === 0) add(false, plane, i, j, i + 1, j + 1);
          if (axis === 1 && !has(i - 1, j)) {
            let end = i + 1;
            while (has(end, j)) end++;
            add(false, plane, i, j, end, j + 1);
          }
          if (!has(i - 1, j)) add(true, plane, i, j, i, j + 1);
          if (!has(i + 1, j)) add(true, plane, i + 1, j, i + 1, j + 1, i, j);
          if (!has(i, j - 1)) add(true, plane, i, j, i + 1, j);
          if (!has(i, j + 1)) add(true, plane, i, j + 1, i + 1, j + 1, i, j);
        }
      }
    }

    // From (i, j) to (k, l), drawn with the face at (atI, atJ).
    function add(line, plane, i, j, k, l, atI = i, atJ = j) {
      const cut = (place, along) => Math.min(place * block, shape[along]);
      const corner = [0, 0, 0];
      const along = [0, 0, 0];
      const key = [0, 0, 0];
      corner[axis] = cut(plane, axis);
      corner[a] = cut(i, a);
      corner[b] = cut(j, b);
      along[a] = cut(k, a) - corner[a];
      along[b] = cut(l, b) - corner[b];
      key[axis] = 2 * plane * block;
      key[a] = (2 * atI + 1) * block;
      key[b] = (2 * atJ + 1) * block;
      const outside = plane === 0 || plane === size[axis];
      parts.push({ line, direction, outside, level: -1, corner, along, key });
    }
  }

  // ---- Expanded nodes: the faces that no other expanded node hides -----------------------------

  const cellOf = (id) => [Math.floor(id / (Y * Z)), Math.floor(id / Z) % Y, id % Z];

  function readNodes(shot) {
    const levels = new Map();
    let id = 0;
    for (let k = 0; k < shot.runs.length; k += 2) {
      id += shot.runs[k];
      for (const end = id + shot.runs[k + 1]; id < end; id++) {
        levels.set(id, shot.levels.charCodeAt(levels.size) - data.first);
      }
    }
    const parts = [];
    const step = [Y * Z, Z, 1];
    for (const [id, level] of levels) {
      const cell = cellOf(id);
      for (let direction = 0; direction < 5; direction++) {
        const axis = direction >> 1;
        const side = direction % 2 ? -1 : 1;
        const inside = cell[axis] + side >= 0 && cell[axis] + side < shape[axis];
        if (inside && levels.has(id + side * step[axis])) continue;
        const corner = [...cell];
        const along = [1, 1, 1];
        const key = cell.map((place) => 2 * place + 1);
        if (side > 0) corner[axis]++;
        along[axis] = 0;
        key[axis] += side;
        parts.push({ line: false, direction, outside: false, level, corner, along, key });
      }
    }
    return parts;
  }

  // ---- The order of drawing, from far to near -------------------------------------------------

  function inOrder(parts, towardsX, towardsY) {
    const seen = [towardsX, !towardsX, towardsY, !towardsY, true];
    const [endX, endY] = [X, Y].map((side) => 2 * block * Math.ceil(side / block));
    const keys = [];
    parts.forEach(({ line, direction, key: [x, y, z] }, index) => {
      if (!seen[direction]) return;
      // Faces in one plane do not hide each other, but their outlines are drawn after all of them.
      const axis = direction >> 1;
      const inY = axis === 2 ? 0 : towardsY ? y : endY - y;
      const inX = axis !== 0 ? 0 : towardsX ? x : endX - x;
      const place = (z * (endY + 1) + inY) * (endX + 1) + inX;
      keys.push((2 * place + (line ? 1 : 0)) * parts.length + index);
    });
    return Array.from(Float64Array.from(keys).sort(), (key) => parts[key % parts.length]);
  }

  // ---- Drawing ------------------------------------------------------------------------------

  function readColors(canvas, ctx) {
    const style = getComputedStyle(canvas);
    const named = {};
    for (const name of ["text", "quiet", "line", "solid"]) {
      ctx.fillStyle = style.getPropertyValue("--" + name).trim();
      named[name] = ctx.fillStyle; // any colour is returned as #rrggbb
    }
    return named;
  }

  function shaded(color, light) {
    const channels = [1, 3, 5].map((k) => parseInt(color.slice(k, k + 2), 16));
    const lit = (c) => (light > 1 ? 255 - (255 - c) * (2 - light) : c * light);
    return `rgb(${channels.map((c) => Math.round(lit(c))).join(",")})`;
  }

  const NODE_COLORS = LIGHT.map((light) => data.colors.map((color) => shaded(color, light)));

  // Where the antialiased edges of two faces meet, pixels are covered less than inside a face, by
  // opacity^2 / 6 on average. Letting faces overlap by as many pixels compensates for this.
  function overlap(opacity) {
    return opacity === 1 ? 0.6 : opacity / (6 * (1 - opacity));
  }

  function makeView(canvas, shot, room) {
    const ctx = canvas.getContext("2d");
    const parts = [...room, ...readNodes(shot)];
    const path = shot.path.map(cellOf);
    const ends = { start: shot.start.map(cellOf), goal: [cellOf(data.goal)] };
    const orders = new Map();

    function draw() {
      const pixel = Math.min(window.devicePixelRatio || 1, 2);
      const width = Math.round(canvas.clientWidth * pixel);
      const height = Math.round(canvas.clientHeight * pixel);
      if (!width || !height) return;
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      const colors = readColors(canvas, ctx);
      const cos = Math.cos(camera.turn);
      const sin = Math.sin(camera.turn);
      const up = Math.cos(camera.tilt);
      const flat = Math.sin(camera.tilt);
      const across = Math.hypot(X, Y);
      const fit = 0.94 * Math.min(width / across, height / (across * flat + Z * up));
      const scale = fit * camera.zoom;
      // The axes on the canvas, and the corner (0, 0, 0).
      const ex = [scale * cos, scale * sin * flat];
      const ey = [scale * sin, -scale * cos * flat];
      const ez = [0, -scale * up];
      const towardsX = sin > 0;
      const towardsY = cos < 0;
      const middle = (k) => (X * ex[k] + Y * ey[k] + Z * ez[k]) / 2;
      const origin = [
        width * (0.5 + camera.panX) - middle(0),
        height / 2 + width * camera.panY - middle(1),
      ];
      const px = (x, y, z) => origin[0] + x * ex[0] + y * ey[0] + z * ez[0];
      const py = (x, y, z) => origin[1] + x * ex[1] + y * ey[1] + z * ez[1];
      const trace = (points) => {
        ctx.beginPath();
        for (const point of points) ctx.lineTo(px(...point), py(...point));
      };
      const centre = (cell, z = cell[2] + 0.5) => [cell[0] + 0.5, cell[1] + 0.5, z];

      ctx.clearRect(0, 0, width, height);
      ctx.lineJoin = "round";
      drawFloor();
      drawCells();
      drawPath();

      function drawFloor() {
        trace([[0, 0, 0], [X, 0, 0], [X, Y, 0], [0, Y, 0]]);
        ctx.closePath();
        ctx.globalAlpha = 0.3;
        ctx.fillStyle = colors.line;
        ctx.fill();
        ctx.globalAlpha = 1;
        ctx.lineWidth = pixel;
        ctx.strokeStyle = colors.line;
        const step = [1, 2, 5, 10, 20, 50, 100, 200].find((s) => Math.max(X, Y) / s <= 12) || 500;
        for (let x = 0; x <= X; x += step) { trace([[x, 0, 0], [x, Y, 0]]); ctx.stroke(); }
        for (let y = 0; y <= Y; y += step) { trace([[0, y, 0], [X, y, 0]]); ctx.stroke(); }
        // The far edges of the room.
        const farX = towardsX ? 0 : X;
        const farY = towardsY ? 0 : Y;
        trace([[X - farX, farY, 0], [X - farX, farY, Z], [farX, farY, Z], [farX, Y - farY, Z],
          [farX, Y - farY, 0]]);
        ctx.stroke();
        trace([[farX, farY, 0], [farX, farY, Z]]);
        ctx.stroke();
        // Names of the axes, along the near edges.
        ctx.fillStyle = colors.quiet;
        ctx.font = `${12 * pixel}px system-ui, sans-serif`;
        ctx.textAlign = "center";
        ctx.textBaseline = "middle";
        const away = (14 * pixel) / scale;
        const label = (text, x, y) => ctx.fillText(text, px(x, y, 0), py(x, y, 0));
        label("x", X / 2, farY ? -away : Y + away);
        label("y", farX ? -away : X + away, Y / 2);
        // Without a shadow, the position of what is above the floor is hard to see.
        ctx.globalAlpha = 0.25;
        ctx.strokeStyle = colors.text;
        ctx.lineWidth = Math.max(1.5 * pixel, 0.2 * scale);
        trace(path.map((cell) => centre(cell, 0)));
        ctx.stroke();
        ctx.globalAlpha = 1;
      }

      function drawCells() {
        const side = 2 * towardsX + towardsY;
        if (!orders.has(side)) orders.set(side, inOrder(parts, towardsX, towardsY));
        const solid = LIGHT.map((light) => shaded(colors.solid, light));
        let stroking = false;
        ctx.lineWidth = 0.75 * pixel;
        ctx.lineCap = "butt"; // no dots where outlines continue
        ctx.strokeStyle = colors.quiet;
        const depth = Math.abs(sin) * X + Math.abs(cos) * Y;
        const nearness = (x, y) => 0.5 + ((x - X / 2) * sin - (y - Y / 2) * cos) / depth;
        const stroke = () => {
          ctx.globalAlpha = 0.5;
          ctx.stroke();
          stroking = false;
        };
        for (const { line, direction, outside, level, corner, along } of orders.get(side)) {
          const u = px(corner[0], corner[1], corner[2]);
          const v = py(corner[0], corner[1], corner[2]);
          const [dx, dy, dz] = along;
          const du = dx * ex[0] + dy * ey[0] + dz * ez[0];
          const dv = dx * ex[1] + dy * ey[1] + dz * ez[1];
          if (line) {
            if (!stroking) ctx.beginPath();
            stroking = true;
            ctx.moveTo(u, v);
            ctx.lineTo(u + du, v + dv);
            continue;
          }
          if (stroking) stroke();
          const near = nearness(corner[0] + dx / 2, corner[1] + dy / 2);
          const opacity = level >= 0 ? 1 : outside ? OUTSIDE_OPACITY
            : OPACITY[0] + (OPACITY[1] - OPACITY[0]) * near;
          // The sides of the face on the canvas: the first along x if it has one, else along y.
          let [su, sv] = dx ? [dx * ex[0], dx * ex[1]] : [dy * ey[0], dy * ey[1]];
          let [tu, tv] = [du - su, dv - sv];
          const area = Math.abs(su * tv - sv * tu);
          if (area < 0.01) continue; // seen edge-on
          const wider = overlap(opacity) / area;
          const [lengthS, lengthT] = [Math.hypot(su, sv), Math.hypot(tu, tv)];
          const moreS = 1 + Math.min(wider * lengthT, (2 * pixel) / lengthS);
          const moreT = 1 + Math.min(wider * lengthS, (2 * pixel) / lengthT);
          [su, sv, tu, tv] = [su * moreS, sv * moreS, tu * moreT, tv * moreT];
          ctx.globalAlpha = opacity;
          ctx.fillStyle = level < 0 ? solid[direction] : NODE_COLORS[direction][level];
          ctx.beginPath();
          ctx.moveTo(u, v);
          ctx.lineTo(u + su, v + sv);
          ctx.lineTo(u + su + tu, v + sv + tv);
          ctx.lineTo(u + tu, v + tv);
          ctx.fill();
        }
        if (stroking) stroke();
        ctx.globalAlpha = 1;
      }

      function drawPath() {
        const line = Math.min(Math.max(0.18 * scale, 1.75 * pixel), 6 * pixel);
        ctx.lineCap = "round";
        for (const [color, thick] of [[data.halo, 1.9], [data.path, 1]]) {
          ctx.strokeStyle = color;
          ctx.lineWidth = thick * line;
          trace(path.map((cell) => centre(cell)));
          ctx.stroke();
        }
        const radius = 2.6 * line;
        const marks = { start: [[1, data.halo], [0.78, data.path], [0.4, data.halo]],
          goal: [[1, data.halo], [0.78, data.path]] };
        for (const [end, discs] of Object.entries(marks)) {
          for (const cell of ends[end]) {
            ctx.strokeStyle = colors.text;
            ctx.lineWidth = pixel;
            ctx.setLineDash([3 * pixel, 4 * pixel]);
            trace([centre(cell), centre(cell, 0)]);
            ctx.stroke();
            ctx.setLineDash([]);
            for (const [part, color] of discs) {
              ctx.beginPath();
              ctx.arc(px(...centre(cell)), py(...centre(cell)), part * radius, 0, 2 * Math.PI);
              ctx.fillStyle = color;
              ctx.fill();
            }
          }
        }
      }
    }
    return { canvas, draw, shown: true, stale: true, used: 0 };
  }

  // ---- Redrawing: only what is on the screen, at most once per frame ----------------------------

  const room = readRoom();
  const views = [...section.querySelectorAll("canvas")].map((canvas, k) =>
    makeView(canvas, data.shots[k], room));
  let asked = false;

  function redraw() {
    for (const view of views) view.stale = true;
    ask();
  }

  function ask() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const began = performance.now();
      for (const view of [...views].sort((one, other) => other.used - one.used)) {
        if (!view.stale || !view.shown) continue;
        // On a slow machine, the view in use must keep up; the others are redrawn when possible.
        if (performance.now() - began > FRAME) return ask();
        view.stale = false;
        view.draw();
      }
    });
  }

  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      views.find((view) => view.canvas === entry.target).shown = entry.isIntersecting;
    }
    ask();
  });
  const measurer = new ResizeObserver(redraw);
  for (const view of views) {
    watcher.observe(view.canvas);
    measurer.observe(view.canvas);
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  // For printing, also draw the views that are off the screen, before the browser continues.
  const drawAll = () => views.forEach((view) => view.draw());
  matchMedia("print").addEventListener("change", drawAll);

  // ---- Rotating -----------------------------------------------------------------------------

  const within = (value, least, most) => Math.min(Math.max(value, least), most);

  function turn(right, down) {
    camera.turn -= right;
    camera.tilt = within(camera.tilt + down, 0, Math.PI / 2);
    redraw();
  }

  // Zoom about (x, y): what is there on the canvas stays there.
  function zoom(canvas, factor, x, y) {
    const wanted = within(camera.zoom * factor, LEAST_ZOOM, MOST_ZOOM);
    const by = wanted / camera.zoom;
    const width = canvas.clientWidth;
    const fromMiddleX = x / width - 0.5;
    const fromMiddleY = (y - canvas.clientHeight / 2) / width;
    camera.panX = fromMiddleX - (fromMiddleX - camera.panX) * by;
    camera.panY = fromMiddleY - (fromMiddleY - camera.panY) * by;
    camera.zoom = wanted;
    redraw();
  }

  function reset() {
    Object.assign(camera, HOME);
    redraw();
  }

  for (const view of views) {
    const canvas = view.canvas;
    const fingers = new Map();
    const spread = () => {
      const [p, q] = [...fingers.values()];
      return { size: Math.hypot(p.x - q.x, p.y - q.y), x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      view.used = performance.now();
      fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.offsetX, y: event.offsetY };
      if (fingers.size === 1) {
        turn((now.x - before.x) / 150, (now.y - before.y) / 150);
        fingers.set(event.pointerId, now);
      } else if (fingers.size === 2) {
        const old = spread();
        fingers.set(event.pointerId, now);
        const { size, x, y } = spread();
        camera.panX += (x - old.x) / canvas.clientWidth;
        camera.panY += (y - old.y) / canvas.clientWidth;
        if (old.size > 0) zoom(canvas, size / old.size, x, y);
      }
    });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    // The wheel scrolls the page until a view is clicked (a trackpad's pinch is sent with ctrl).
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
      zoom(canvas, Math.exp(-within(pixels, -300, 300) / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("dblclick", reset);
    const middle = (factor) =>
      zoom(canvas, factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
    const keys = {
      ArrowLeft: () => turn(-KEY_STEP, 0),
      ArrowRight: () => turn(KEY_STEP, 0),
      ArrowUp: () => turn(0, -KEY_STEP),
      ArrowDown: () => turn(0, KEY_STEP),
      "+": () => middle(1.15),
      "-": () => middle(1 / 1.15),
      0: reset,
    };
    canvas.addEventListener("keydown", (event) => {
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      view.used = performance.now();
      action();
    });
  }
})();
