/** The commands of `rolebook` and their options (contract, section 9). */
import { Command, CommanderError, type Option } from "commander";
import { nameWarnings } from "../settings/names.ts";
import { readSettings } from "../settings/settings.ts";
import { settingsHelp } from "../settings/shown.ts";
import { versionOf } from "../version.ts";
import { addAccess } from "./access.ts";
import { addAdministration } from "./administration.ts";
import { addData } from "./data.ts";
import { addPast } from "./past.ts";
import { addReviews } from "./reviews.ts";
import { addServing } from "./serving.ts";

/** Runs the command that the arguments of a process name, and sets the exit status. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    await (await program(words)).parseAsync(words);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else (await import("../fail.ts")).fail(error);
  }
}

/** Commands inside `convert`, `list` and `pull` are declared only if `words` has the name of their group. */
export async function program(words: readonly string[]): Promise<Command> {
  const rolebook: Command = new Command("rolebook")
    .description("Who can see and change what, in which role, and why.")
    .version(versionOf())
    .addHelpText("after", () => settingsHelp(rolebook.createHelp()))
    .hook("preAction", (_, command) => {
      const { database }: { database?: string } = command.opts();
      readSettings(process.env, database);
      const warnings = nameWarnings(process.env);
      // A server writes these warnings to its log.
      if (command.name() !== "serve") for (const warning of warnings) process.stderr.write(`${warning}\n`);
    })
    .exitOverride();
  await addServing(rolebook, words);
  await addData(rolebook, words);
  addAccess(rolebook);
  addReviews(rolebook);
  addPast(rolebook);
  addAdministration(rolebook);
  rolebook.commandsGroup("Help:").helpCommand("help [command]", "show the options of a command");
  setUsageErrors(rolebook, rolebook.name());
  return rolebook;
}

/**
 * Lets every usage error name the help of its command, and refuses an option that is given twice, unless its flags end
 * with `...`: such an option takes several values.
 */
function setUsageErrors(command: Command, path: string): void {
  command.showHelpAfterError(`Try: ${path} --help`);
  for (const option of command.options) if (!option.variadic) refuseTwice(command, option);
  for (const inner of command.commands) setUsageErrors(inner, `${path} ${inner.name()}`);
}

function refuseTwice(command: Command, option: Option): void {
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven) command.error(`error: ${option.long} is given twice; accepted: once.`);
    isGiven = true;
  });
}
