/**
 * Preloaded into the program. Counts the statements that the program sends to PostgreSQL, and kills the program (as
 * `kill -9`) right before number KILL_AT. The questions for changes are not counted: how many there are depends on the
 * time. Writes the count and the last statement to the file KILL_LOG.
 */
import { writeFileSync } from "node:fs";
import { Client } from "pg";

const at = Number(process.env.KILL_AT ?? 0);
const log = process.env.KILL_LOG ?? "";
let statements = 0;

const { query } = Client.prototype;
Reflect.set(Client.prototype, "query", function counted(this: Client, ...parameters: unknown[]) {
  const [asked] = parameters;
  const text = typeof asked === "string" ? asked : JSON.stringify(asked);
  if (!text.includes("rolebook_changes") && ++statements === at) {
    writeFileSync(log, `${statements} ${text}`);
    process.kill(process.pid, "SIGKILL");
  }
  return Reflect.apply(query, this, parameters);
});

process.on("exit", () => writeFileSync(log, `${statements}`));
