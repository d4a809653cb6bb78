// The picture: speedup over granularity on logarithmic axes, its marks, and regions as bands.

const SAMPLES = 240;
const STRIP = 24;
const SYMBOLS = { g1: "g₁", upper: "upper g₁", halfA: "gA/2", peak: "peak" };
const LADDER = [1, 2, 5];
const OCTAVES = [1, 2, 5, 10, 20, 40];

const fixed = (number) => number.toFixed(1);

/** The largest (or smallest) 1, 2 or 5 times a power of ten below (or above) a number. */
function onLadder(number, up) {
  const power = 10 ** Math.floor(Math.log10(number));
  const steps = [...LADDER, 10].map((each) => each * power);
  return up
    ? steps.find((each) => each >= number * (1 - 1e-12))
    : steps.findLast((each) => each <= number * (1 + 1e-12));
}

/** Sizes of the curve's points, evenly spread on the logarithmic axis. */
function samples(low, high, count = SAMPLES) {
  const ratio = Math.log(high / low) / (count - 1);
  return Array.from({ length: count }, (_, place) => low * Math.exp(ratio * place));
}

/** The places of sizes and speedups in a picture of so many pixels. */
function layout(width, height, low, high, curves, strips) {
  const narrow = width < 560;
  const [left, right, bottom] = [narrow ? 40 : 52, narrow ? 10 : 18, 44];
  const top = 28 + STRIP * strips;
  const [x0, x1] = [left, width - right];
  const [y0, y1] = [height - bottom, top];
  const every = curves.flat().filter((each) => each > 0 && each < Infinity);
  const measured = (DATA.fit?.points ?? [])
    .filter(([g]) => g >= low && g <= high)
    .map(([, s]) => s);
  const most = Math.max(1.4, ...every, ...measured);
  const ceiling = onLadder(most * 1.25, true);
  const floor = Math.max(onLadder(Math.min(0.5, ...every, ...measured), false), ceiling / 1e5);
  const across = (x1 - x0) / Math.log(high / low);
  const up = (y1 - y0) / Math.log(ceiling / floor);
  return {
    narrow,
    width,
    height,
    low,
    high,
    ceiling,
    floor,
    x0,
    x1,
    y0,
    y1,
    x: (g) => x0 + across * Math.log(g / low),
    y: (s) => y0 + up * Math.log(s / floor),
    size: (x) => low * Math.exp((x - x0) / across),
    sees: (g, s = 1) => g >= low && g <= high && s >= floor && s <= ceiling,
  };
}

function ticks(at) {
  const parts = [];
  const octaves = Math.log2(at.high / at.low);
  const fitting = (at.x1 - at.x0) / 62;
  const apart = OCTAVES.find((each) => octaves / each <= fitting) ?? OCTAVES.at(-1);
  for (let power = Math.ceil(Math.log2(at.low)); power <= Math.log2(at.high); power += 1) {
    const x = fixed(at.x(2 ** power));
    if (power % apart) {
      parts.push(`<path class="tick" d="M${x},${at.y0}v4"/>`);
      continue;
    }
    parts.push(
      `<path class="grid" d="M${x},${at.y0}V${at.y1}"/><path class="tick" d="M${x},${at.y0}v7"/>`,
    );
    const edge = at.x(2 ** power) + 26 > at.width;
    parts.push(
      `<text class="label" x="${edge ? at.width - 2 : x}" y="${at.y0 + 20}" text-anchor="${edge ? "end" : "middle"}">${sizeText(2 ** power)}</text>`,
    );
  }
  const decades = Math.log10(at.ceiling / at.floor);
  for (let power = Math.floor(Math.log10(at.floor)); power <= Math.log10(at.ceiling); power += 1) {
    for (let digit = 1; digit < 10; digit += 1) {
      const speedup = Number(`${digit}e${power}`);
      if (speedup < at.floor * (1 - 1e-9) || speedup > at.ceiling * (1 + 1e-9)) {
        continue;
      }
      const y = fixed(at.y(speedup));
      const named = digit === 1 || (decades < 2.6 && LADDER.includes(digit));
      if (named) {
        parts.push(`<path class="grid" d="M${at.x0},${y}H${at.x1}"/>`);
        parts.push(
          `<text class="label" x="${at.x0 - 7}" y="${y}" dy="0.32em" text-anchor="end">${numberText(speedup, 1)}</text>`,
        );
      }
      parts.push(`<path class="tick" d="M${at.x0 - (named ? 5 : 3)},${y}H${at.x0}"/>`);
    }
  }
  const middle = (at.x0 + at.x1) / 2;
  parts.push(
    `<text class="axis" x="${middle}" y="${at.height - 6}" text-anchor="middle">granularity g: size of the offloaded data [bytes]</text>`,
  );
  parts.push(`<text class="axis" x="${at.narrow ? 4 : 8}" y="16">speedup over the host [1]</text>`);
  if (!at.narrow) {
    const share = percentText(DATA.gain - 1);
    parts.push(
      `<text class="axis" x="${at.x1}" y="16" text-anchor="end">bands: parameters whose tenfold improvement gains ${share} or more</text>`,
    );
  }
  return parts.join("");
}

