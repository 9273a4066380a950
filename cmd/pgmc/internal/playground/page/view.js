// A view of a picture that is moved and scaled.

// The largest scale at which a whole picture is shown, and the largest and smallest of all, which is
// that of the whole picture.
const mostFit = 1.2, most = 4;

// readable is the smallest scale at which names can be read; below tiny, shapes are dots.
const readable = 0.7, tiny = 0.3;

// A View shows part of an SVG picture in a box: the point x, y of the picture is in the middle.
export class View {
  constructor(box) {
    this.box = box;
    this.fitted = true; // the whole picture is shown, also if the box changes
    new ResizeObserver(() => { if (this.svg) this.fitted ? this.fit() : this.set(); }).observe(box);
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.grasp(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) box.addEventListener(kind, (event) => this.fingers.delete(event.pointerId));
    this.fingers = new Map(); // by pointer: its place
    this.drags = () => true; // whether a press of the pointer moves the picture
  }

  // show shows another picture.
  show(svg) {
    const { width, height } = svg.viewBox.baseVal;
    Object.assign(this, { svg, width, height });
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    this.box.replaceChildren(svg);
    this.fit();
  }

  whole() { return Math.min(this.box.clientWidth / this.width, this.box.clientHeight / this.height, mostFit); }

  fit() {
    this.fitted = true;
    this.scale = this.whole();
    this.x = this.width / 2;
    this.y = this.height / 2;
    this.set();
  }

  set() {
    if (!(this.scale > 0)) return; // the box has no size
    const w = this.box.clientWidth / this.scale, h = this.box.clientHeight / this.scale;
    this.x = Math.min(Math.max(this.x, 0), this.width);
    this.y = Math.min(Math.max(this.y, 0), this.height);
    this.svg.setAttribute("viewBox", `${this.x - w / 2} ${this.y - h / 2} ${w} ${h}`);
    this.box.classList.toggle("fitted", this.fitted);
    this.box.classList.toggle("tiny", this.scale < tiny);
  }

  // zoom multiplies the scale. The point of the picture at the place on the page stays there.
  zoom(factor, place = this.middle()) {
    if (!this.svg) return;
    const before = this.point(place);
    this.scale = Math.min(Math.max(this.scale * factor, this.whole()), Math.max(most, this.whole()));
    this.fitted = this.scale === this.whole();
    if (this.fitted) { this.fit(); return; }
    const after = this.point(place);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.set();
  }

  middle() {
    const r = this.box.getBoundingClientRect();
    return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
  }

  // point returns the point of the picture at a place on the page.
  point({ x, y }) {
    const m = this.middle();
    return { x: this.x + (x - m.x) / this.scale, y: this.y + (y - m.y) / this.scale };
  }

  // move moves the picture by pixels.
  move(dx, dy) {
    if (!this.svg) return;
    this.fitted = false;
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.set();
  }

  // reveal makes an element readable together with what is around it, and moves it into the box if it
  // is not there.
  reveal(shape, around) {
    if (this.scale < readable) {
      const all = [shape, ...around].map((x) => x.getBBox()), own = all[0];
      const span = (from, size) => Math.max(...all.map((b) => b[from] + b[size])) - Math.min(...all.map((b) => b[from])) + 40;
      this.scale = Math.max(Math.min(this.box.clientWidth / span("x", "width"), this.box.clientHeight / span("y", "height"), 1), readable);
      Object.assign(this, { fitted: false, x: own.x + own.width / 2, y: own.y + own.height / 2 });
      this.set();
    }
    const r = shape.getBoundingClientRect(), b = this.box.getBoundingClientRect();
    const over = (low, high, least, largest) => Math.max(least - low, 0) || Math.min(largest - high, 0);
    const dx = over(r.left, r.right, b.left + 8, b.right - 8), dy = over(r.top, r.bottom, b.top + 8, b.bottom - 8);
    if (dx || dy) this.move(dx, dy);
  }

  wheel(event) {
    if (!this.svg) return;
    if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 300), event);
    else if (!this.fitted) this.move(-event.deltaX, -event.deltaY);
    else return; // the page scrolls
    event.preventDefault();
  }

  grasp(event) {
    if (event.button || !this.drags(event)) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  // drag moves the picture with one finger, and scales it with two.
  drag(event) {
    const was = this.fingers.get(event.pointerId), now = { x: event.clientX, y: event.clientY };
    if (!was || !this.svg) return;
    if (this.fingers.size === 1 && this.fitted && event.pointerType === "touch") return; // the page scrolls
    if (Math.hypot(now.x - was.x, now.y - was.y) < 3) return;
    const apart = () => { const [a, b] = this.fingers.values(); return Math.hypot(a.x - b.x, a.y - b.y); };
    const before = this.fingers.size === 2 && apart();
    this.fingers.set(event.pointerId, now);
    this.box.setPointerCapture(event.pointerId);
    if (before) this.zoom(apart() / before, now);
    else this.move(now.x - was.x, now.y - was.y);
  }
}
