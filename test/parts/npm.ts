import { spawn } from "node:child_process";
import { basename } from "node:path";

/**
 * The settings of the calling npm that a child npm keeps: those about registries. Others (`npm_config_prefix`,
 * `npm_config_omit`, `npm_config_global`, `npm_config_workspace` …) are for the caller's folder, and would change what
 * the child installs.
 */
const KEPT = new Set(
  [
    "cache",
    "userconfig",
    "globalconfig",
    "registry",
    "proxy",
    "https_proxy",
    "noproxy",
    "ca",
    "cafile",
    "strict_ssl",
    "offline",
    "prefer_offline",
    "fetch_retries",
    "fetch_timeout",
    "maxsockets",
    "loglevel",
  ].map((name) => `npm_config_${name}`),
);

/** The environment of a child npm: `environment` without most settings of the calling npm. */
export function npmEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => {
      const lower = name.toLowerCase();
      if (!lower.startsWith("npm_")) return lower !== "init_cwd";
      // The names of these settings have a registry or a scope: npm_config_//host/:_authToken,
      // npm_config_@scope:registry.
      return KEPT.has(lower) || lower.startsWith("npm_config_//") || lower.startsWith("npm_config_@");
    }),
  );
}

/** The command that runs npm: the calling npm if there is one, else the npm on the path. */
export function npmCommand(environment: NodeJS.ProcessEnv): {
  file: string;
  before: string[];
  shell: boolean;
} {
  const above = environment["npm_execpath"];
  if (above !== undefined && basename(above) === "npm-cli.js") {
    return { file: process.execPath, before: [above], shell: false };
  }
  return { file: "npm", before: [], shell: process.platform === "win32" };
}

/** Runs npm with `args` in `folder`, with its output on standard error. Returns its exit status. */
export function npm(folder: string, args: readonly string[]): Promise<number> {
  const { file, before, shell } = npmCommand(process.env);
  const child = spawn(file, [...before, ...args], {
    cwd: folder,
    env: npmEnvironment(process.env),
    stdio: ["ignore", 2, 2],
    shell,
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status) => resolve(status ?? 1));
  });
}
