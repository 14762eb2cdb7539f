// Unpacks the Chromium of this package below the folder beside it, and writes the program that starts it: `browser/start`.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "browser");
mkdirSync(folder, { recursive: true });
process.env.TMPDIR = folder;
// the shared libraries that a bare machine lacks are unpacked only where the package believes itself to be on AWS Lambda
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs24.x";
const { default: chromium } = await import("@sparticuz/chromium");
const program = await chromium.executablePath();
const start = `#!/bin/sh
here=$(dirname "$0")
export FONTCONFIG_PATH="$here/fonts" LD_LIBRARY_PATH="$here/al2023/lib"
exec "${program}" "$@"
`;
writeFileSync(join(folder, "start.part"), start);
chmodSync(join(folder, "start.part"), 0o755);
renameSync(join(folder, "start.part"), join(folder, "start"));
