/**
 * Preloaded into a server with `--import`. The first SIGUSR2 begins a JavaScript profile; the second writes it to the
 * file that `BENCH_PROFILE` names.
 */
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { isMainThread } from "node:worker_threads";

const file = process.env["BENCH_PROFILE"];
if (isMainThread && file !== undefined) {
  const session = new Session();
  session.connect();
  let running = false;
  process.on("SIGUSR2", () => {
    running = !running;
    void (running ? begin(session) : end(session, file));
  });
}

async function begin(session: Session): Promise<void> {
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
}

async function end(session: Session, to: string): Promise<void> {
  const { profile } = await session.post("Profiler.stop");
  // Readers wait until the file exists, so it is renamed only when complete.
  writeFileSync(`${to}.part`, JSON.stringify(profile));
  renameSync(`${to}.part`, to);
}
