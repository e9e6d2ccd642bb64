import type { Command } from "commander";
import { program } from "../../src/cli/program.ts";

/** Runs `rolebook` with arguments, and returns its standard output. */
type Run = (...args: string[]) => Promise<string>;

/** Every command that the program declares, by its words, such as `token create`. */
export async function declaredCommands(): Promise<ReadonlyMap<string, Command>> {
  const { commands } = await program(["convert", "list", "pull"]);
  return new Map(
    commands.flatMap((command): [string, Command][] =>
      command.commands.length === 0
        ? [[command.name(), command]]
        : command.commands.map((inner) => [`${command.name()} ${inner.name()}`, inner]),
    ),
  );
}

/** Every command with its help; a command of a group has two words. */
export async function everyCommand(run: Run): Promise<ReadonlyMap<string, string>> {
  const names = [...(await declaredCommands()).keys()];
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [name, await run(...name.split(" "), "--help")]),
    ),
  );
}
