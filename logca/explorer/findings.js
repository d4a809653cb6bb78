// What follows from an accelerator, by the generated functions, and the sentences that say so.

const CHANGES = { o: "÷", L: "÷", C: "×", A: "×" };

const APART = 1 + 1e-9; // ends of regions that differ by rounding only

const exists = (g) => g > 0 && g < Infinity;

/** Break-evens, half of the greatest speedup, half of A, peak and limit; NaN for what is not there. */
function findings(a) {
  if (stretches(a).length) {
    return searched(a);
  }
  const found = {
    g1: value("g1", a),
    upper: value("g1_upper", a),
    halfA: value("gA2", a),
    limit: value("limit_large", a),
    peak: value("g_peak", a),
    best: value("speedup_peak", a),
  };
  if (Number.isNaN(found.peak)) {
    found.best = Number.isNaN(found.upper) ? found.limit : a.A;
  }
  found.half = found.best > 2 ? value("g_s", a, { s: found.best / 2 }) : NaN;
  found.pays = paysWhere(a, found);
  return found;
}

const SEARCHED = 1500;
const HALVINGS = 50;

/** The same where times have breaks, so that no formula tells it; and all ranges in which it pays. */
function searched(a) {
  const broken = stretches(a).slice(1);
  const sloped = broken.some(({ host, accelerated }) => host[1] || accelerated[1]);
  // a slope that changed says nothing beyond what was measured
  const most = sloped ? Math.max(...DATA.fit.points.map(([g]) => g)) : FARTHEST;
  const sizes = [
    ...samples(2 ** -20, FARTHEST, SEARCHED),
    ...broken.flatMap(({ start }) => [start / APART, start * APART]),
    most,
  ].sort((one, other) => one - other);
  const speedups = curve("speedup", a, sizes);
  const reached = (least) => crossings(a, sizes, speedups, least);
  const ends = reached(1);
  const within = speedups.filter((_, place) => sizes[place] <= most);
  const best = Math.max(...within);
  const limit = within.at(-1);
  const peak = best > limit * APART || sloped ? sizes[within.indexOf(best)] : NaN;
  const half = best > 2 ? (reached(best / 2)[0] ?? NaN) : NaN;
  const starts = speedups[0] > 1 ? [0, ...ends] : ends;
  const ranges = [];
  for (let place = 0; place < starts.length; place += 2) {
    ranges.push([starts[place], starts[place + 1] ?? Infinity]);
  }
  const [g1, upper] = [ranges[0]?.[0] || NaN, ranges.at(-1)?.[1] ?? NaN];
  const pays = paysIn(ranges);
  return {
    g1,
    upper: exists(upper) ? upper : NaN,
    halfA: NaN,
    limit,
    peak,
    best,
    half,
    ranges,
    pays,
    sloped,
  };
}

/** Sizes at which the speedup becomes more or less than another, ascending. */
function crossings(a, sizes, speedups, least) {
  const found = [];
  for (let place = 1; place < sizes.length; place += 1) {
    const above = speedups[place] > least;
    if (speedups[place - 1] > least === above) {
      continue;
    }
    let [low, high] = [sizes[place - 1], sizes[place]];
    for (let each = 0; each < HALVINGS; each += 1) {
      const middle = Math.sqrt(low) * Math.sqrt(high);
      if (value("speedup", a, { g: middle }) > least === above) {
        high = middle;
      } else {
        low = middle;
      }
    }
    found.push(high);
  }
  return found;
}

function paysIn(ranges) {
  if (ranges.length > 1) {
    return "several";
  }
  if (!ranges.length) {
    return "never";
  }
  const [[low, high]] = ranges;
  if (low > 0) {
    return high < Infinity ? "between" : "from";
  }
  return high < Infinity ? "up to" : "always";
}

function rangeWords([low, high]) {
  if (low > 0) {
    const end = high < Infinity ? `to ${sizeText(high)}` : "on";
    return `from ${sizeText(low)} ${end}`;
  }
  return `up to ${sizeText(high)}`;
}

function paysWhere(a, { g1, upper, peak }) {
  if (exists(g1)) {
    return upper <= FARTHEST ? "between" : "from";
  }
  if (exists(upper)) {
    return "up to";
  }
  const anywhere = exists(peak) ? peak : 1;
  return value("speedup", a, { g: anywhere }) > 1 && g1 !== Infinity ? "always" : "never";
}

function placeText(g) {
  return g <= FARTHEST ? `at ${sizeText(g)}` : `beyond ${sizeText(FARTHEST)}`;
}

