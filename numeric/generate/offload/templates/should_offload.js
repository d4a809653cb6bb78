$head

let setting;

function read_setting() {
  const text = globalThis.process?.env?.$variable ?? "auto";
  if (text === "" || text === "auto") {
    return null;
  }
  if (text === "always" || text === "never") {
    return text === "always";
  }
  if (/^[0-9]+$$/.test(text)) {
    const size = BigInt(text);
    if (size >= 2n ** 64n - 4n) {
      return false;
    }
    return size > 0n ? size - 1n : 0n;
  }
  const known = "always, never, auto and $number";
  console.warn("$variable=" + text + " is ignored: it is none of " + known);
  return null;
}

function within(size, above, last) {
  if (setting === undefined) {
    setting = read_setting();
  }
  if (typeof setting === "boolean") {
    return setting;
  }
  return (setting ?? above) < size && size <= last;
}

/**
$likely_comment
 *
 * @param {number | bigint} size
 * @returns {boolean}
 */
export function should_offload(size) {
  return $likely_within;
}

/**
$hysteresis_comment
 *
 * @param {number | bigint} size
 * @param {boolean} offloading
 * @returns {boolean}
 */
export function should_offload_from(size, offloading) {
  if (offloading) {
    return $staying_within;
  }
  return $starting_within;
}
