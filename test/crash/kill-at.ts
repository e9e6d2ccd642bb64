/**
 * Preloaded into the program. Counts the program's calls of SQLite, and kills the program (as `kill -9`) right before
 * call number KILL_AT. With KILL_TEXT, only calls with this text in their statement count. Writes the count and the
 * last statement to the file KILL_LOG.
 */
import { writeFileSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";

const at = Number(process.env.KILL_AT ?? 0);
const text = process.env.KILL_TEXT ?? "";
const log = process.env.KILL_LOG ?? "";
let calls = 0;

function count(sql: string): void {
  if (!sql.includes(text)) return;
  calls++;
  if (calls !== at) return;
  writeFileSync(log, `${calls} ${sql}`);
  process.kill(process.pid, "SIGKILL");
}

const { exec } = DatabaseSync.prototype;
Reflect.set(DatabaseSync.prototype, "exec", function counted(this: DatabaseSync, sql: string) {
  count(sql);
  return exec.call(this, sql);
});
for (const method of ["run", "all"] as const) {
  const original = StatementSync.prototype[method];
  Reflect.set(
    StatementSync.prototype,
    method,
    function counted(this: StatementSync, ...parameters: unknown[]) {
      count(this.sourceSQL);
      return Reflect.apply(original, this, parameters);
    },
  );
}

process.on("exit", () => writeFileSync(log, `${calls}`));
