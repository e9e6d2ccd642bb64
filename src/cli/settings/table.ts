/**
 * Declares all settings. Their checks, `rolebook --help` and the table in docs/operations.md (`npm run generate`)
 * follow from this.
 */
import { isIP } from "node:net";
import { DATABASE_URLS, isDatabaseUrl } from "../../store/engine/engine.ts";
import { PORTS, portOf } from "../options.ts";
import type { Setting } from "./setting.ts";

export const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type Level = (typeof LEVELS)[number];

const DATABASE_URL: Setting<string> = {
  name: "ROLEBOOK_DATABASE_URL",
  help: "the database; `--database` takes precedence",
  accepted: DATABASE_URLS,
  fallback: "sqlite:rolebook.db",
  otherwise: "`sqlite:rolebook.db` in the current folder",
  secret: true,
  read: (text) => (isDatabaseUrl(text) ? text : undefined),
};

const PUBLIC_URL: Setting<string | undefined> = {
  name: "ROLEBOOK_PUBLIC_URL",
  help: "the address that clients use, for the `urls` in answers",
  accepted: "an http or https address without user, query and fragment, and without /v1 at its end",
  fallback: undefined,
  otherwise: "the address listened on",
  read(text) {
    const url = httpUrlOf(text);
    const address = text.replace(/\/+$/, "");
    return url === undefined || /[?#@]/.test(text) || /\/v1$/i.test(address) ? undefined : address;
  },
};

const RATE_LIMIT: Setting<number> = {
  name: "ROLEBOOK_RATE_LIMIT",
  help: "requests per minute and token, on each server and on each of its `--workers`",
  accepted: "a whole number, 0 for no limit",
  fallback: 0,
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};

const LOG_LEVEL: Setting<Level> = {
  name: "ROLEBOOK_LOG_LEVEL",
  help: "how much is logged",
  accepted: LEVELS.join(", "),
  fallback: "info",
  read: (text) => LEVELS.find((level) => level === text),
};

const TRUSTED_PROXIES: Setting<readonly string[]> = {
  name: "ROLEBOOK_TRUSTED_PROXIES",
  help: "the proxies whose `X-Forwarded-For` is trusted, only for the log",
  accepted: "IP addresses and networks separated by commas, such as 127.0.0.1,10.0.0.0/8",
  fallback: [],
  otherwise: "none",
  read(text) {
    const networks = text.split(",").map((network) => network.trim());
    return networks.every(isNetwork) ? networks : undefined;
  },
};

const DOCUMENTS_FOLDER: Setting<string | undefined> = {
  name: "ROLEBOOK_DOCUMENTS_FOLDER",
  help: "where a server keeps a file without a name, with the documents that it sends; `off` for no such file",
  accepted: "a folder, or off",
  fallback: undefined,
  otherwise: "that of the SQLite file, else the one for temporary files, if it is on a disk of this machine",
  read: (text) => text,
};

const DOCUMENTS_SIZE: Setting<number> = {
  name: "ROLEBOOK_DOCUMENTS_SIZE",
  help: "the most that this file takes, in MB; a full file begins anew",
  accepted: "a whole number of at least 1",
  fallback: 4000,
  read: (text) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined),
};

const START_PORT: Setting<number> = {
  name: "ROLEBOOK_START_PORT",
  help: "the port of `npm start`",
  accepted: PORTS,
  fallback: 3000,
  read: portOf,
};

const REMOTE_URL: Setting<string | undefined> = {
  name: "ROLEBOOK_URL",
  help: "the server for `rolebook list`",
  accepted: "the address of a Rolebook server, such as http://127.0.0.1:3000",
  fallback: undefined,
  otherwise: "none",
  read: (text) => (httpUrlOf(text) === undefined ? undefined : text.replace(/\/+$/, "").replace(/\/v1$/, "")),
};

const REMOTE_TOKEN: Setting<string | undefined> = {
  name: "ROLEBOOK_TOKEN",
  help: "the token of `rolebook list`",
  accepted: "a token, as rolebook token create prints it",
  fallback: undefined,
  otherwise: "none",
  secret: true,
  read: (text) => (/^[\u0021-\u007E]+$/.test(text) ? text : undefined),
};

export const SETTINGS = {
  database: DATABASE_URL,
  publicUrl: PUBLIC_URL,
  rateLimit: RATE_LIMIT,
  logLevel: LOG_LEVEL,
  trustedProxies: TRUSTED_PROXIES,
  documentsFolder: DOCUMENTS_FOLDER,
  documentsSize: DOCUMENTS_SIZE,
  startPort: START_PORT,
  remoteUrl: REMOTE_URL,
  remoteToken: REMOTE_TOKEN,
} as const;

function httpUrlOf(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Accepts an IP address or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 1) <= (version === 4 ? 32 : 128);
}
