// Numbers, sizes and times as people read and write them.

const NO_BREAK = "\u00a0";
const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const FACTORS = { B: 1 };
["k", "M", "G", "T", "P", "E"].forEach((prefix, place) => {
  FACTORS[`${prefix}B`] = 1000 ** (place + 1);
  FACTORS[`${prefix.toUpperCase()}iB`] = 1024 ** (place + 1);
});
const PREFIXES = [
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
  [1e-15, "f"],
];
const SUPERSCRIPTS = {
  "-": "⁻",
  0: "⁰",
  1: "¹",
  2: "²",
  3: "³",
  4: "⁴",
  5: "⁵",
  6: "⁶",
  7: "⁷",
  8: "⁸",
  9: "⁹",
};

function escaped(text) {
  const marks = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return String(text).replace(/[&<>"]/g, (mark) => marks[mark]);
}

const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 12 });
const put = new WeakMap();

/** Give an element other contents; the same once more costs nothing, and leaves the focus in it. */
function fill(element, markup) {
  if (put.get(element) !== markup) {
    put.set(element, markup);
    element.innerHTML = markup;
  }
}

/** Mantissa and exponent of a number with so many digits. */
function parted(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return [Number(mantissa), Number(exponent)];
}

function numberText(value, digits = 4) {
  if (!Number.isFinite(value)) {
    return value > 0 ? "∞" : "–";
  }
  const [mantissa, exponent] = parted(value, digits);
  if (value !== 0 && (exponent < -3 || exponent > 6)) {
    const raised = [...String(exponent)].map((each) => SUPERSCRIPTS[each]).join("");
    return mantissa === 1 ? `10${raised}` : `${mantissa}·10${raised}`;
  }
  const rounded = exponent >= digits ? Math.round(value) : Number(value.toPrecision(digits));
  return Math.abs(rounded) < 1000 ? String(rounded) : GROUPED.format(rounded);
}

/** A size with three digits, of 1000 to 1023 with four, in powers of 1024. */
function sizeText(size, space = NO_BREAK) {
  let number = size;
  let power = 0;
  while (number >= 1024 && power < BINARY.length - 1) {
    number /= 1024;
    power += 1;
  }
  if (number >= 1024 || number < 1e-3) {
    return `${numberText(size, 3)}${space}B`;
  }
  const digits = number >= 999.5 ? 4 : 3;
  return `${Number(number.toPrecision(digits))}${space}${BINARY[power]}`;
}

/** The size in bytes that a text names; NaN if it names none. */
function parseSize(text) {
  const found = /^\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)\s*([A-Za-z]*)\s*$/i.exec(text);
  const size = found ? Number(found[1]) * (FACTORS[found[2] || "B"] ?? NaN) : NaN;
  return size > 0 && size < Infinity ? size : NaN;
}

/** The number that a text names; NaN if it names none. */
function parseNumber(text) {
  const plain = text.trim().replace(/(\d)[ _\u00a0\u202f](?=\d{3})/g, "$1");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/** A number as a field shows it: short, and read back by the field. */
function fieldText(value) {
  const whole = String(value);
  const [mantissa, exponent] = parted(value, 4);
  if (value !== 0 && exponent < -3) {
    return `${mantissa}e${exponent}`;
  }
  return whole.length <= 9 ? whole : String(Number(value.toPrecision(4)));
}

function timeText(value, unit) {
  if (unit !== "seconds" || !Number.isFinite(value) || value === 0) {
    return `${numberText(value)}${NO_BREAK}${unit === "seconds" ? "s" : unit}`;
  }
  const rounded = Number(value.toPrecision(4));
  const [factor, prefix] = PREFIXES.find(([each]) => each <= rounded) ?? PREFIXES.at(-1);
  return `${numberText(rounded / factor)}${NO_BREAK}${prefix}s`;
}

function percentText(share) {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) {
    return `<${NO_BREAK}0.1${NO_BREAK}%`;
  }
  return `${Number(percent.toPrecision(percent >= 99.5 ? 4 : percent < 10 ? 2 : 3))}${NO_BREAK}%`;
}

/** A number as MathML, with a power of ten where it is very small or large. */
function numberMath(value) {
  const [mantissa, exponent] = parted(value, 4);
  if (value === 0 || (exponent >= -3 && exponent < 7)) {
    return `<mn>${Number(value.toPrecision(Math.max(4, exponent + 1)))}</mn>`;
  }
  const sign = exponent < 0 ? '<mo form="prefix">−</mo>' : "";
  const power = `<msup><mn>10</mn><mrow>${sign}<mn>${Math.abs(exponent)}</mn></mrow></msup>`;
  return `<mrow><mn>${mantissa}</mn><mo>·</mo>${power}</mrow>`;
}