/** A strip of regions above the plot, and behind it their tints if there is one accelerator only. */
function bands(at, key, accelerator, place, alone) {
  const bottom = at.y1 - STRIP * place - 4;
  const height = STRIP - 6;
  return regions(accelerator, at.low, at.high)
    .map(({ start, end, label }) => {
      const [left, right] = [at.x(start), at.x(end)];
      const box = `x="${fixed(left)}" width="${fixed(Math.max(0, right - left))}"`;
      const tint = `style="fill:var(--band-${label || "none"})"`;
      const letters = [...label];
      const wide = right - left > 9 * letters.length + 4;
      const text = wide
        ? `<text class="band-label" x="${fixed((left + right) / 2)}" y="${bottom - height / 2}" dy="0.34em" text-anchor="middle">${letters.join(" ") || "–"}</text>`
        : "";
      const behind = alone
        ? `<rect class="band" ${box} y="${at.y1}" height="${at.y0 - at.y1}" ${tint}/>`
        : "";
      const hint = `${sizeText(start)} to ${sizeText(end)}: ${letters.join(", ") || "no parameter"}`;
      return `<g><title>${key}: ${hint}</title>${behind}<rect class="strip" ${box} y="${bottom - height}" height="${height}" ${tint}/>${text}</g>`;
    })
    .join("");
}

function curvePath(at, sizes, speedups) {
  let path = "";
  let drawn = false;
  sizes.forEach((g, place) => {
    const s = speedups[place];
    if (s > 0 && s < Infinity) {
      path += `${drawn ? "L" : "M"}${fixed(at.x(g))},${fixed(at.y(s))}`;
      drawn = true;
    } else {
      drawn = false;
    }
  });
  return path;
}

function marks(at, key, accelerator, found) {
  const parts = [];
  const name = key === "A" && !state.B ? "" : `${key} `;
  const taken = at.sees(found.upper) ? 110 : 0; // by the words on the left of the line at 1
  const point = (id, g, s, text, above) => {
    if (!at.sees(g, s)) {
      return;
    }
    const [x, y] = [at.x(g), at.y(s)];
    const wide = 8 * text.length + 12;
    // beside the pointer's line, not across it: on the other side, where the curve does not run
    const pointed = at.x(state.g);
    const crossed = pointed > x && pointed < x + wide && x - wide > at.x0 + taken;
    const flipped = crossed || x + wide > at.x1;
    const high = crossed && id !== "peak" ? !above : above;
    const shape =
      id === "peak"
        ? `<path class="mark ${id}" d="M${fixed(x)},${fixed(y - 6)}l6,6l-6,6l-6,-6z"/>`
        : `<circle class="mark ${id}" cx="${fixed(x)}" cy="${fixed(y)}" r="5"/>`;
    parts.push(`<path class="drop" d="M${fixed(x)},${fixed(y)}V${at.y0}"/>${shape}`);
    parts.push(
      `<text class="mark-label" x="${fixed(x + (flipped ? -9 : 9))}" y="${fixed(y + (high ? -10 : 18))}" text-anchor="${flipped ? "end" : "start"}">${text}</text>`,
    );
  };
  const label = (id, g) => {
    const between = id === "peak" ? "at" : "=";
    return at.narrow || state.B
      ? `${name}${SYMBOLS[id]}`
      : `${SYMBOLS[id]} ${between} ${sizeText(g)}`;
  };
  for (const [low, high] of found.ranges ?? [[found.g1, found.upper]]) {
    point("g1", low, 1, label("g1", low));
    point("upper", high, 1, label("upper", high), true);
  }
  point("halfA", found.halfA, accelerator.A / 2, label("halfA", found.halfA));
  point("peak", found.peak, found.best, label("peak", found.peak), true);
  const bound = exists(found.peak) ? found.best : found.limit;
  if (bound > at.floor && bound < at.ceiling) {
    const y = fixed(at.y(bound));
    const side = key === "A" ? [at.x1 - 4, "end"] : [at.x0 + 6, "start"];
    parts.push(`<path class="bound" d="M${at.x0},${y}H${at.x1}"/>`);
    if (!exists(found.peak)) {
      parts.push(
        `<text class="bound-label" x="${side[0]}" y="${y}" dy="-0.45em" text-anchor="${side[1]}">${name}limit ${numberText(bound, 3)}</text>`,
      );
    }
  }
  return `<g class="of-${key}">${parts.join("")}</g>`;
}

const clip = (at, s) => Math.min(Math.max(s, at.floor), at.ceiling);

