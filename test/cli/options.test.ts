/** Every declared option of every command, given twice: it takes both values, or is refused. */
import type { Command, Option } from "commander";
import { expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { rolebook } from "../command.ts";

const declared = await declarations();

/** Each option with the words of its command, such as `token create`. */
async function declarations(): Promise<{ path: readonly string[]; option: Option }[]> {
  const found: { path: readonly string[]; option: Option }[] = [];
  const visit = (command: Command, path: readonly string[]) => {
    for (const option of command.options) found.push({ path, option });
    for (const inner of command.commands) visit(inner, [...path, inner.name()]);
  };
  visit(await program(["convert", "list", "pull"]), []);
  return found.filter(({ path, option }) => path.length > 0 || option.long !== "--version");
}

/** An option as it is typed, with a value if it needs one. */
function typed({ long, required, argChoices }: Option, value: string): string[] {
  return required ? [long ?? "", argChoices?.[0] ?? value] : [long ?? ""];
}

function nameOf({ path, option }: { readonly path: readonly string[]; readonly option: Option }): string {
  return [...path, option.long].join(" ");
}

test("the options of all commands are declared", () => {
  expect(declared.length).toBeGreaterThan(150);
  expect(declared.map(nameOf)).toEqual(
    expect.arrayContaining(["serve --port", "token create --name", "convert csv --people"]),
  );
  expect(declared.map(nameOf)).toEqual(
    expect.arrayContaining(["pull gitbook --accept", "list space-aggregate --role", "report --no-head"]),
  );
});

test.each(declared.filter(({ option }) => !option.variadic).map((each) => [nameOf(each), each]))(
  "%s is refused if it is given twice",
  async (_, { path, option }) => {
    const all = await program(path);
    const said: string[] = [];
    const command = commandAt(all, path);
    command.configureOutput({ writeErr: (text) => said.push(text) });
    const args = [...path, ...typed(option, "1"), ...typed(option, "2")];
    await expect(all.parseAsync(args, { from: "user" })).rejects.toThrow(
      `${option.long} is given twice; accepted: once.`,
    );
    expect(said.join("")).toContain(`Try: rolebook ${path.join(" ")} --help`);
  },
);

// Each of these has a test of what both values do.
test("only these options take several values", () => {
  const several = declared.filter(({ option }) => option.variadic).map(nameOf);
  const files = ["people", "access", "effective", "content", "teams", "members", "sites", "roles"];
  const scope = ["space", "collection", "site", "user"];
  expect(several.toSorted()).toEqual(
    [
      ...[...files, "columns"].map((name) => `convert csv --${name}`),
      ...scope.flatMap((name) => [`report --${name}`, `diff --${name}`]),
      "pull gitbook --accept",
    ].toSorted(),
  );
});

test.each(declared.filter(({ option }) => option.variadic).map((each) => [nameOf(each), each]))(
  "%s takes both values if it is given twice",
  async (_, { path, option }) => {
    const command = commandAt(await program(path), path);
    command.parseOptions([...typed(option, "1"), ...typed(option, "2")]);
    expect(command.getOptionValue(option.attributeName())).toEqual(["1", "2"]);
  },
);

function commandAt(all: Command, path: readonly string[]): Command {
  return path.reduce<Command>((group, name) => {
    const found = group.commands.find((each) => each.name() === name);
    if (found === undefined) throw new Error(`There is no command ${path.join(" ")}.`);
    return found;
  }, all);
}

test.each([
  ["token create", ["token", "create"], "error: required option '--organization <id>' not specified"],
  ["report", ["report", "--spaces", "x"], "error: unknown option '--spaces'"],
  ["list space-users", ["list", "space-users"], "error: missing required argument 'space'"],
  ["token", ["token", "make"], "error: unknown command 'make'"],
  ["serve", ["serve", "--port", "1", "--port", "2"], "error: --port is given twice; accepted: once."],
  ["check", ["check", "x", "--record", "--record"], "error: --record is given twice; accepted: once."],
])("a usage error of %s names its help", async (command, args, error) => {
  const { status, stderr, stdout } = await rolebook(args);
  expect(stderr).toContain(error);
  expect(stderr.endsWith(`Try: rolebook ${command} --help\n`)).toBe(true);
  expect([status, stdout]).toEqual([2, ""]);
});
