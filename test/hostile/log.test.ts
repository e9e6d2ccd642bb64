import { afterAll, beforeAll, expect, test } from "vitest";
import { Program, rolebook } from "../crash/program.ts";
import { importWhole } from "../crash/killing.ts";
import { type Ground, smallGround } from "../crash/states.ts";
import { organizationIds } from "../oracle/facts.ts";
import { sendRaw } from "./ask.ts";

/** The log contains nothing from URLs or headers, and nobody can inject lines into it. */

let ground: Ground;
beforeAll(async () => {
  ground = smallGround(7);
  await importWhole(ground, ground.states[0]);
});
afterAll(() => ground.close());

const KEYS = new Set(
  "level time pid hostname msg method route status milliseconds token organization client".split(" "),
);

test("the log has no tokens, ids, queries and headers, and no forged line", async () => {
  const [id = ""] = organizationIds(ground.states[0].records);
  const made = await rolebook(["token", "create", "--organization", id, "--database", ground.url]);
  const token = made.stdout.trim();
  const server = new Program(["serve", "--port", "0", "--database", ground.url], {
    environment: { ROLEBOOK_LOG_LEVEL: "trace" },
  });
  const [, port = ""] = await server.says(/serves .*:(\d+)"\}\n/);
  const mark = "markedText";
  const forged = "%0A%7B%22level%22:60,%22msg%22:%22forged%22%7D";
  const paths = [
    `/v1/spaces/${token}/permissions/users`,
    `/v1/spaces/${mark}${forged}/permissions/users?limit=${mark}`,
    `/v1/orgs/${id}/members/${mark}@example.org/teams?title=${mark}`,
    `/v1/spaces/a/permissions/users?page=${mark}&access_token=${token}`,
    `/${token}`,
    `/explorer/search?q=${mark}`,
    `/assets/${token}`,
  ];
  for (const path of paths) {
    for (const authorization of [`Bearer ${token}`, `Bearer rb_${mark}`, `Basic ${token}`, token]) {
      await sendRaw(Number(port), [
        `GET ${path} HTTP/1.1\r\nHost: ${mark}\r\nAuthorization: ${authorization}\r\nUser-Agent: ${mark}\t"level":60\r\n` +
          `Referer: http://${mark}/${token}\r\nConnection: close\r\nX-Request-Id: ${mark}\r\n\r\n`,
      ]);
    }
  }
  await sendRaw(Number(port), [`RUBBISH ${mark} ${token}\r\n\r\n`]);
  server.kill("SIGTERM");
  const { stderr } = await server.ended;
  const lines = stderr.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(paths.length);
  for (const text of [token, token.slice(3), mark, "forged", "example.org"])
    expect(stderr).not.toContain(text);
  for (const line of lines) expect(Object.keys(JSON.parse(line)).filter((key) => !KEYS.has(key))).toEqual([]);
});
