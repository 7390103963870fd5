// The pictures that were taken, over the moments at which they were; as many as there is room for.

class FilmStrip {
  constructor(report, chosen) {
    Object.assign(this, { report, chosen });
    this.host = byId("film");
    this.host.hidden = !report.pictures.length;
    this.drawn = "";
    this.host.addEventListener("pointermove", (event) => this.scrub(event));
    this.host.addEventListener("pointerleave", () => (byId("film-preview").hidden = true));
  }

  /** Shows the picture of the moment below the mouse, in a size that can be read. */
  scrub(event) {
    if (!this.scale) return;
    const at = this.scale.time(event.clientX - this.host.getBoundingClientRect().left);
    const { pictures } = this.report;
    const picture = pictures[Math.max(0, lastAtMost(pictures.length, (place) => pictures[place].at, at))];
    const box = byId("film-preview");
    box.hidden = false;
    byId("film-image").src = picture.source;
    byId("film-time").textContent = clock(picture.at);
    const room = this.host.clientWidth - box.offsetWidth - 8;
    const x = Math.max(8, Math.min(room, event.clientX - box.offsetWidth / 2));
    box.style.transform = `translateX(${x}px)`;
  }

  /** The newest picture at an input, or null. */
  at(input) {
    const { pictures } = this.report;
    return pictures[lastAtMost(pictures.length, (place) => pictures[place].input, input)] ?? null;
  }

  show(scale, input) {
    const { pictures } = this.report;
    this.scale = scale;
    if (!pictures.length) return;
    const wide = 104;
    const current = this.at(input);
    const shown = [];
    let taken = -Infinity;
    for (const picture of pictures) {
      if (picture.at < scale.from || picture.at > scale.to) continue;
      const x = Math.min(scale.x(picture.at), scale.left + scale.width - wide + 8);
      if (x < taken) continue;
      shown.push({ picture, x });
      taken = x + wide;
    }
    const drawn = shown.map(({ picture, x }) => `${picture.number}:${Math.round(x)}`).join() + current?.number;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const held = document.activeElement?.dataset?.picture;
    this.host.replaceChildren(...shown.map(({ picture, x }) => this.frame(picture, x, picture === current)));
    if (held !== undefined) this.host.querySelector(`[data-picture="${held}"]`)?.focus();
  }

  frame(picture, x, isCurrent) {
    const name = `Picture at ${clock(picture.at)}${picture.page ? `, ${visible(this.report.pageName(picture.page), 60)}` : ""}`;
    const image = element("img", { src: picture.source, alt: "", loading: "lazy", draggable: "false" });
    const button = element(
      "button",
      { type: "button", "aria-label": name, title: name, "aria-current": isCurrent ? "true" : null, "data-picture": picture.number },
      image,
    );
    button.addEventListener("click", () => this.chosen(picture));
    const item = element("div", { role: "listitem", class: "shot" }, button);
    item.style.transform = `translateX(${x}px)`;
    return item;
  }
}
