// Node's URL (WHATWG). The protocol is in tools/readers.py.
const hex = (part) => (part === "" ? "-" : Buffer.from(part, "utf8").toString("hex"));
const answers = [];
for (const line of require("fs").readFileSync(0, "latin1").split("\n")) {
  if (line === "") continue;
  try {
    const url = new URL(Buffer.from(line.slice(1), "hex").toString("utf8"));
    answers.push([url.protocol.slice(0, -1), url.username, url.password, url.hostname, url.port].map(hex).join(" "));
  } catch {
    answers.push("!");
  }
}
process.stdout.write(answers.join("\n") + "\n");
