/** The commands of docs/scale.md agree with the schema. */
import { expect, test } from "vitest";
import { GENERATION_TABLES } from "../../src/store/schema/migrations.ts";
import { SESSION } from "../../src/store/engine/postgres/pool.ts";
import { textOf } from "../examples/acme.ts";

const text = textOf("docs/scale.md");

test("the statements for Citus distribute every table whose key begins with the generation, and no other", () => {
  const distributed = namesIn(
    /create_distributed_table\('(\w+)', 'generation'(?:, colocate_with => 'member')?\);/g,
  );
  expect([...distributed].sort()).toEqual([...GENERATION_TABLES].sort());
  expect(text.match(/create_\w+_table\(/g)).toHaveLength(distributed.length);
  // The other tables are colocated with the first one.
  expect(distributed[0]).toBe("member");
  expect(text.match(/colocate_with => 'member'/g)).toHaveLength(distributed.length - 1);
});

test("the role for a Citus cluster has the session settings of requests", () => {
  const settings = [...SESSION.matchAll(/SET ((?:enable_|join_|jit)\w* = \w+)/g)].map(
    ([, setting]) => setting,
  );
  expect(settings.length).toBeGreaterThan(0);
  expect(settings).toContain("jit = off");
  expect(namesIn(/ALTER ROLE rolebook SET (\w+ = \w+);/g)).toEqual(settings);
  expect(namesIn(/ALTER ROLE rolebook_import SET (\w+ = \w+);/g)).toEqual(["jit = off"]);
});

test("the proxy configurations are those of the tests", () => {
  const tried = textOf("test/postgres/network/real-proxy.ts");
  for (const line of [
    "proxy_next_upstream error timeout http_503;",
    'proxy_set_header Connection "";',
    "proxy_http_version 1.1;",
    "retry-on conn-failure empty-response 503",
    "option redispatch 1",
    "option httpchk GET /readyz",
    "default-server check inter 200ms fall 1 rise 1",
  ]) {
    expect([line, text.includes(line), tried.includes(line)]).toEqual([line, true, true]);
  }
});

function namesIn(pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}
