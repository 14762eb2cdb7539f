// The kernel as VS Code's Jupyter extension drives it: `KernelConnection` of @jupyterlab/services over sockets of the npm package
// zeromq, in place of a WebSocket; messages encoded by @nteract/messaging. See its src/kernels/raw.
//
//     client.mjs PACKAGES CFG
//
// `PACKAGES` is the folder with `node_modules`, `CFG` the binary. `TRACE=1` shows the messages.
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import assert from "node:assert/strict";
const [packages, cfg] = process.argv.slice(2);
const require = createRequire(resolve(packages, "x.js"));
const zmq = require("zeromq");
const wire = require("@nteract/messaging/lib/wire-protocol");
const serializer = require("@jupyterlab/services/lib/kernel/serialize");
const { KernelConnection } = require("@jupyterlab/services/lib/kernel/default");
const { ServerConnection } = require("@jupyterlab/services");

// the connection speaks in messages, not in bytes
serializer.serialize = (message) => message;
serializer.deserialize = (message) => message;

const free = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});
const info = { ip: "127.0.0.1", transport: "tcp", key: randomUUID(), signature_scheme: "hmac-sha256", kernel_name: "cfg" };
for (const channel of ["shell", "control", "stdin", "iopub", "hb"]) info[`${channel}_port`] = await free();
const file = join(mkdtempSync(join(tmpdir(), "vs-")), "connection.json");
// the extension does not hide its connection files
writeFileSync(file, JSON.stringify(info), { mode: 0o644 });
const kernel = spawn(cfg, ["kernel", "run", "-f", file], { stdio: "inherit" });
const ended = new Promise((done) => kernel.on("exit", (code) => done(code)));
process.on("exit", () => kernel.kill("SIGKILL"));

class RawSocket {
  static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3;
  protocol = "";
  readyState = 1;
  constructor() {
    const routingId = randomUUID();
    const dealer = () => new zmq.Dealer({ routingId, sendHighWaterMark: 0, receiveHighWaterMark: 0, maxMessageSize: -1 });
    this.channels = { iopub: new zmq.Subscriber({ maxMessageSize: -1, receiveHighWaterMark: 0 }), shell: dealer(), control: dealer(), stdin: dealer() };
    for (const [channel, socket] of Object.entries(this.channels)) {
      socket.connect(`${info.transport}://${info.ip}:${info[`${channel}_port`]}`);
      this.read(channel, socket);
    }
    this.channels.iopub.subscribe();
    setTimeout(() => this.onopen?.({ target: this }), 0);
  }
  async read(channel, socket) {
    for await (const frames of socket) {
      const message = wire.decode(frames, info.key, info.signature_scheme);
      if (process.env.TRACE) console.log("<", channel, message.header.msg_type, JSON.stringify(message.content).slice(0, 200));
      this.onmessage?.({ data: { ...message, channel }, type: "message", target: this });
    }
  }
  send(message) {
    if (process.env.TRACE) console.log(">", message.channel, message.header.msg_type, JSON.stringify(message.content).slice(0, 200));
    const frames = wire.encode(message, info.key, info.signature_scheme);
    this.chain = (this.chain ?? Promise.resolve()).then(() => this.channels[message.channel].send(frames));
  }
  close() { for (const socket of Object.values(this.channels)) socket.close(); }
}

const settings = ServerConnection.makeSettings({ WebSocket: RawSocket, baseUrl: "http://x/", wsUrl: "ws://x/" });
const connection = new KernelConnection({ model: { name: "cfg", id: randomUUID() }, clientId: randomUUID(), username: "", handleComms: true, serverSettings: settings });
const said = await connection.info;
assert.deepEqual([said.language_info.name, said.language_info.file_extension], ["cfg", ".cfg"]);

// what runs a cell: not silent, no stop, input allowed, the cell's address in the metadata
const run = async (n, code) => {
  const outputs = [];
  const cellId = `vscode-notebook-cell:/home/me/a%20b.ipynb#W${n}sZmlsZQ%3D%3D`;
  const future = connection.requestExecute({ code, silent: false, stop_on_error: false, allow_stdin: true, store_history: true }, false, { cellId });
  future.onIOPub = (m) => outputs.push([m.header.msg_type, m.content]);
  const reply = await future.done;
  return { reply: reply.content, outputs, kinds: outputs.map(([kind]) => kind) };
};
const seen = [];
connection.iopubMessage.connect((_, message) => seen.push(message));
await run(9, ":set reactive lazy");
let ran = await run(0, "let server = { port | Number | default = 80, kind = 'Http }");
assert.equal(ran.reply.status, "ok");
ran = await run(1, "server & { port = 443 }");
const value = (ran) => ran.outputs.find(([, content]) => content.data)[1];
const result = value(ran);
assert.equal(result.data["text/plain"], "{ kind = 'Http, port = 443 }");
assert.ok(result.data["text/html"] && result.data["application/vnd.cfg.value+json"], Object.keys(result.data).join());
assert.deepEqual([ran.kinds[0], ran.kinds.at(-1)], ["status", "status"]);
// a cell is run again, known by its address: the one that used it is named
ran = await run(0, "let server = { port | Number | default = 80, kind = 'Https }");
const marked = seen.filter((message) => message.header.msg_type === "update_display_data").map((message) => message.content.data);
assert.deepEqual(marked.map((data) => data["text/plain"].split("\n")), [["{ kind = 'Http, port = 443 }", "stale: something it read changed in [4]"]]);
ran = await run(2, '1 + "a"');
assert.equal(ran.reply.status, "error");
assert.ok(ran.kinds.includes("error"));
assert.equal((await run(3, "server.port")).reply.status, "ok", "the next cell runs");
// IntelliSense
const complete = await connection.requestComplete({ code: "server.po", cursor_pos: 9 });
assert.deepEqual(complete.content.matches, ["port"]);
const inspect = await connection.requestInspect({ code: "server.port", cursor_pos: 11, detail_level: 0 });
assert.ok(inspect.content.found && inspect.content.data["text/plain"].includes("Number"));
assert.equal((await connection.requestIsComplete({ code: "{ a =" })).content.status, "incomplete");
assert.equal((await connection.requestHistory({ hist_access_type: "tail", n: 1, output: false, raw: true })).content.status, "ok");
assert.deepEqual((await connection.requestCommInfo({})).content.comms, {});
// a runaway cell; completion meanwhile; an interrupt by message, on the control socket
const loop = run(4, "let rec f = fun n => if n < 0 then n else f (n + 1) in f 0");
assert.deepEqual((await connection.requestComplete({ code: "server.ki", cursor_pos: 9 })).content.matches, ["kind"]);
const interrupt = { header: { msg_id: randomUUID(), msg_type: "interrupt_request", session: connection.clientId, username: "", version: "5.3", date: new Date().toISOString() }, parent_header: {}, metadata: {}, content: {}, buffers: [], channel: "control" };
connection._ws.send(interrupt);
ran = await loop;
assert.equal(ran.reply.ename, "value/interrupted");
// many cells at once, in order
const all = await Promise.all(Array.from({ length: 200 }, (_, n) => run(10 + n, `${n}`)));
all.forEach((one, n) => assert.equal(value(one).data["text/plain"], `${n}`));
connection._ws.send({ ...interrupt, header: { ...interrupt.header, msg_id: randomUUID(), msg_type: "shutdown_request" }, content: { restart: false } });
assert.equal(await ended, 0);
process.exit(0);
