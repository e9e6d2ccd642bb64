import { expect, test } from "vitest";
import { ADDED, BASE, useRefusing, Refusing, withLines } from "./refusing.ts";
import { toLines } from "../../oracle/records.ts";
import { compareAll } from "../../store/listings/listings.ts";

/** Malicious lines of JSON, or nearly JSON. */

const refusing = useRefusing();

/**
 * The first line of the message for some added lines, without file and line number. The message must name the first
 * added line.
 */
async function said(...lines: string[]): Promise<string> {
  const [first = ""] = (await refusing.current.refusal(withLines(...lines))).split("\n");
  const place = `wrong.ndjson:${ADDED}: `;
  if (!first.startsWith(place)) throw new Error(first);
  return first.slice(place.length);
}

const site = (more: string) => `{"object":"site","id":"x","organization":"o","title":"X"${more}}`;

/** A user with a name (or with URLs), written as JSON text. */
const raw = (name: string) => `{"object":"user","id":"x","displayName":"${name}"}`;
const located = (urls: string) => `{"object":"user","id":"x","displayName":"\\":","urls":{${urls}}}`;
/** A space with a number of comments, written as JSON text. */
const space = (comments: string) =>
  `{"object":"space","id":"x","organization":"o","title":"","createdAt":"2025-01-01T00:00:00Z","updatedAt":"2025-01-01T00:00:00Z","comments":${comments}}`;

test("nesting of any depth is refused, as the whole line and in every field", async () => {
  const depth = 100_000;
  const arrays = "[".repeat(depth) + "]".repeat(depth);
  const objects = '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
  for (const deep of [arrays, objects]) {
    expect(await said(deep)).toMatch(/^(the line|object) is .*; accepted: /);
    expect(await said(site(`,"more":${deep}`))).toMatch(/^site\.more is .{1,101}; accepted fields of site/);
    expect(await said(`{"object":${deep}}`)).toMatch(/^object is .{1,101}; accepted: organization/);
    expect(await said(`{"object":"user","id":"x","displayName":"","urls":{"location":${deep}}}`)).toMatch(
      /^user\.urls\.location is .{1,101}; accepted: an absolute http/,
    );
    expect(await said(`{"object":"user","id":${deep},"displayName":""}`)).toMatch(
      /^user\.id is .{1,101}; accepted/,
    );
  }
});

test("a repeated key, however it is escaped and wherever it is", async () => {
  expect(await said(site(',"title":"Y"'))).toContain('the field "title" twice');
  expect(await said(site(',"\\u0074itle":"Y"'))).toContain('the field "title" twice');
  expect(await said(site(',"title" \t: "Y"'))).toContain('the field "title" twice');
  expect(await said(site(',"object":"site"'))).toContain('the field "object" twice');
  const url = '"https://x.example/"';
  expect(await said(located(`"location":${url},"location":${url}`))).toContain('the field "location" twice');
});

test("a value that looks like a key is not one", async () => {
  for (const name of ['","id":"', '"id":"x","id":', '":":":', '\\":', "{}{}", '\\\\":']) {
    const world = await Refusing.accepting(withLines(raw(JSON.stringify(name).slice(1, -1))));
    await world.close();
  }
});

test("names of JavaScript's own properties are ordinary names", async () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    expect(await said(site(`,"${name}":{"title":"Y"}`))).toMatch(
      new RegExp(`^site\\.${name} is .*accepted fields of site`),
    );
    expect(await said(`{"object":"${name}","id":"x"}`)).toBe(
      `object is "${name}"; accepted: organization, user, member, team, teamMember, collection, space, site, siteSpace, permission, end`,
    );
    expect(await said(`{"object":"user","id":"x","displayName":"","urls":{"${name}":1}}`)).toContain(
      `user.urls.${name} is 1`,
    );
    expect(await said(`{"${name}":{"object":"site"},"id":"x"}`)).toContain("object is undefined");
    expect(await said(`{"object":"site","id":"x","organization":"${name}","title":""}`)).toContain(
      `site.organization is "${name}"`,
    );
  }
  const records = toLines(BASE)
    .replaceAll('"ana"', '"__proto__"')
    .replaceAll('"s"', '"constructor"')
    .replaceAll('"t"', '"__proto__"');
  const world = await Refusing.accepting(records);
  try {
    await compareAll(
      world,
      records
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
      [1, 1000],
    );
  } finally {
    await world.close();
  }
});

test("names and values are shown without terminal control characters", async () => {
  const nasty = "\\u001b[2J\\r\\n\\u0007\\u202e\\u2028\\u0000";
  for (const line of [
    site(`,"${nasty}":1`),
    site(`,"x":"${nasty}"`),
    `{"object":"${nasty}"}`,
    `{"object":"user","id":"x","displayName":"","urls":{"${nasty}":1}}`,
    `\u001b[2J${nasty}`,
  ]) {
    const refusal = await refusing.current.refusal(withLines(line));
    expect(refusal.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(refusal.split("\n")).toHaveLength(2);
  }
});

test("U+0000 and lone surrogates are refused in every text, raw and escaped", async () => {
  expect(await said(raw("a\u0000b"))).toMatch(/^the line is .*accepted: one JSON object/);
  for (const text of ["\\u0000", "\\ud800", "\\udc00", "\\ud83d\\ud83d\\ude00", "\\ude00\\ud83d"]) {
    expect(await said(raw(text))).toMatch(/^user\.displayName is ".*"; accepted: well-formed text/);
    expect(await said(`{"object":"user","id":"${text}","displayName":""}`)).toMatch(/^user\.id is /);
    expect(await said(site(`,"${text}":1`))).toMatch(/^site\..* is 1; accepted fields/);
  }
});

test("numbers that JavaScript cannot represent are not rounded to a count", async () => {
  for (const count of [
    "9007199254740992",
    "9007199254740993",
    "1e16",
    "1e400",
    "-1",
    "0.5",
    "1e-5",
    "18446744073709551617",
    `1${"0".repeat(400)}`,
  ]) {
    expect(await said(space(count)), count).toMatch(/^space\.comments is .*accepted: a whole number/);
  }
  for (const count of [
    "9007199254740991.2",
    "0.99999999999999999999",
    "1e-400",
    "0.0000000000000000000000000000001e-300",
  ]) {
    expect(await said(space(count)), count).toContain(`space.comments is ${count}; accepted: a whole number`);
  }
  for (const count of ["01", "+1", ".5", "0x10", "1_000", "NaN", "Infinity", "-"]) {
    expect(await said(space(count)), count).toMatch(/^the line is /);
  }
  for (const count of ["0", "-0", "9007199254740991", "1e3", "1.0", "10.0e-1"]) {
    const world = await Refusing.accepting(withLines(space(count)));
    await world.close();
  }
});
