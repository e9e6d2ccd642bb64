/** The settings: environment variables, declared once. Their checks and `rolebook help settings` follow from them. */
import { isIP } from "node:net";
import manifest from "#root/package.json" with { type: "json" };
import type { Help } from "commander";
import { UsageError } from "../domain/error.ts";
import { distance } from "../domain/text.ts";
import { DATABASE_URLS, isDatabaseUrl } from "../store/engine/engine.ts";
import { usualMemory } from "../store/model-memory.ts";
import { isSafe } from "../http/sign-in/setup.ts";
import { PORTS, UNITS, parseDuration, portOf } from "./options.ts";

type ValueOf<Declared extends Setting<unknown>> =
  | Exclude<ReturnType<Declared["read"]>, undefined>
  | Extract<Declared["fallback"], undefined>;

/** The values of all settings. */
export type Settings = { readonly [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]> };

/**
 * Reads all settings from the environment; the option `--database` wins. Throws a UsageError for the first invalid one,
 * even if the command does not need it.
 */
export function readSettings(environment: NodeJS.ProcessEnv, database?: string): Settings {
  const of = <Value>(setting: Setting<Value>) => valueOf(setting, environment[setting.name]);
  const settings = {
    database: of(SETTINGS.database),
    publicUrl: of(SETTINGS.publicUrl),
    rateLimit: of(SETTINGS.rateLimit),
    memory: of(SETTINGS.memory),
    logLevel: of(SETTINGS.logLevel),
    logAccess: of(SETTINGS.logAccess),
    trustedProxies: of(SETTINGS.trustedProxies),
    startPort: of(SETTINGS.startPort),
    remoteUrl: of(SETTINGS.remoteUrl),
    remoteToken: of(SETTINGS.remoteToken),
    oidcIssuer: of(SETTINGS.oidcIssuer),
    oidcClientId: of(SETTINGS.oidcClientId),
    oidcClientSecret: of(SETTINGS.oidcClientSecret),
    oidcClientSecretFile: of(SETTINGS.oidcClientSecretFile),
    oidcOrganization: of(SETTINGS.oidcOrganization),
    oidcClaim: of(SETTINGS.oidcClaim),
    oidcHostedDomain: of(SETTINGS.oidcHostedDomain),
    sessionIdle: of(SETTINGS.sessionIdle),
    sessionLongest: of(SETTINGS.sessionLongest),
  };
  if (database === undefined) return settings;
  return { ...settings, database: valueOf(SETTINGS.database, database, "--database") };
}

export interface Setting<Value> {
  readonly name: `ROLEBOOK_${string}`;
  /** What it is for, as a phrase. */
  readonly help: string;
  /** Which values are accepted, as a phrase. */
  readonly accepted: string;
  /** The value while the variable is not set. */
  readonly fallback: Value;
  /** Says what the default is, if the value does not. */
  readonly otherwise?: string;
  /** Messages must not show the value, because it may contain a password. */
  readonly secret?: boolean;
  /** `undefined` for a text that is not accepted. */
  read(text: string): Value | undefined;
}

/** Parses the value of a setting. Throws a UsageError of one line that names `name`, the option or variable. */
function valueOf<Value>(
  setting: Setting<Value>,
  text: string | undefined,
  name: string = setting.name,
): Value {
  if (text === undefined) return setting.fallback;
  const value = text === "" ? undefined : setting.read(text);
  if (value !== undefined) return value;
  const hidden = setting.secret === true || text.includes("@");
  const found = hidden ? "is not understood" : `is ${JSON.stringify(text)}`;
  throw new UsageError(`${name} ${text === "" ? "is empty" : found}; accepted: ${setting.accepted}.`);
}

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];
const USUAL_LEVEL: LogLevel = "info";

/** Names in Entra ID that stand for the accounts of any company, and the tenant of personal accounts. */
const ANYBODY = /^\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(?:\/|$)/i;
const ENTRA =
  /^(?:login\.(?:microsoftonline\.(?:com|us)|microsoft\.com|windows\.net|partner\.microsoftonline\.cn|chinacloudapi\.cn)|sts\.windows\.net)$/;

const DURATIONS = "minutes, hours or days, such as 30m, 8h or 1d";
const readDuration = (text: string) => parseDuration(text, ["d", "h", "m"]) || undefined;

