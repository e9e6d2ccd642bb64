/** Folders that a command cannot write. */
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IS_ROOT = process.getuid?.() === 0;

interface Way {
  readonly name: string;
  /** Makes a folder read-only. Returns what runs a command so that the folder is read-only for it. */
  readonly seal: (folder: string) => string[];
}

const MOUNT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
const mounted = (place: string) => [
  "unshare",
  ...(IS_ROOT ? [] : ["--user", "--map-root-user"]),
  "--mount",
  "sh",
  "-c",
  MOUNT,
  place,
];

/** Some machines do not let their users mount anything. */
const [unshare = "", ...mounts] = [...mounted(tmpdir()), "true"];
export const MOUNTS = spawnSync(unshare, mounts).status === 0;

export const WAYS: readonly Way[] = [
  ...(MOUNTS ? [{ name: "on a read-only file system", seal: mounted }] : []),
  {
    name: "with read-only modes",
    seal: (place) => {
      for (const file of readdirSync(place)) chmodSync(join(place, file), 0o444);
      chmodSync(place, 0o555);
      // Root may write anything unless it drops its capabilities.
      return IS_ROOT ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
    },
  },
];
