// Reads [{"name": ..., "latex": ...}, ...] on stdin and renders each string with KaTeX in strict
// mode. Names those it rejects and exits with 1; an empty or malformed list is an error too.
import { readFileSync } from "node:fs";
import katex from "katex";

const options = { displayMode: true, throwOnError: true, strict: "error", trust: false };

function complaint({ latex }) {
  if (typeof latex !== "string" || latex.trim() === "") return "no LaTeX";
  try {
    katex.renderToString(latex, options);
    return null;
  } catch (error) {
    return error.message;
  }
}

let strings;
try {
  strings = JSON.parse(readFileSync(0, "utf8"));
} catch (error) {
  console.error(`stdin is not JSON: ${error.message}`);
  process.exit(2);
}
if (!Array.isArray(strings) || strings.length === 0) {
  console.error('expected a list [{"name": ..., "latex": ...}, ...] with at least one entry');
  process.exit(2);
}

const rejected = strings
  .map((entry) => ({ name: entry.name, latex: entry.latex, why: complaint(entry) }))
  .filter(({ why }) => why !== null);
for (const { name, latex, why } of rejected) console.error(`${name}: ${why}\n    ${latex}`);
console.log(`KaTeX ${katex.version}: ${strings.length - rejected.length} of ${strings.length} strings rendered`);
process.exit(rejected.length === 0 ? 0 : 1);
