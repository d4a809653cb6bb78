// What can be copied: the link, Python, TOML as `logca devices` reads it, the curve as CSV, the picture.

const quoted = (text) => JSON.stringify(text).replace(/\u007f/g, "\\u007f");

/** A comment where the times of a fit have breaks, which parameters cannot have. */
function unbroken(accelerator) {
  const [, first] = stretches(accelerator);
  const size = first && sizeText(first.start, " ");
  return first ? [`# up to ${size}: from there on times are others, see the fit`] : [];
}

function pythonText() {
  const lines = ["import logca", ""];
  for (const [key, accelerator] of shown()) {
    const values = PARAMETERS.map((name) => `${name}=${accelerator[name]}`).join(", ");
    const { latency, unit } = accelerator;
    lines.push(
      `${key.toLowerCase()} = logca.Accelerator(`,
      `    ${values}, latency="${latency}", unit="${unit}",`,
      `    name=${quoted(title(accelerator))},`,
      ")",
      ...unbroken(accelerator),
      `print(${key.toLowerCase()}.break_even(), ${key.toLowerCase()}.half_peak(), ${key.toLowerCase()}.peak())`,
      `print(${key.toLowerCase()}.explain(${state.g}))`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** A file of devices; it has one unit of time, so that a second accelerator in another is left out. */
function tomlText() {
  const { unit } = state.A;
  const lines = ['source = "LogCA explorer"', `unit = "${unit}"`];
  for (const [key, accelerator] of shown()) {
    if (accelerator.unit !== unit) {
      lines.push(
        "",
        `# ${key} has its times in ${accelerator.unit}: it belongs in a file of its own`,
      );
      continue;
    }
    if (accelerator.o === 0 && accelerator.L === 0) {
      lines.push(
        "",
        `# ${key} has o = 0 and L = 0: in a file of devices an offload costs something`,
      );
      continue;
    }
    lines.push(
      "",
      ...unbroken(accelerator),
      `[devices.${key.toLowerCase()}]`,
      `title = ${quoted(title(accelerator))}`,
      `latency = "${accelerator.latency}"`,
      `o = ${accelerator.o}`,
      `L = ${accelerator.L}`,
      "",
      `[devices.${key.toLowerCase()}.kernels.kernel]`,
      `C = ${accelerator.C}`,
      `A = ${accelerator.A}`,
      `beta = ${accelerator.beta}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function csvText() {
  const pairs = shown();
  const names = pairs.map(([key]) => (pairs.length > 1 ? `speedup_${key}` : "speedup"));
  const rows = samples(state.low, state.high).map((g) =>
    [g, ...pairs.map(([, accelerator]) => value("speedup", accelerator, { g }))].join(","),
  );
  return `${[["granularity_B", ...names].join(","), ...rows].join("\n")}\n`;
}

const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "paint-order",
];

/** The picture as a file of its own: what the page's style gives stands in each element. */
function svgText() {
  const drawn = document.getElementById("chart");
  const copy = drawn.cloneNode(true);
  const originals = drawn.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, place) => {
    if (!element.closest("clipPath") && !["g", "title"].includes(element.tagName)) {
      const style = getComputedStyle(originals[place]);
      element.removeAttribute("style");
      for (const name of STYLES) {
        const text = style.getPropertyValue(name);
        if ((text && text !== "none") || name === "fill") {
          element.setAttribute(name, text);
        }
      }
    }
    element.removeAttribute("class");
  });
  const { width, height } = drawn.viewBox.baseVal;
  copy.removeAttribute("id");
  copy.removeAttribute("class");
  copy.removeAttribute("aria-hidden");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", width);
  paper.setAttribute("height", height);
  paper.setAttribute("fill", getComputedStyle(document.querySelector(".stage")).backgroundColor);
  copy.prepend(paper);
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

const COPIES = {
  link: { text: () => location.href.replace(/#.*/, "") + address(), told: "The link" },
  python: { text: pythonText, told: "Python", file: "accelerator.py", type: "text/x-python" },
  toml: { text: tomlText, told: "TOML", file: "devices.toml", type: "application/toml" },
  csv: { text: csvText, told: "The curve as CSV", file: "speedup.csv", type: "text/csv" },
  svg: { text: svgText, told: "The picture as SVG", file: "speedup.svg", type: "image/svg+xml" },
};

async function copyAs(kind) {
  const { text, told, file, type } = COPIES[kind];
  const contents = text();
  const area = document.getElementById("copy-text");
  document.getElementById("copy-box").hidden = false;
  area.value = contents;
  const save = document.getElementById("save");
  save.hidden = !file;
  if (save.href.startsWith("blob:")) {
    URL.revokeObjectURL(save.href);
  }
  if (file) {
    save.href = URL.createObjectURL(new Blob([contents], { type }));
    save.download = file;
  }
  const say = (words) => {
    document.getElementById("copied").textContent = words;
  };
  try {
    await navigator.clipboard.writeText(contents);
    say(`${told} is copied.`);
  } catch {
    area.focus();
    area.select();
    say(
      document.execCommand("copy") ? `${told} is copied.` : `${told} is below: copy it from there.`,
    );
  }
}
