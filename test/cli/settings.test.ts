/** Settings as they come from a shell, a systemd unit or a cluster. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTINGS, nameWarnings, readSettings } from "../../src/cli/settings.ts";
import { signInSetup } from "../../src/cli/server/sign-in.ts";
import { UsageError } from "../../src/domain/error.ts";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();

/** With valid settings, these commands would create, request or print something. */
const SERVE = ["serve", "--port", "0"];
const IMPORT = ["import", new URL("../../examples/acme.ndjson", import.meta.url).pathname];
const LIST = ["list", "space-users", "docs"];

test.each([
  [SERVE, "ROLEBOOK_LOG_LEVEL", "verbose", /^ROLEBOOK_LOG_LEVEL is "verbose"; accepted: trace, debug, /],
  [["schema"], "ROLEBOOK_LOG_LEVEL", "", /^ROLEBOOK_LOG_LEVEL is empty; accepted: /],
  [IMPORT, "ROLEBOOK_PUBLIC_URL", "https://docs.example/v1", /^ROLEBOOK_PUBLIC_URL is .* without \/v1/],
  [SERVE, "ROLEBOOK_PUBLIC_URL", "", /^ROLEBOOK_PUBLIC_URL is empty; accepted: /],
  [SERVE, "ROLEBOOK_RATE_LIMIT", "many", /^ROLEBOOK_RATE_LIMIT is "many"; accepted: /],
  [IMPORT, "ROLEBOOK_DATABASE_URL", "", /^ROLEBOOK_DATABASE_URL is empty; accepted: /],
  [IMPORT, "ROLEBOOK_DATABASE_URL", "postgres://u:hush@a:0/b", /^ROLEBOOK_DATABASE_URL: .* has the port 0; /],
  [
    LIST,
    "ROLEBOOK_TRUSTED_PROXIES",
    "10.0.0.0/8,proxy",
    /^ROLEBOOK_TRUSTED_PROXIES is "10.*proxy"; accepted: /,
  ],
  [
    IMPORT,
    "ROLEBOOK_DATABSE_URL",
    "sqlite:other.db",
    /^ROLEBOOK_DATABSE_URL is .* did you mean ROLEBOOK_DATABASE_URL\?/,
  ],
] as const)("%j with %s=%j exits with 2 and one line, and does nothing", async (args, name, value, said) => {
  const database = join(folder, "none.db");
  const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${database}`, [name]: value };
  const { status, stdout, stderr } = await rolebook(args, environment);
  expect(stderr).toMatch(said);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toContain("hush");
  expect([status, stdout, existsSync(database)]).toEqual([2, "", false]);
});

test.each([
  ["publicUrl", "ftp://docs.example"],
  ["publicUrl", "docs.example"],
  ["publicUrl", "https://docs.example/V1//"],
  ["publicUrl", "https://docs.example?a"],
  ["publicUrl", "https://docs.example#a"],
  ["publicUrl", "https://user:hush@docs.example"],
  ["rateLimit", "1e3"],
  ["rateLimit", "-1"],
  ["memory", "1000000000"],
  ["memory", "1.5GB"],
  ["memory", "0MB"],
  ["memory", "512 MB"],
  ["memory", "2gb"],
  ["database", "mysql://user:hush@host/x"],
  ["database", "sqlite:"],
  ["trustedProxies", "10.0.0.0/0"],
  ["trustedProxies", "10.0.0.0/33"],
  ["trustedProxies", "10.0.0.1,"],
  ["trustedProxies", "::1/129"],
  ["startPort", "65536"],
  ["remoteUrl", "localhost:3000"],
  ["remoteToken", "two words"],
  ["oidcIssuer", "http://login.example"],
  ["oidcIssuer", "https://login.example?x"],
  ["oidcIssuer", "https://me@login.example"],
  ["oidcIssuer", "https://login.example/.well-known/openid-configuration"],
  ["oidcIssuer", "https://login.microsoftonline.com/common/v2.0"],
  ["oidcIssuer", "https://login.microsoftonline.com/Organizations/v2.0"],
  ["oidcIssuer", "https://LOGIN.microsoftonline.com/consumers"],
  ["oidcIssuer", "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"],
  ["oidcIssuer", "https://sts.windows.net/common/"],
  ["oidcClientSecret", "two words"],
  ["sessionIdle", "0h"],
  ["sessionLongest", "24"],
] as const)("%s does not accept %j", (key, value) => {
  const { name, accepted } = SETTINGS[key];
  let said = "";
  try {
    readSettings({ [name]: value });
  } catch (error) {
    said = String(error);
  }
  expect(said).toContain(`: ${name} is `);
  expect(said).toContain(`; accepted: ${accepted}.`);
  expect(said).not.toContain("hush");
});

test("accepted values are read, and missing ones have their defaults", () => {
  const set = {
    ROLEBOOK_PUBLIC_URL: "https://docs.example/v1/rolebook/",
    ROLEBOOK_RATE_LIMIT: "600",
    ROLEBOOK_MEMORY: "512MB",
    ROLEBOOK_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,fd00::/8",
    ROLEBOOK_URL: "http://127.0.0.1:3000/v1/",
  };
  expect(readSettings(set, "sqlite:other.db")).toEqual({
    database: "sqlite:other.db",
    publicUrl: "https://docs.example/v1/rolebook",
    rateLimit: 600,
    memory: 512_000_000,
    logAccess: false,
    logLevel: "info",
    trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"],
    startPort: 3000,
    remoteUrl: "http://127.0.0.1:3000",
    remoteToken: undefined,
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcClientSecretFile: undefined,
    oidcOrganization: undefined,
    oidcClaim: "email",
    oidcHostedDomain: undefined,
    sessionIdle: 8 * 3_600_000,
    sessionLongest: 24 * 3_600_000,
  });
  expect(readSettings({})).toMatchObject({
    database: "sqlite:rolebook.db",
    rateLimit: 0,
    trustedProxies: [],
  });
  expect(readSettings({ ROLEBOOK_MEMORY: "4GB" })).toMatchObject({ memory: 4_000_000_000 });
});

test.each([
  ["ROLEBOOK_DATABSE_URL", "ROLEBOOK_DATABASE_URL"],
  ["ROLBOOK_DATABASE_URL", "ROLEBOOK_DATABASE_URL"],
  ["rolebook_rate_limit", "ROLEBOOK_RATE_LIMIT"],
  ["ROLEBOOK_LOG_LEVLE", "ROLEBOOK_LOG_LEVEL"],
  ["ROLEBOOK_TOKENS", "ROLEBOOK_TOKEN"],
])("%s suggests %s", (name, meant) => {
  expect(() => nameWarnings({ [name]: "" })).toThrow(`${name} is not a setting; did you mean ${meant}?`);
});

test("other unknown names cause a warning, except those that Kubernetes sets", async () => {
  const cluster = {
    ROLEBOOK_SERVICE_HOST: "10.0.0.1",
    ROLEBOOK_SERVICE_PORT_HTTP: "80",
    ROLEBOOK_PORT: "tcp://",
  };
  expect(nameWarnings({ ...cluster, ROLEBOOK_PORT_80_TCP_ADDR: "10.0.0.1", PATH: "/bin" })).toEqual([]);
  const { status, stdout, stderr } = await rolebook(["schema"], { ...cluster, ROLEBOOK_COLOUR: "1" });
  expect([status, stderr]).toEqual([
    0,
    "ROLEBOOK_COLOUR is not a setting and has no effect; rolebook help settings lists them.\n",
  ]);
  expect(stdout).toContain("json-schema.org");
});

test("help settings lists every setting with its accepted values and default", async () => {
  const { stdout } = await rolebook(["help", "settings"]);
  const words = stdout.replaceAll(/\s+/g, " ");
  for (const { name, accepted } of Object.values(SETTINGS)) {
    expect(words).toContain(` ${name} `);
    expect(words).toContain(`(accepted: ${accepted}; default: `);
  }
});

const SIGN_IN = {
  ROLEBOOK_OIDC_ISSUER: "https://login.example",
  ROLEBOOK_OIDC_CLIENT_ID: "rolebook",
  ROLEBOOK_OIDC_CLIENT_SECRET: "hush",
  ROLEBOOK_OIDC_ORGANIZATION: "acme",
};

test.each([
  [{ ROLEBOOK_OIDC_CLIENT_ID: undefined }, "ROLEBOOK_OIDC_ISSUER is set without ROLEBOOK_OIDC_CLIENT_ID"],
  [
    { ROLEBOOK_OIDC_ORGANIZATION: undefined },
    "ROLEBOOK_OIDC_ISSUER is set without ROLEBOOK_OIDC_ORGANIZATION",
  ],
  [{ ROLEBOOK_OIDC_ISSUER: undefined }, "ROLEBOOK_OIDC_CLIENT_ID is set without ROLEBOOK_OIDC_ISSUER"],
  [
    { ROLEBOOK_OIDC_CLIENT_SECRET: undefined },
    "ROLEBOOK_OIDC_ISSUER is set without ROLEBOOK_OIDC_CLIENT_SECRET or ROLEBOOK_OIDC_CLIENT_SECRET_FILE",
  ],
  [{ ROLEBOOK_OIDC_CLIENT_SECRET_FILE: "/x" }, "are both set; accepted: one of them."],
  [
    { ROLEBOOK_OIDC_CLIENT_SECRET: undefined, ROLEBOOK_OIDC_CLIENT_SECRET_FILE: "/nowhere" },
    'ROLEBOOK_OIDC_CLIENT_SECRET_FILE is "/nowhere", which cannot be read: ENOENT.',
  ],
  [
    { ROLEBOOK_OIDC_CLIENT_SECRET: undefined, ROLEBOOK_OIDC_CLIENT_SECRET_FILE: "/dev/null" },
    'ROLEBOOK_OIDC_CLIENT_SECRET_FILE is "/dev/null", which is empty.',
  ],
  [
    { ROLEBOOK_OIDC_ISSUER: "https://accounts.google.com" },
    "ROLEBOOK_OIDC_ISSUER=https://accounts.google.com is set without ROLEBOOK_OIDC_HOSTED_DOMAIN",
  ],
  [{ ROLEBOOK_PUBLIC_URL: "http://docs.example" }, 'ROLEBOOK_PUBLIC_URL is "http://docs.example"; accepted'],
])("signing in is not set up with %j", (changed, message) => {
  const given: NodeJS.ProcessEnv = { ...SIGN_IN, ...changed };
  const settings = readSettings(given);
  let said = "";
  try {
    signInSetup(settings, settings.publicUrl ?? "http://127.0.0.1:3000");
  } catch (error) {
    said = error instanceof UsageError ? error.message : "";
  }
  expect(said).toContain(message);
  expect(said).not.toContain("hush");
  expect(said).not.toContain("\n");
});

test("signing in is set up for https, and for http on this machine", () => {
  for (const url of [
    "https://docs.example/x",
    "http://127.0.0.1:3000",
    "http://localhost",
    "http://[::1]:1",
  ]) {
    expect(signInSetup(readSettings(SIGN_IN), url)).toMatchObject({ clientSecret: "hush", claim: "email" });
  }
  for (const url of ["http://127.evil.example", "http://127.0.0.1.evil.example", "http://192.0.2.1"]) {
    expect(() => signInSetup(readSettings(SIGN_IN), url)).toThrow("ROLEBOOK_PUBLIC_URL");
  }
  expect(signInSetup(readSettings({}), "http://docs.example")).toBe(undefined);
});
