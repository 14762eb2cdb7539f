// Reads a list of fragments of HTML and writes what JupyterLab's sanitizer keeps of each.
//
//     sanitise.mjs SANITIZER
import fs from "node:fs";
import { pathToFileURL } from "node:url";
const { Sanitizer } = await import(pathToFileURL(process.argv[2]));
const all = JSON.parse(fs.readFileSync(0, "utf8"));
const sanitizer = new Sanitizer();
process.stdout.write(JSON.stringify(all.map((html) => sanitizer.sanitize(html))));
