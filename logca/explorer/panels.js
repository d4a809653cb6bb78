// The cards: controls of an accelerator, what happens at the pointer, the formula with numbers.

const LETTERS = { o: "o", L: "L", C: "C", A: "A", beta: "β" };
const MEANINGS = {
  o: "overhead",
  L: "latency",
  C: "computational index",
  A: "acceleration",
  beta: "exponent",
};
const DECADES = {
  cycles: { o: [0, 10], L: [0, 10], perByte: [-4, 5], C: [-3, 6], A: [0.01, 4], beta: [-1, 0.6] },
  seconds: {
    o: [-9, 1],
    L: [-9, 1],
    perByte: [-13, -4],
    C: [-13, -3],
    A: [0.01, 4],
    beta: [-1, 0.6],
  },
};
const STEP = 0.01;

const cards = {};

function select(card, selector) {
  return card.root.querySelector(selector);
}

/** A card for an accelerator of the state, at the end of the others. */
function addCard(key) {
  const root = document.getElementById("card").content.cloneNode(true).firstElementChild;
  const card = { key, root, rows: {} };
  root.classList.add(`of-${key}`);
  root.id = `card-${key}`;
  root.setAttribute("aria-label", `Accelerator ${key}`);
  select(card, ".badge").textContent = key;
  const preset = select(card, ".preset");
  preset.innerHTML = choicesMarkup();
  preset.addEventListener("change", () => {
    if (preset.value !== "own") {
      state[key] = copyOf(CHOICES[Number(preset.value)]);
      adapt(card);
      changed();
    }
  });
  const remove = select(card, ".remove");
  remove.hidden = key === "A";
  remove.addEventListener("click", () => {
    state.B = null;
    dropCard("B");
    changed();
    document.getElementById("add").focus();
  });
  for (const radio of root.querySelectorAll(".latency input")) {
    radio.name = `latency-${key}`;
    radio.addEventListener("change", () => {
      changeLatency(state[key], radio.value);
      adapt(card);
      changed();
    });
  }
  select(card, ".latency").setAttribute("aria-label", `Form of latency of ${key}`);
  const rows = select(card, ".rows");
  for (const name of PARAMETERS) {
    card.rows[name] = addRow(card, rows, name);
  }
  const add = document.getElementById("add");
  add.before(root);
  add.hidden = Boolean(state.B);
  cards[key] = card;
  adapt(card);
}

function dropCard(key) {
  cards[key]?.root.remove();
  delete cards[key];
  document.getElementById("add").hidden = false;
}

function choicesMarkup() {
  const option = (choice) =>
    `<option value="${CHOICES.indexOf(choice)}">${escaped(choice.name || "this page's accelerator")}</option>`;
  const groups = Map.groupBy
    ? Map.groupBy(CHOICES, (choice) => choice.group ?? "")
    : CHOICES.reduce((all, choice) => {
        const group = choice.group ?? "";
        return all.set(group, [...(all.get(group) ?? []), choice]);
      }, new Map());
  const parts = [...groups].map(([group, choices]) =>
    group
      ? `<optgroup label="${escaped(group)}">${choices.map(option).join("")}</optgroup>`
      : choices.map(option).join(""),
  );
  return `${parts.join("")}<option value="own" hidden></option>`;
}

