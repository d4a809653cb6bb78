// What the page shows: one or two accelerators, a pointer and a range of sizes; all in the address.

const DATA = JSON.parse(document.getElementById("data").textContent);
const PARAMETERS = ["o", "L", "C", "A", "beta"];
const IMPROVABLE = ["o", "L", "C", "A"];
const LARGEST = 2 ** 80;
const FARTHEST = 2 ** 60; // sizes beyond it are told as such
const WINDOW = [16, 2 ** 25];

function inRange(name, value) {
  const { least, included } = DATA.ranges[name];
  return Number.isFinite(value) && (value > least || (included && value === least));
}

function rangeText(name) {
  const { least, included } = DATA.ranges[name];
  return `a number ${included ? "of at least" : "greater than"} ${least}`;
}

/** The sizes between breaks of the fit, if this accelerator is the fit's, changed or not. */
function stretches(accelerator) {
  const found = accelerator.name === DATA.start.name ? DATA.fit?.stretches : null;
  return found?.length > 1 ? found : [];
}

/** Factors on both times at a size that breaks make: the whole time of a path is as much longer. */
function factorsAt(accelerator, g) {
  const found = stretches(accelerator).findLast(({ start }) => start < g);
  const of = ([factor, exponent]) => factor * (found.start ? (g / found.start) ** exponent : 1);
  return found ? [of(found.host), of(found.accelerated)] : [1, 1];
}

/** A quantity of the model, computed by the generated function; NaN where it does not exist. */
function value(quantity, accelerator, at = {}) {
  const compute = MODEL[accelerator.latency][quantity];
  if (!compute) {
    return NaN;
  }
  const [host, accelerated] = factorsAt(accelerator, at.g);
  const given = { ...accelerator, ...at };
  if (quantity.endsWith("_for")) {
    given.s *= accelerated / host;
  }
  const factor = { T0: host, T1: accelerated, speedup: host / accelerated }[quantity] ?? 1;
  return factor * compute(given);
}

/** A quantity at many sizes. */
function curve(quantity, accelerator, sizes, given = {}) {
  return sizes.map((g) => value(quantity, accelerator, { ...given, g }));
}

function unitOf(name, accelerator) {
  const [unit] = DATA.meanings[accelerator.latency][name];
  return accelerator.unit === "seconds" ? unit.replace("cycles", "s") : unit;
}

function sameNumbers(one, other) {
  return ["latency", "unit", ...PARAMETERS].every((name) => one[name] === other[name]);
}

/** The accelerators that can be chosen: the page's own, then the devices. */
const CHOICES = [DATA.start, ...DATA.presets].filter(
  (each, place, all) =>
    all.findIndex((other) => other.name === each.name && sameNumbers(other, each)) === place,
);

/** The choice that an accelerator is, if it is one. */
function choiceOf(accelerator) {
  const named = CHOICES.some((each) => each.name === accelerator.name);
  return CHOICES.find(
    (each) => sameNumbers(each, accelerator) && (each.name === accelerator.name || named),
  );
}

/** Its name; one of a device whose numbers are others now says so. */
function title(accelerator) {
  const { name } = choiceOf(accelerator) ?? accelerator;
  const other = name && !choiceOf(accelerator) && CHOICES.some((each) => each.name === name);
  return other ? `${name}, changed` : name || "your accelerator";
}

function copyOf(choice) {
  const { name, latency, unit } = choice;
  const numbers = Object.fromEntries(PARAMETERS.map((each) => [each, choice[each]]));
  return { name, latency, unit, ...numbers };
}

const state = {
  A: copyOf(DATA.start),
  B: null,
  g: 4096,
  low: WINDOW[0],
  high: WINDOW[1],
  improve: [],
};

const shown = () => ["A", "B"].filter((key) => state[key]).map((key) => [key, state[key]]);

