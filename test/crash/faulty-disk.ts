import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Ended, rolebook } from "./program.ts";
import { type Ground, smallGround } from "./states.ts";

/** A place on the disk: temporary files of the tests are in memory. */
const DISK = join(import.meta.dirname, "../parts/node_modules/.cache");
const SOURCE = new URL("faulty-disk.c", import.meta.url).pathname;

/** How a call fails: see `faulty-disk.c`. */
export type Kind = "short" | "full" | "error";

/** A call of the program on a file of its database, such as `write` on `rolebook.db-wal`. */
export type Call = `${"read" | "write" | "sync" | "truncate"} ${string}`;

/** A database on a disk whose calls can be made to fail. */
export class FaultyDisk {
  readonly ground: Ground;
  readonly #folder: string;
  readonly #library: string;

  private constructor(folder: string, library: string) {
    this.#folder = folder;
    this.#library = library;
    this.ground = smallGround(8, false, folder);
  }

  /** Returns why there is none, if this machine has no C compiler, or no way to load a library before a program. */
  static open(): FaultyDisk | string {
    if (process.platform !== "linux") return `${process.platform} has no LD_PRELOAD`;
    mkdirSync(DISK, { recursive: true });
    const folder = mkdtempSync(join(DISK, "faulty-"));
    const library = join(folder, "faulty-disk.so");
    const compiler = process.env["CC"] ?? "cc";
    const built = spawnSync(compiler, ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"]);
    if (built.error === undefined && built.status === 0) return new FaultyDisk(folder, library);
    rmSync(folder, { recursive: true });
    if (built.error === undefined) throw new Error(`${SOURCE} is not compiled: ${built.stderr.toString()}`);
    return `there is no C compiler (${compiler})`;
  }

  /** Runs a command. `at` is the number of the call that fails, from 1 on; with 0, none does. */
  async run(args: readonly string[], at: number, kind: Kind): Promise<{ ended: Ended; calls: Call[] }> {
    const log = join(this.#folder, "calls");
    rmSync(log, { force: true });
    const ended = await rolebook([...args, "--database", this.ground.url], {
      environment: {
        LD_PRELOAD: this.#library,
        FAULT_PATH: this.ground.path,
        FAULT_LOG: log,
        FAULT_AT: String(at),
        FAULT_KIND: kind,
      },
    });
    const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    const didFail = lines.some((line) => line.startsWith("fault "));
    if (didFail !== at > 0) throw new Error(`${lines.length} calls, and number ${at} did not fail`);
    const calls = lines.filter((line): line is Call => !line.startsWith("fault "));
    return { ended, calls };
  }

  close(): void {
    this.ground.close();
    rmSync(this.#folder, { recursive: true });
  }
}
