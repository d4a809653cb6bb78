$head

let setting_read;

function read_setting() {
  const text = globalThis.process?.env?.$variable ?? "auto";
  if (text === "always" || text === "never") {
    return text === "always";
  }
  if (text !== "" && text !== "auto") {
    console.warn("$variable=" + text + " is ignored: it is none of always, never and auto");
  }
  return null;
}

function read_setting_once() {
  if (setting_read === undefined) {
    setting_read = read_setting();
  }
  return setting_read;
}

/**
$comment
 *
$typed
 * @returns {boolean}
 */
export function should_offload($parameters) {
  const setting = read_setting_once();
  if (setting !== null) {
    return setting;
  }
$body
}

/**
$hysteresis_comment
 *
$typed
 * @param {boolean} offloading
 * @returns {boolean}
 */
export function should_offload_from($parameters, offloading) {
  const setting = read_setting_once();
  if (setting !== null) {
    return setting;
  }
$body_from
}