function answerText(a) {
  const found = findings(a);
  const { g1, upper, peak, best, half, pays } = found;
  const times = `${numberText(best, 3)} times as fast`;
  if (pays === "never") {
    return `Offloading never pays: at most ${times} as the host.`;
  }
  const where = {
    from: `from ${sizeText(g1)} on`,
    between: `from ${sizeText(g1)} to ${sizeText(upper)}`,
    "up to": `up to ${sizeText(upper)}`,
    always: "at every size",
    several: found.ranges?.map(rangeWords).join(" and "),
  }[pays];
  const parts = [
    `Offloading pays ${where}`,
    `${found.sloped ? "as far as measured " : ""}at most ${times}${exists(peak) ? `, ${placeText(peak)}` : ""}`,
  ];
  if (exists(half)) {
    parts.push(`half of that at ${sizeText(half)}`);
  }
  return `${parts.join("; ")}.`;
}

/** What happens at a size: times, speedup, shares, and what improving each parameter gains. */
function situation(a, g) {
  const r = DATA.improvement;
  const of = (names, prefix, at) =>
    Object.fromEntries(names.map((name) => [name, value(prefix + name, a, { g, ...at })]));
  return {
    g,
    host: value("T0", a, { g }),
    accelerated: value("T1", a, { g }),
    speedup: value("speedup", a, { g }),
    shares: of(["o", "L", "C"], "share_"),
    gains: of(IMPROVABLE, "gain_", { r }),
    elasticities: of(IMPROVABLE, "e_"),
    needed: breakEvenWith(a, g),
  };
}

/** For each parameter the value with which a size breaks even, where it alone can do it. */
function breakEvenWith(a, g) {
  const found = {};
  for (const name of IMPROVABLE) {
    const needed = value(`${name}_for`, a, { g, s: 1 });
    if (inRange(name, needed)) {
      found[name] = needed;
    }
  }
  return found;
}

const greatest = (values) =>
  Object.keys(values).reduce((best, name) => (values[name] > values[best] ? name : best));

const PARTS = { o: "Overhead", L: "Latency", C: "Computation" };
/** What can be better about an accelerator; C is the kernel's and the host's. */
const BETTER = {
  o: "tenfold smaller overhead",
  L: "tenfold smaller latency",
  A: "tenfold larger acceleration",
};

function adviceText({ g, speedup, shares, gains }) {
  if (!(speedup > 0 && speedup < Infinity)) {
    return `At ${sizeText(g)} times are outside the range of floating point.`;
  }
  const pace =
    speedup >= 1
      ? `offloading is ${numberText(speedup, 3)} times as fast as the host`
      : `offloading takes ${numberText(1 / speedup, 3)} times as long as the host`;
  const most = greatest(shares);
  const help = greatest(Object.fromEntries(Object.keys(BETTER).map((name) => [name, gains[name]])));
  return (
    `At ${sizeText(g)} ${pace}. ${PARTS[most]} takes ${percentText(shares[most])} of its time; ` +
    `of o, L and A, a ${BETTER[help]} would help most: ${numberText(gains[help], 3)} times the speedup.`
  );
}

function neededText(a, { g, speedup, needed }) {
  if (!(speedup < 1)) {
    return "";
  }
  const ways = Object.entries(needed).map(([name, bound]) => {
    const most = CHANGES[name] === "÷" ? "at most" : "at least";
    return `${name} ${most} ${numberText(bound, 3)}`;
  });
  const what = ways.length ? ways.join(", or ") : "more than one parameter to change";
  return `To break even at ${sizeText(g)} it needs ${what}.`;
}

/** Ranges of sizes in which the same parameters are worth improving, without gaps. */
function regions(a, low, high) {
  const { improvement: r, gain: q } = DATA;
  const ends = Object.keys(MODEL[a.latency])
    .filter((name) => name.startsWith("cutoff_"))
    .map((name) => value(name, a, { r, q }))
    .filter((g) => g > low && g < high)
    .sort((one, other) => one - other)
    .filter((g, place, all) => place === 0 || g > all[place - 1] * APART);
  const found = [];
  [...ends, high].forEach((end, place) => {
    const start = place ? ends[place - 1] : low;
    const g = Math.sqrt(start) * Math.sqrt(end);
    const label = IMPROVABLE.filter((name) => value(`gain_${name}`, a, { g, r }) >= q).join("");
    if (found.length && found.at(-1).label === label) {
      found.at(-1).end = end;
    } else {
      found.push({ start, end, label });
    }
  });
  return found;
}