/** The interval of the fitted curve as a ribbon. */
function ribbon(at) {
  if (!DATA.fit) {
    return "";
  }
  const inside = DATA.fit.ribbon.filter(([g]) => g >= at.low && g <= at.high);
  const place = (g, s) => `${fixed(at.x(g))},${fixed(at.y(clip(at, s)))}`;
  const upper = inside.map(([g, , high]) => place(g, high ?? Infinity));
  const lower = inside.map(([g, low]) => place(g, low ?? 0)).reverse();
  return inside.length ? `<path class="ribbon" d="M${[...upper, ...lower].join("L")}z"/>` : "";
}

/** The measured speedups with their spread. */
function points(at) {
  const seen = (DATA.fit?.points ?? []).filter(([g, s]) => at.sees(g, s));
  const drawn = seen.map(([g, s, low, high]) => {
    const x = fixed(at.x(g));
    const bar = `M${x},${fixed(at.y(clip(at, low)))}V${fixed(at.y(clip(at, high)))}`;
    return `<path class="spread" d="${bar}"/><circle class="point" cx="${x}" cy="${fixed(at.y(s))}" r="3.2"/>`;
  });
  return drawn.join("");
}

function pointer(at, pairs) {
  if (!at.sees(state.g)) {
    return "";
  }
  const x = fixed(at.x(state.g));
  const dots = pairs.map(([key, accelerator]) => {
    const s = value("speedup", accelerator, { g: state.g });
    return at.sees(state.g, s)
      ? `<circle class="at of-${key}" cx="${x}" cy="${fixed(at.y(s))}" r="6"/>`
      : "";
  });
  return `<path class="pointer" d="M${x},${at.y1}V${at.y0}"/>${dots.join("")}<path class="handle" d="M${x},${at.y0}l6,8h-12z"/>`;
}

function improvedCurves(at, sizes, pairs, curves) {
  const r = DATA.improvement;
  return pairs
    .flatMap(([, accelerator], place) =>
      state.improve.map((name) => {
        const gains = curve(`gain_${name}`, accelerator, sizes, { r });
        const better = gains.map((gain, each) => gain * curves[place][each]);
        return `<path class="improved improve-${name}" d="${curvePath(at, sizes, better)}"/>`;
      }),
    )
    .join("");
}

/** Draw into the picture, a layer a group, and give its layout. */
function drawChart(svg, width, height, pairs) {
  const sizes = samples(state.low, state.high);
  const curves = pairs.map(([, accelerator]) => curve("speedup", accelerator, sizes));
  const found = pairs.map(([, accelerator]) => findings(accelerator));
  const bounds = found.map(({ best }, place) => {
    const top = Math.max(...curves[place].filter((s) => s < Infinity));
    return best < 30 * top ? best : top;
  });
  const at = layout(width, height, state.low, state.high, [...curves, bounds], pairs.length);
  const one = fixed(at.y(1));
  const side = found.some(({ upper }) => at.sees(upper))
    ? [at.x0 + 6, "start"]
    : [at.x1 - 6, "end"];
  const even = (text, dy) =>
    `<text class="even-label" x="${side[0]}" y="${one}" dy="${dy}" text-anchor="${side[1]}">${text}</text>`;
  const alone = pairs.length === 1;
  const layers = {
    bands: pairs
      .map(([key, each], place) => bands(at, key, each, pairs.length - 1 - place, alone))
      .join(""),
    ticks: ticks(at),
    even: `<path class="even" d="M${at.x0},${one}H${at.x1}"/>${even("offloading pays", "-0.5em")}${even("the host is faster", "1.2em")}`,
    ribbon: ribbon(at),
    curves:
      improvedCurves(at, sizes, pairs, curves) +
      pairs
        .map(
          ([key], place) =>
            `<path class="curve of-${key}" d="${curvePath(at, sizes, curves[place])}"/>`,
        )
        .join(""),
    points: points(at),
    marks: pairs.map(([key, each], place) => marks(at, key, each, found[place])).join(""),
    frame: `<path class="frame" d="M${at.x0},${at.y1}V${at.y0}H${at.x1}"/>`,
    pointer: pointer(at, pairs),
  };
  if (!svg.children.length) {
    const clipped = (name) =>
      ["ribbon", "curves", "points"].includes(name) ? ' clip-path="url(#plot-area)"' : "";
    const groups = Object.keys(layers).map(
      (name) => `<g data-layer="${name}"${clipped(name)}></g>`,
    );
    svg.innerHTML = `<clipPath id="plot-area"><rect/></clipPath>${groups.join("")}<g id="hover"></g>`;
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const area = svg.querySelector("#plot-area rect");
  for (const [name, size] of [
    ["x", at.x0],
    ["y", at.y1],
    ["width", at.x1 - at.x0],
    ["height", at.y0 - at.y1],
  ]) {
    area.setAttribute(name, size);
  }
  for (const [name, markup] of Object.entries(layers)) {
    fill(svg.querySelector(`[data-layer="${name}"]`), markup);
  }
  return at;
}