function textSetting<Name extends Setting<string | undefined>["name"]>(
  name: Name,
  help: string,
  accepted: string,
): Setting<string | undefined> {
  const read = (text: string) => (/^[\u0021-\u007E]+$/.test(text) ? text : undefined);
  return { name, help, accepted, fallback: undefined, otherwise: "none", read };
}

export const SETTINGS = {
  database: {
    name: "ROLEBOOK_DATABASE_URL",
    help: "the database; --database takes precedence",
    accepted: DATABASE_URLS,
    fallback: "sqlite:rolebook.db",
    otherwise: "sqlite:rolebook.db in the current folder",
    secret: true,
    read: (text) => (isDatabaseUrl(text) ? text : undefined),
  },
  publicUrl: {
    name: "ROLEBOOK_PUBLIC_URL",
    help: "the address that clients use, for the urls in answers",
    accepted: "an http or https address without user, query and fragment, and without /v1 at its end",
    fallback: undefined,
    otherwise: "the address listened on",
    read(text) {
      const url = httpUrlOf(text);
      const address = text.replace(/\/+$/, "");
      return url === undefined || /[?#@]/.test(text) || /\/v1$/i.test(address) ? undefined : address;
    },
  },
  rateLimit: {
    name: "ROLEBOOK_RATE_LIMIT",
    help: "requests per minute and token, on each server and on each of its --workers",
    accepted: "a whole number, 0 for no limit",
    fallback: 0,
    read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  },
  memory: {
    name: "ROLEBOOK_MEMORY",
    help: "how much of the organizations a server keeps in memory, all its --workers together",
    accepted: "a whole number with MB or GB, such as 512MB or 4GB",
    fallback: usualMemory(),
    otherwise: "half of what the machine or its container has, at most 2GB",
    read: memoryOf,
  },
  logLevel: {
    name: "ROLEBOOK_LOG_LEVEL",
    help: "how much is logged",
    accepted: LEVELS.join(", "),
    fallback: USUAL_LEVEL,
    read: (text) => LEVELS.find((level) => level === text),
  },
  logAccess: {
    name: "ROLEBOOK_LOG_ACCESS",
    help: "whether the log says who looked at which content and person",
    accepted: "on, off",
    fallback: false,
    otherwise: "off",
    read: (text) => (text === "on" ? true : text === "off" ? false : undefined),
  },
  trustedProxies: {
    name: "ROLEBOOK_TRUSTED_PROXIES",
    help: "the proxies whose X-Forwarded-For is trusted, for the log and for what one address may take, such as attempts to sign in",
    accepted: "IP addresses and networks separated by commas, such as 127.0.0.1,10.0.0.0/8",
    fallback: [],
    otherwise: "none",
    read(text) {
      const networks = text.split(",").map((network) => network.trim());
      return networks.every(isNetwork) ? networks : undefined;
    },
  },
  startPort: {
    name: "ROLEBOOK_START_PORT",
    help: "the port of npm start",
    accepted: PORTS,
    fallback: 3000,
    read: portOf,
  },
  remoteUrl: {
    name: "ROLEBOOK_URL",
    help: "the server for rolebook list",
    accepted: "the address of a Rolebook server, such as http://127.0.0.1:3000",
    fallback: undefined,
    otherwise: "none",
    read: (text) =>
      httpUrlOf(text) === undefined ? undefined : text.replace(/\/+$/, "").replace(/\/v1$/, ""),
  },
  remoteToken: {
    name: "ROLEBOOK_TOKEN",
    help: "the token of rolebook list",
    accepted: "a token, as rolebook token create prints it",
    fallback: undefined,
    otherwise: "none",
    secret: true,
    read: (text) => (/^[\u0021-\u007E]+$/.test(text) ? text : undefined),
  },
  oidcIssuer: {
    name: "ROLEBOOK_OIDC_ISSUER",
    help: "the OpenID provider with which people sign in to the explorer, as its discovery document spells it; see docs/sign-in.md",
    accepted:
      "an https address without user, query and fragment, such as https://login.example.com; http only on this machine; of Entra ID one tenant, not common, organizations or consumers",
    fallback: undefined,
    otherwise: "nobody can sign in",
    read(text) {
      const url = httpUrlOf(text);
      if (url === undefined || !isSafe(url) || /[?#@\s]|\.well-known/.test(text)) return undefined;
      return ENTRA.test(url.hostname) && ANYBODY.test(url.pathname) ? undefined : text;
    },
  },
  oidcClientId: textSetting(
    "ROLEBOOK_OIDC_CLIENT_ID",
    "the client ID that the provider gave Rolebook",
    "a text without spaces",
  ),
  oidcClientSecret: {
    ...textSetting(
      "ROLEBOOK_OIDC_CLIENT_SECRET",
      "the client secret that the provider gave Rolebook",
      "a text without spaces",
    ),
    secret: true,
  },
  oidcClientSecretFile: {
    name: "ROLEBOOK_OIDC_CLIENT_SECRET_FILE",
    help: "the file with the client secret, instead of the secret itself",
    accepted: "the path of a file",
    fallback: undefined,
    otherwise: "none",
    read: (text) => text,
  },
  oidcOrganization: textSetting(
    "ROLEBOOK_OIDC_ORGANIZATION",
    "the organization to which people sign in",
    "the id of an organization",
  ),
  oidcClaim: {
    name: "ROLEBOOK_OIDC_CLAIM",
    help: "what the provider says about a person that names the member at the first sign-in",
    accepted: "email, or a claim that holds the member's id, such as oid",
    fallback: "email",
    read: (text) => (/^[\u0021-\u007E]+$/.test(text) ? text : undefined),
  },
  oidcHostedDomain: textSetting(
    "ROLEBOOK_OIDC_HOSTED_DOMAIN",
    "the hd of everybody who may sign in; Google needs it",
    "a domain, such as example.com",
  ),
  sessionIdle: {
    name: "ROLEBOOK_SESSION_IDLE",
    help: "how long a session lasts after its last use",
    accepted: DURATIONS,
    fallback: 8 * UNITS.h,
    otherwise: "8h",
    read: readDuration,
  },
  sessionLongest: {
    name: "ROLEBOOK_SESSION_LONGEST",
    help: "how long a session lasts at most",
    accepted: DURATIONS,
    fallback: 24 * UNITS.h,
    otherwise: "24h",
    read: readDuration,
  },
} satisfies Readonly<Record<string, Setting<unknown>>>;

const BYTES = { MB: 1e6, GB: 1e9 } as const;

function memoryOf(text: string): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,6})(MB|GB)$/.exec(text) ?? [];
  return unit === "MB" || unit === "GB" ? Number(number) * BYTES[unit] : undefined;
}

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

