import { spawn } from "node:child_process";
import { basename } from "node:path";

/**
 * Settings of the npm above us that say how to reach a registry. Everything else that npm hands to its scripts
 * (`npm_config_prefix`, `npm_config_omit`, `npm_config_global`, `npm_config_workspace` and so on) was meant
 * for the folder that npm was started in and would change what is installed here.
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

/** The environment for an npm started by us: `environment` without the settings of the npm above us. */
export function npmEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => {
      const lower = name.toLowerCase();
      if (!lower.startsWith("npm_")) return lower !== "init_cwd";
      // Credentials and scopes are named by a registry: npm_config_//host/:_authToken, npm_config_@scope:registry.
      return KEPT.has(lower) || lower.startsWith("npm_config_//") || lower.startsWith("npm_config_@");
    }),
  );
}

/** How to start npm: the one that started us where there is one, else the one on the path. */
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

/** Runs npm with `args` in `folder`, its output shown on our standard error; gives its exit status. */
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
