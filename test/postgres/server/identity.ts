import { execFile, spawnSync, type SpawnOptions } from "node:child_process";
import { chown, readdir } from "node:fs/promises";
import { join } from "node:path";
import { HANG } from "../../setup/hang.ts";

const NOBODY = 65534;
const namespace = ["--user", "--map-user=1000", "--map-group=1000"];

/** The identity under which PostgreSQL starts, because it refuses to run as root. */
interface Identity {
  /** The command that runs the program, such as `unshare`, with its arguments. */
  readonly before: readonly string[];
  readonly options: Pick<SpawnOptions, "uid" | "gid">;
}

/**
 * An ordinary user keeps its identity. Root uses a user namespace, in which it still owns its files, or else the user
 * nobody.
 */
function choose(): Identity {
  if (process.getuid?.() !== 0) return { before: [], options: {} };
  // Containers often forbid user namespaces. Root then becomes another user.
  const namespaces = spawnSync("unshare", [...namespace, "true"], { stdio: "ignore" }).status === 0;
  return namespaces
    ? { before: ["unshare", ...namespace], options: {} }
    : { before: [], options: { uid: NOBODY, gid: NOBODY } };
}

let chosen: Identity | undefined;

/** The environment of PostgreSQL's programs: no `PG…` variables, and messages in English. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return { ...Object.fromEntries(own), LC_ALL: "C" };
}

/** The command that runs `program` with `args` under an identity that PostgreSQL accepts, never as root. */
export function unprivileged(
  program: string,
  args: readonly string[],
): { file: string; args: string[]; options: SpawnOptions } {
  chosen ??= choose();
  const [file = program, ...rest] = [...chosen.before, program, ...args];
  return { file, args: rest, options: { ...chosen.options, env: environment() } };
}

/**
 * Runs a program to its end as {@link unprivileged} does. Throws with its output if it fails or takes over a minute.
 */
export function runUnprivileged(program: string, args: readonly string[]): Promise<void> {
  const command = unprivileged(program, args);
  const { uid, gid, env } = command.options;
  const options = {
    timeout: HANG,
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    env,
  };
  return new Promise((resolve, reject) => {
    execFile(command.file, command.args, options, (error, output, messages) =>
      error === null
        ? resolve()
        : reject(new Error(`${program} failed:\n${output}${messages}`, { cause: error })),
    );
  });
}

/** Gives a folder with its contents to the identity under which PostgreSQL runs, if that is another user. */
export async function giveAway(folder: string): Promise<void> {
  chosen ??= choose();
  const { uid, gid } = chosen.options;
  if (uid === undefined || gid === undefined) return;
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), uid, gid);
  }
}
