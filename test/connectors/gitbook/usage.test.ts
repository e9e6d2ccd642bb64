/** Arguments and environment variables. Errors name what is wrong, and never contain the token. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PullOptions, pullGitbookCommand } from "../../../src/cli/commands/pull.ts";
import { OFFICIAL_API, readApiUrl, readToken } from "../../../src/connectors/gitbook/client.ts";
import { CommandError, UsageError } from "../../../src/domain/error.ts";
import { temporaryFolder } from "../../folder.ts";

const folder = temporaryFolder();

test.each([
  [undefined, OFFICIAL_API],
  ["https://api.gitbook.com/v1/", OFFICIAL_API],
  ["https://proxy.example/gitbook/", "https://proxy.example/gitbook"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://127.8.9.1/", "http://127.8.9.1"],
  ["http://[::1]:8080", "http://[::1]:8080"],
  ["http://LOCALHOST", "http://localhost"],
])("--api %s is %s", (value, url) => {
  expect(readApiUrl(value)).toBe(url);
});

test.each([
  "http://api.gitbook.com",
  "http://127.0.0.1.example",
  "http://localhost.example",
  "ftp://127.0.0.1",
  "api.gitbook.com",
  "",
  "https://api.gitbook.com?x=1",
  "https://api.gitbook.com#x",
])("--api %j is refused, and shown", (value) => {
  expect(() => readApiUrl(value)).toThrow(UsageError);
  expect(() => readApiUrl(value)).toThrow(`--api is ${JSON.stringify(value)}; accepted: an https address`);
});

test("--api with a user is refused, and not shown", () => {
  expect(() => readApiUrl("https://user:word@api.gitbook.com")).toThrow(
    /^--api is not understood; accepted: /,
  );
});

test("a token is one word, from a file or else from the environment", () => {
  expect(readToken(undefined, { GITBOOK_TOKEN: " gb_api_x\n" })).toBe("gb_api_x");
  for (const wrong of ["", "two words", "gb_\u00E9", "a\nb"]) {
    expect(() => readToken(undefined, { GITBOOK_TOKEN: wrong })).toThrow(/^GITBOOK_TOKEN is not/);
    if (wrong !== "") expect(() => readToken(undefined, { GITBOOK_TOKEN: wrong })).not.toThrow(wrong);
  }
  const file = join(folder, "token");
  writeFileSync(file, "gb_api_y\r\n");
  expect(readToken(file, { GITBOOK_TOKEN: "gb_api_x" })).toBe("gb_api_y");
  writeFileSync(file, "\n");
  expect(() => readToken(file, { GITBOOK_TOKEN: "gb_api_x" })).toThrow(
    `The token file ${file} is not set or empty`,
  );
  rmSync(file);
  expect(() => readToken(file, {})).toThrow(CommandError);
});

test.each<[Partial<PullOptions>, RegExp]>([
  [{ accept: ["everything"] }, /^--accept has "everything"; accepted: site-permissions, /],
  [{ accept: ["strangers,role:"] }, /^--accept has "role:"; accepted: /],
  [{ accept: ["site:x"] }, /^--accept has "site:x"; accepted: /],
  [{ accept: [""] }, /^--accept has ""; accepted: /],
  [{ verify: "some" }, /^--verify is "some"; accepted: how many, .* or all\.$/],
  [{ rate: "0" }, /^--rate is "0"; accepted: requests a minute/],
  [{ concurrency: "-1" }, /^--concurrency is "-1"; accepted: /],
  [{ maxWait: "soon" }, /^--max-wait is "soon"; accepted: .* such as 30s/],
  [{ dryRun: true }, /^--dry-run is given without --import; accepted: both\.$/],
  [{ database: "sqlite:x" }, /^--database is given without --import/],
  [{ import: true, format: "xml", details: true }, /^--format is "xml"/],
  [{}, /^GITBOOK_TOKEN is not set or empty/],
])("%j is refused", async (wrong, message) => {
  // Nothing listens at this address, and no request is sent.
  const error: unknown = await pullGitbookCommand({
    organization: "acme",
    api: "http://127.0.0.1:9",
    ...wrong,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error).replace("UsageError: ", "")).toMatch(message);
});
