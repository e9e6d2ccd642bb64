/** A folder that simulates a machine, on which docs/operations.md is followed by a user of its own. */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ended, type Ran } from "../command.ts";
import { npmCommand, npmEnvironment } from "../parts/npm.ts";

/** A user id that nothing else uses. */
const USER = 64_123;
/** Only root can become another user. For others, this part is not tested. */
export const BECOMES_USER = process.getuid?.() === 0;
const BECOME = BECOMES_USER ? `--reuid=${USER} --regid=${USER} --clear-groups` : "";

const PATHS = ["/opt", "/usr/local/bin", "/etc", "/var/lib", "/var/backups"];

export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), "rolebook-machine-"));
  /** The folder of root's files. */
  readonly home = join(this.folder, "root");

  constructor() {
    // The user must be able to enter the folder.
    chmodSync(this.folder, 0o755);
    for (const path of [...PATHS, "/etc/systemd/system", "/stubs"])
      mkdirSync(this.folder + path, { recursive: true });
    mkdirSync(this.home, { mode: 0o700 });
    this.#stub("useradd", "");
    this.#stub("systemctl", `echo "$@" >> "${this.folder}/systemctl"`);
    const { file, before } = npmCommand(process.env);
    // Where no npm is above, the one on the path: of the tests, because the machine's own first npm is this stub.
    this.#stub("npm", `PATH="${process.env.PATH}" exec ${[file, ...before].join(" ")} "$@" --prefer-offline`);
  }

  /** Adapts a text of the page or of a unit to this folder and user. */
  here(text: string): string {
    return PATHS.reduce(
      (all, path) => all.replaceAll(new RegExp(`(?<![\\w./-])${path}/`, "g"), `${this.folder}${path}/`),
      text,
    )
      .replaceAll("--reuid=rolebook --regid=rolebook --init-groups", BECOME)
      .replaceAll("-o rolebook -g rolebook", BECOMES_USER ? `-o ${USER} -g ${USER}` : "");
  }

  /** Makes npm install version `to` by copying version `from`: the test is about the upgrade, and npm is slow. */
  copyInsteadOfInstall(from: string, to: string): void {
    const [have, want] = [from, to].map((version) => `${this.folder}/opt/rolebook/${version}`);
    this.#stub("npm", `[ "$1 $2 $3" = "ci --prefix ${want}" ] && cp -al ${have}/node_modules ${want}/`);
  }

  write(path: string, text: string, mode = 0o600): void {
    writeFileSync(this.folder + path, text, { mode });
  }

  /** Runs commands of the page, as root does on a real machine. */
  run(commands: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return ended(
      spawn("sh", ["-e", "-c", this.here(commands)], {
        cwd: this.home,
        env: { ...this.#environment(), ...more },
      }),
    );
  }

  /** The commands of a unit in order, which run with the user and settings of the unit. */
  commands(unit: string): string[] {
    const text = this.unit(unit);
    const [, settings] = /^EnvironmentFile=(.+)$/m.exec(text) ?? [];
    const take = settings === undefined ? "" : `set -a; . ${settings}; set +a; `;
    return [...text.matchAll(/^ExecStart=(.+)$/gm)].map(
      ([, command = ""]) => `${take}umask 077; exec setpriv ${BECOME} --no-new-privs ${command}`,
    );
  }

  unit(name: string): string {
    return this.here(readFileSync(join(this.folder, "etc/systemd/system", name), "utf8"));
  }

  /** Runs the commands of a oneshot unit, until one fails. */
  async oneshot(unit: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
    let ran: Ran = { status: null, stdout: "", stderr: `${unit} runs nothing` };
    for (const command of this.commands(unit)) {
      ran = await this.run(command, more);
      if (ran.status !== 0) break;
    }
    return ran;
  }

  /** The calls of systemctl since the last call of this method. */
  told(): string[] {
    const file = join(this.folder, "systemctl");
    const lines = readFileSync(file, "utf8").trim().split("\n");
    rmSync(file);
    return lines;
  }

  /** Makes a folder of the machine and gives it to the user, as `StateDirectory` does. */
  stateFolder(path: string): void {
    mkdirSync(this.folder + path, { recursive: true, mode: 0o700 });
    if (BECOMES_USER) chownSync(this.folder + path, USER, USER);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #environment(): NodeJS.ProcessEnv {
    const kept = Object.entries(npmEnvironment(process.env)).filter(
      ([name]) => !name.startsWith("ROLEBOOK_"),
    );
    const path = `${this.folder}/stubs:${this.folder}/usr/local/bin:${process.env.PATH}`;
    return { ...Object.fromEntries(kept), PATH: path, HOME: this.home };
  }

  #stub(name: string, text: string): void {
    this.write(`/stubs/${name}`, `#!/bin/sh\n${text}\n`, 0o755);
  }
}
