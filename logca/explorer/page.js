// The page as a whole: what is drawn when, the pointer, keys, sizes and themes.

const byId = (id) => document.getElementById(id);
const plot = byId("plot");
const svg = byId("chart");
let at = null;
let room = sizeOf(svg.getBoundingClientRect());
let waiting = false;
let saving = 0;
let written = "";

/** Draw what has changed, once a frame, and then keep it in the address. */
function changed() {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }
  clearTimeout(saving);
  saving = setTimeout(save, 250);
}

// Browsers count how often an address changes, and complain: it is written when a hand rests.
function save() {
  written = address();
  history.replaceState(null, "", written);
  byId("said").textContent = `${answerText(state.A)} ${byId("advice").textContent}`;
}

function draw() {
  const pairs = shown();
  at = drawChart(svg, ...room, pairs);
  for (const [key, accelerator] of pairs) {
    const several = pairs.length > 1;
    const name = several ? `<span class="of">${escaped(title(accelerator))}</span> ` : "";
    fill(byId(`answer-${key}`), name + escaped(answerText(accelerator)));
  }
  byId("answer-B").hidden = !state.B;
  document.body.classList.toggle("two", Boolean(state.B));
  const about = pairs.length > 1 ? `${title(state.A)}: ` : "";
  fill(byId("advice"), escaped(about + adviceText(situation(state.A, state.g))));
  const spoken = pairs.map(([key, each]) => {
    const speedup = numberText(value("speedup", each, { g: state.g }), 3);
    return pairs.length > 1 ? `${key} speedup ${speedup}` : `speedup ${speedup}`;
  });
  plot.setAttribute("aria-valuemin", Math.log2(state.low));
  plot.setAttribute("aria-valuemax", Math.log2(state.high));
  plot.setAttribute("aria-valuenow", Math.log2(state.g));
  plot.setAttribute("aria-valuetext", `${sizeText(state.g)}: ${spoken.join(", ")}`);
  for (const name of ["g", "low", "high"]) {
    if (document.activeElement !== byId(name)) {
      byId(name).value = sizeText(state[name], " ");
      byId(name).setAttribute("aria-invalid", "false");
    }
  }
  fill(byId("legend"), legendMarkup(pairs));
  showCards();
}

function legendMarkup(pairs) {
  const parts = pairs.map(([key, accelerator]) => {
    const { g1, upper, halfA, peak, best, limit, ranges } = findings(accelerator);
    const items = [
      ...(ranges ?? [[g1, upper]]).flatMap(([low, high]) => [
        exists(low) &&
          `<button type="button" data-size="${low}"><span class="dot g1"></span>break-even g₁ ${sizeText(low)}</button>`,
        exists(high) &&
          `<button type="button" data-size="${Math.min(high, FARTHEST)}"><span class="dot upper"></span>upper break-even ${placeText(high)}</button>`,
      ]),
      exists(halfA) &&
        `<button type="button" data-size="${halfA}"><span class="dot halfA"></span>half of A at gA/2 ${sizeText(halfA)}</button>`,
      exists(peak)
        ? `<button type="button" data-size="${Math.min(peak, FARTHEST)}"><span class="dot peak"></span>peak ${numberText(best, 3)} ${placeText(peak)}</button>`
        : `<span class="item"><span class="line"></span>limit ${numberText(limit, 3)}</span>`,
    ];
    const name = pairs.length > 1 ? `<b>${key}</b>` : "";
    return `<span class="items of-${key}">${name}${items.filter(Boolean).join("")}</span>`;
  });
  if (DATA.fit) {
    const broken = DATA.fit.stretches.slice(1).map(({ start }) => sizeText(start));
    const breaks = broken.length ? `; its times change at ${broken.join(" and ")}` : "";
    const note =
      DATA.fit.call_cost > 0
        ? `; measured times hold ${timeText(DATA.fit.call_cost, "seconds")} on both paths that the curve leaves out`
        : "";
    parts.push(
      `<span class="items fit"><span class="item"><span class="dot point"></span>measured</span><span class="item"><span class="swatch"></span>${percentText(DATA.fit.level)} interval of the fit${note}${breaks}</span></span>`,
    );
  }
  return parts.join("");
}

/** Size of the picture: measured when it changes, as measuring lays out the page. */
function sizeOf({ width, height }) {
  return [Math.max(260, width), Math.max(180, height)];
}

function moveTo(g) {
  state.g = Math.min(Math.max(g, state.low), state.high);
  changed();
}

/** A size to three digits, or an end of the range. */
function sizeAt(event) {
  const x = event.clientX - svg.getBoundingClientRect().left;
  if (x <= at.x0) {
    return state.low;
  }
  return x >= at.x1 ? state.high : Number(at.size(x).toPrecision(3));
}

function hover(event) {
  const x = event.clientX - svg.getBoundingClientRect().left;
  const group = byId("hover");
  if (x < at.x0 || x > at.x1 || !group) {
    unhover();
    return;
  }
  const g = at.size(x);
  const texts = shown().map(([key, each]) => {
    const speedup = `${numberText(value("speedup", each, { g }), 3)}×`;
    return state.B ? `${key} ${speedup}` : speedup;
  });
  const text = [sizeText(g), ...texts].join("  ·  ");
  const left = x > (at.x0 + at.x1) / 2;
  group.innerHTML = `<path class="hover" d="M${fixed(x)},${at.y1}V${at.y0}"/><text class="hover-label" x="${fixed(x + (left ? -8 : 8))}" y="${at.y0 - 10}" text-anchor="${left ? "end" : "start"}">${text}</text>`;
}