/** The address that shows what the page shows now. */
function address() {
  const words = new URLSearchParams();
  for (const [key, accelerator] of shown()) {
    for (const name of [...PARAMETERS, "latency", "unit", "name"]) {
      if (accelerator[name] !== "") {
        words.set(key === "A" ? name : `b.${name}`, accelerator[name]);
      }
    }
  }
  words.set("g", state.g);
  words.set("from", state.low);
  words.set("to", state.high);
  if (state.improve.length) {
    words.set("improve", state.improve.join(""));
  }
  return `#${words}`;
}

/** Take over what an address says; what is wrong with it, as sentences. */
function restore(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const faults = [];
  const number = (key, good, wanted) => {
    const found = parseNumber(words.get(key));
    if (good(found)) {
      return found;
    }
    faults.push(`The address has ${key}=${words.get(key)}, which is not ${wanted}; it is ignored.`);
    return null;
  };
  const accelerator = (prefix, base) => {
    const keys = [...PARAMETERS, "latency", "unit", "name"].filter((each) =>
      words.has(prefix + each),
    );
    if (!keys.length) {
      return base;
    }
    const found = copyOf(base ?? state.A);
    for (const name of keys) {
      const text = words.get(prefix + name);
      const among = { latency: ["constant", "linear"], unit: ["cycles", "seconds"] }[name];
      if (name === "name") {
        found.name = text;
      } else if (!among) {
        found[name] =
          number(prefix + name, (each) => inRange(name, each), rangeText(name)) ?? found[name];
      } else if (among.includes(text)) {
        found[name] = text;
      } else {
        faults.push(
          `The address has ${prefix + name}=${text}, which is not ${among.join(" or ")}; it is ignored.`,
        );
      }
    }
    return found;
  };
  state.A = accelerator("", state.A);
  state.B = accelerator("b.", null);
  const size = (key, old) =>
    words.has(key)
      ? (number(key, (each) => each > 0 && each <= LARGEST, "a size in bytes") ?? old)
      : old;
  const [low, high] =
    words.has("from") || words.has("to") ? [state.low, state.high] : fittingRange();
  state.low = size("from", low);
  state.high = size("to", high);
  if (!(state.low < state.high)) {
    faults.push("The address has sizes from and to that do not ascend; they are ignored.");
    [state.low, state.high] = fittingRange();
  }
  state.g = words.has("g") ? size("g", state.g) : fittingPointer();
  state.improve = IMPROVABLE.filter((each) => (words.get("improve") ?? "").includes(each));
  return faults;
}

/** Sizes that show what there is to see: break-evens, half of the peak, the peak, measured points. */
function fittingRange() {
  const measured = (DATA.fit?.points ?? []).map(([g]) => g);
  const [least, most] = measured.length
    ? [Math.min(...measured) / 1024, Math.max(...measured) * 1024]
    : [1, FARTHEST];
  const sizes = shown().flatMap(([, each]) => {
    const { g1, upper, half, peak } = findings(each);
    return [g1, upper, half, peak].filter((g) => g >= least && g <= most);
  });
  if (!sizes.length && !measured.length) {
    return WINDOW;
  }
  const margin = measured.length ? 2 : 64;
  const near = sizes.length ? [Math.min(...sizes) / margin, Math.max(...sizes) * margin] : [];
  const all = [...near, ...measured.flatMap((g) => [g / 1.5, g * 1.5])];
  return [
    2 ** Math.max(0, Math.floor(Math.log2(Math.min(...all)))),
    2 ** Math.min(70, Math.ceil(Math.log2(Math.max(...all)))),
  ];
}

/** A power of two where the answer is not settled yet: a little above the break-even. */
function fittingPointer() {
  const { g1 } = findings(state.A);
  const g = g1 >= 1 && g1 <= FARTHEST ? 2 ** Math.round(Math.log2(4 * g1)) : 4096;
  return Math.min(Math.max(g, state.low), state.high);
}
