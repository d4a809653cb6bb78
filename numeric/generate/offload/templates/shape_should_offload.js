$head

let setting;

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

/**
$comment
 *
$typed
 * @returns {boolean}
 */
export function should_offload($parameters) {
  if (setting === undefined) {
    setting = read_setting();
  }
  if (setting !== null) {
    return setting;
  }
$body
}