function unhover() {
  const group = byId("hover");
  if (group) {
    group.textContent = "";
  }
}

function listen() {
  plot.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      plot.setPointerCapture(event.pointerId);
      unhover();
      moveTo(sizeAt(event));
    }
  });
  plot.addEventListener("pointermove", (event) => {
    if (plot.hasPointerCapture(event.pointerId)) {
      moveTo(sizeAt(event));
    } else if (event.pointerType === "mouse") {
      hover(event);
    }
  });
  plot.addEventListener("pointerleave", unhover);
  plot.addEventListener("keydown", (event) => {
    const octaves = {
      ArrowRight: 1 / 8,
      ArrowUp: 1 / 8,
      ArrowLeft: -1 / 8,
      ArrowDown: -1 / 8,
      PageUp: 4,
      PageDown: -4,
    }[event.key];
    if (octaves) {
      moveTo(2 ** (Math.round(8 * (Math.log2(state.g) + octaves * (event.shiftKey ? 8 : 1))) / 8));
    } else if (event.key === "Home" || event.key === "End") {
      moveTo(event.key === "Home" ? state.low : state.high);
    } else {
      return;
    }
    event.preventDefault();
  });
  byId("legend").addEventListener("click", (event) => {
    const button = event.target.closest("[data-size]");
    if (button) {
      const g = Number(button.dataset.size);
      state.low = Math.min(state.low, 2 ** Math.floor(Math.log2(g)));
      state.high = Math.max(state.high, 2 ** Math.ceil(Math.log2(g)));
      moveTo(g);
    }
  });
  for (const name of ["g", "low", "high"]) {
    byId(name).addEventListener("input", () => takeSize(name));
    byId(name).addEventListener("blur", changed);
  }
  const widen = (octaves) => {
    const middle = Math.log2(state.g);
    const [low, high] = [state.low, state.high].map((each) => Math.log2(each));
    const ends = [Math.max(0, low - octaves), Math.min(80, high + octaves)];
    if (ends[1] - ends[0] >= 4) {
      [state.low, state.high] = [2 ** Math.min(ends[0], middle), 2 ** Math.max(ends[1], middle)];
      changed();
    }
  };
  byId("closer").addEventListener("click", () => widen(-2));
  byId("farther").addEventListener("click", () => widen(2));
  byId("fitting").addEventListener("click", () => {
    [state.low, state.high] = fittingRange();
    moveTo(state.g);
  });
  byId("add").addEventListener("click", () => {
    const other = CHOICES.find(
      (each) => !sameNumbers(each, state.A) && findings(each).pays !== "never",
    );
    state.B = copyOf(other ?? state.A);
    [state.low, state.high] = fittingRange();
    addCard("B");
    changed();
    select(cards.B, ".preset").focus();
  });
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copyAs(button.dataset.copy));
  }
  byId("theme").addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    setTheme(document.documentElement.dataset.theme),
  );
  addEventListener("hashchange", () => {
    if (location.hash !== written) {
      takeAddress();
    }
  });
  new ResizeObserver(([{ contentRect }]) => {
    room = sizeOf(contentRect);
    changed();
  }).observe(svg);
}

function takeSize(name) {
  const size = parseSize(byId(name).value);
  const ends = {
    g: [state.low, state.high],
    low: [2 ** -20, state.high / 2],
    high: [state.low * 2, LARGEST],
  }[name];
  const good = size >= ends[0] && size <= ends[1];
  byId(name).setAttribute("aria-invalid", String(!good));
  if (good) {
    state[name] = size;
    moveTo(state.g);
  }
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(theme) {
  if (theme) {
    document.documentElement.dataset.theme = theme;
  }
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  byId("theme").setAttribute("aria-pressed", String(isDark()));
}

function takeAddress() {
  const faults = restore(location.hash);
  byId("faults").innerHTML = faults.map((each) => `<p>${escaped(each)}</p>`).join("");
  for (const key of ["A", "B"]) {
    dropCard(key);
    if (state[key]) {
      addCard(key);
    }
  }
  byId("add").hidden = Boolean(state.B);
  changed();
}

/** Tints of the bands as they are in the light; in the dark a trace of their hue. */
function setTints() {
  const hex = (channel) => Math.round(channel).toString(16).padStart(2, "0");
  const dark = [22, 27, 34];
  for (let set = 0; set < 16; set += 1) {
    const label = IMPROVABLE.filter((_, place) => set & (1 << place)).join("");
    const tint = DATA.bands[label] ?? "#E8E8E8";
    const channels = dark.map((base, place) => {
      const light = parseInt(tint.slice(1 + 2 * place, 3 + 2 * place), 16);
      const vivid = Math.max(0, 255 - 3 * (255 - light));
      return base + (tint === DATA.bands[""] ? 0 : 0.28 * (vivid - base));
    });
    const both = `light-dark(${tint}, #${channels.map(hex).join("")})`;
    document.documentElement.style.setProperty(`--band-${label || "none"}`, both);
  }
}

setTints();
byId("fitted").textContent = DATA.fit ? `The fit says: ${DATA.fit.answer}` : "";
byId("version").textContent = `logca ${DATA.version}`;
setTheme(null);
takeAddress();
listen();
globalThis.logca = {
  model: MODEL,
  state,
  findings,
  value,
  regions,
  answerText,
  sizeText,
  parseSize,
  draw,
};