function addRow(card, rows, name) {
  const id = `${card.key}-${name}`;
  rows.insertAdjacentHTML(
    "beforeend",
    `<div class="row"><label for="${id}"><i class="letter">${LETTERS[name]}</i> <span class="meaning">${MEANINGS[name]}</span></label>
    <input class="slider" type="range" step="any" aria-label="${card.key}: ${MEANINGS[name]} ${LETTERS[name]}">
    <input class="number" id="${id}" type="text" inputmode="decimal" autocomplete="off" spellcheck="false" aria-describedby="${id}-unit">
    <span class="unit" id="${id}-unit"></span></div>`,
  );
  const row = rows.lastElementChild;
  const slider = row.querySelector(".slider");
  const number = row.querySelector(".number");
  slider.addEventListener("input", () => {
    state[card.key][name] = fromSlider(slider, name);
    changed();
  });
  slider.addEventListener("keydown", (event) => {
    const steps = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
    }[event.key];
    if (steps) {
      event.preventDefault();
      slider.value = Number(slider.value) + steps * STEP * (event.shiftKey ? 10 : 1);
      slider.dispatchEvent(new Event("input"));
    }
  });
  const type = () => {
    const found = parseNumber(number.value);
    const good = inRange(name, found);
    number.setAttribute("aria-invalid", String(!good));
    row.querySelector(".unit").classList.toggle("fault", !good);
    if (good) {
      state[card.key][name] = found;
      adapt(card, number);
      changed();
    } else {
      row.querySelector(".unit").textContent = `${LETTERS[name]} is ${rangeText(name)}`;
    }
  };
  number.addEventListener("focus", () => {
    number.value = String(state[card.key][name]);
  });
  number.addEventListener("blur", changed);
  number.addEventListener("input", type);
  number.addEventListener("change", () => {
    adapt(card);
    changed();
  });
  return { row, slider, number };
}

/** The decades that a slider spans: the usual ones, and more if the value lies outside. */
function spanOf(accelerator, name) {
  const usual =
    DECADES[accelerator.unit][name === "L" && accelerator.latency === "linear" ? "perByte" : name];
  const now = accelerator[name] > 0 ? Math.log10(accelerator[name]) : usual[0];
  return [now < usual[0] ? now : usual[0], now > usual[1] ? now : usual[1]];
}

/** The value at a slider's place, to three digits; the leftmost place of o and L is zero. */
function fromSlider(slider, name) {
  const place = Number(slider.value);
  if (DATA.ranges[name].included && place <= Number(slider.min)) {
    return 0;
  }
  const rounded = Number((10 ** place).toPrecision(3));
  return inRange(name, rounded) ? rounded : Number((10 ** place).toPrecision(6));
}

/** Bring controls to the state, but leave alone a field that someone types in. */
function adapt(card, typing = null) {
  const accelerator = state[card.key];
  for (const name of PARAMETERS) {
    const { row, slider } = card.rows[name];
    const [least, most] = spanOf(accelerator, name);
    slider.min = DATA.ranges[name].included ? least - STEP : least;
    slider.max = most;
    row.querySelector("label").title = DATA.meanings[accelerator.latency][name][1];
    row.querySelector(".unit").classList.remove("fault");
    row.querySelector(".unit").innerHTML = unitOf(name, accelerator)
      .replace("**beta", "<sup>β</sup>")
      .replace(/^1$/, "");
  }
  showValues(card, typing);
}

function showValues(card, typing = null) {
  const accelerator = state[card.key];
  for (const name of PARAMETERS) {
    const { slider, number } = card.rows[name];
    const now = accelerator[name];
    const place = now > 0 ? Math.log10(now) : Number(slider.min);
    if (Number(slider.value) !== place) {
      slider.value = place;
    }
    const filled = (100 * (place - slider.min)) / (slider.max - slider.min);
    slider.style.setProperty("--filled", `${filled}%`);
    slider.setAttribute(
      "aria-valuetext",
      `${numberText(now)} ${unitOf(name, accelerator).replace(/^1$/, "")}`.trim(),
    );
    if (number !== typing && document.activeElement !== number) {
      number.value = fieldText(now);
      number.setAttribute("aria-invalid", "false");
    }
  }
  const at = CHOICES.indexOf(choiceOf(accelerator));
  const preset = select(card, ".preset");
  const own = preset.querySelector("[value=own]");
  fill(own, escaped(title(accelerator)));
  own.hidden = at >= 0;
  preset.value = at >= 0 ? String(at) : "own";
  for (const radio of card.root.querySelectorAll(".latency input")) {
    radio.checked = radio.value === accelerator.latency;
  }
}

/** Another form of latency, with the L that leaves the speedup at the pointer as it is. */
function changeLatency(accelerator, latency) {
  if (latency === accelerator.latency) {
    return;
  }
  const s = value("speedup", accelerator, { g: state.g });
  accelerator.latency = latency;
  const same = value("L_for", accelerator, { g: state.g, s });
  accelerator.L =
    accelerator.L > 0 && same > 0 && same < Infinity ? Number(same.toPrecision(3)) : 0;
}