/** The settings as `rolebook help settings` lists them. */
export function settingsHelp(help: Help): string {
  const all: Setting<unknown>[] = Object.values(SETTINGS);
  const width = Math.max(...all.map(({ name }) => name.length));
  const items = all.map((setting) => {
    const text = `${setting.help} (accepted: ${setting.accepted}; default: ${defaultOf(setting)})`;
    return help.formatItem(setting.name, width, text, help);
  });
  return `Settings, from the environment:\n${items.join("\n")}`;
}

function defaultOf({ otherwise, fallback }: Setting<unknown>): string {
  return otherwise ?? String(fallback);
}

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
/** Kubernetes sets these for a service named rolebook. */
const FOREIGN = /^ROLEBOOK_(?:SERVICE_|PORT)/;
/** The most letters in which a misspelt name differs from a setting's. */
const SLIP = 2;

/**
 * A warning for each variable that begins like a setting. Throws a UsageError for one whose name is almost a setting's.
 */
export function nameWarnings(environment: NodeJS.ProcessEnv): string[] {
  const others = Object.keys(environment).filter((name) => !NAMES.includes(name) && !FOREIGN.test(name));
  for (const name of others) {
    const meant = NAMES.find((known) => isSlip(name.toUpperCase(), known));
    if (meant !== undefined) throw new UsageError(`${name} is not a setting; did you mean ${meant}?`);
  }
  return others
    .filter((name) => name.startsWith("ROLEBOOK_"))
    .map((name) => `${name} is not a setting and has no effect; rolebook help settings lists them.`);
}

function isSlip(name: string, known: string): boolean {
  return Math.abs(name.length - known.length) <= SLIP && distance(name, known) <= SLIP;
}

export function versionOf(): string {
  return manifest.version;
}
