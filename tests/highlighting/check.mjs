// Compares the roles that `static/scan.js` gives with the core's; what it reads is described in `check.py`.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { Role, scan, scanFile } = await import(pathToFileURL(process.argv[2] + "/scan.js"));
const read = (kind, text) => (kind === "cell" ? scan(text) : scanFile(text, kind));

/** A letter for each character, not for each UTF-16 unit. */
function roles(tokens, text) {
  const out = new Array(text.length).fill(".");
  for (const { role, from, to } of tokens) {
    if (role === Role.PLAIN) continue;
    out.fill(role, from, to);
    out[from] = role.toUpperCase();
  }
  return out.filter((_, at) => !(text.charCodeAt(at) >> 10 === 0x37 && text.charCodeAt(at - 1) >> 10 === 0x36)).join("");
}

let count = 0;
let failed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const test = JSON.parse(line);
  const ours = roles(read(test.as, test.text), test.text);
  count += 1;
  if (ours !== test.roles) {
    failed += 1;
    if (failed <= 5) console.log(`as ${test.as}: ${JSON.stringify(test.text)}\n   core ${test.roles}\n   ours ${ours}`);
  }
}
console.log(`${count} texts, ${failed} differ`);
process.exit(failed ? 1 : 0);