function showHere(card) {
  const accelerator = state[card.key];
  const found = situation(accelerator, state.g);
  const tell = (selector, text) => fill(select(card, selector), escaped(text));
  tell("h2", `At ${sizeText(state.g)}`);
  const [host, offloaded] = [found.host, found.accelerated].map((time) =>
    timeText(time, accelerator.unit),
  );
  tell(
    ".pace",
    `Speedup ${numberText(found.speedup, 3)}: ${offloaded} instead of ${host} on the host.`,
  );
  const parts = Object.entries(found.shares).filter(([, share]) => share > 0);
  const told = parts
    .map(([name, share]) => `${PARTS[name].toLowerCase()} ${percentText(share)}`)
    .join(", ");
  const bar = select(card, ".shares");
  bar.setAttribute("aria-label", `Of the accelerated time: ${told}`);
  fill(
    bar,
    parts
      .map(([name, share]) => `<span class="part-${name}" style="flex-grow:${share}"></span>`)
      .join(""),
  );
  const shares = parts.map(
    ([name, share]) =>
      `<span class="share"><span class="key part-${name}"></span>${PARTS[name].toLowerCase()} ${percentText(share)}</span>`,
  );
  fill(select(card, ".share-text"), shares.join(" "));
  const rows = select(card, ".gains tbody");
  if (!rows.children.length) {
    rows.innerHTML = IMPROVABLE.map(gainRow).join("");
    for (const button of rows.querySelectorAll("button")) {
      button.addEventListener("click", () => {
        const { name } = button.dataset;
        state.improve = IMPROVABLE.filter(
          (each) => state.improve.includes(each) !== (each === name),
        );
        changed();
      });
    }
  }
  IMPROVABLE.forEach((name, place) => {
    const [button, bars, gain, speedup, elasticity] = rows.children[place].children;
    const bar = Math.min(100, (100 * Math.log(found.gains[name])) / Math.log(DATA.improvement));
    button.firstElementChild.setAttribute("aria-pressed", String(state.improve.includes(name)));
    bars.firstElementChild.style.width = `${Number.isFinite(bar) ? Math.max(0, bar) : 0}%`;
    fill(gain, `× ${numberText(found.gains[name], 3)}`);
    fill(speedup, numberText(found.speedup * found.gains[name], 3));
    fill(elasticity, numberText(found.elasticities[name], 2).replace("-", "−"));
  });
  tell(".needed", neededText(accelerator, found));
  showFormula(card, found);
}

function gainRow(name) {
  return `<tr class="improve-${name}"><th scope="row"><button type="button" data-name="${name}" aria-pressed="false" aria-label="Draw the curve with ${MEANINGS[name]} ${LETTERS[name]} improved tenfold"><span class="dash"></span>${LETTERS[name]} ${CHANGES[name]} ${DATA.improvement}</button></th><td class="bar-cell"><span></span></td><td></td><td></td><td></td></tr>`;
}

function showFormula(card, { g, speedup }) {
  const accelerator = state[card.key];
  const { o, L, beta } = accelerator;
  const left = `${o === 0 ? "o" : ""}${L === 0 ? "L" : ""}${beta === 1 ? "beta" : ""}`;
  const { letters, [left]: slots } = DATA.formulas[accelerator.latency];
  const [host, accelerated] = factorsAt(accelerator, g);
  const factors = { o: accelerated, L: accelerated, C: host, A: host / accelerated, beta: 1 };
  const numbers = slots.replace(/<mn>\{(\w+)\}<\/mn>/g, (_, name) =>
    numberMath(accelerator[name] * factors[name]),
  );
  const unit = accelerator.unit === "seconds" ? "seconds" : "cycles";
  const [first, second, note] = select(card, ".formula").children;
  fill(first, letters);
  fill(second, numbers);
  fill(note, `Times in ${unit}, g in bytes. At g = ${sizeText(g)} it is ${numberText(speedup)}.`);
}

function showCards() {
  for (const [key] of shown()) {
    showValues(cards[key], document.activeElement);
    showHere(cards[key]);
  }
}
