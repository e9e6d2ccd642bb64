/** The commands of `rolebook` and their arguments (contract, section 9). */
import { Command, CommanderError } from "commander";
import { addAccess } from "./program/access.ts";
import { addAdministration } from "./program/administration.ts";
import { addData } from "./program/data.ts";
import { addPast } from "./program/past.ts";
import { addReviews } from "./program/reviews.ts";
import { addServing } from "./program/serving.ts";
import { nameWarnings } from "./settings/names.ts";
import { readSettings } from "./settings/settings.ts";
import { settingsHelp } from "./settings/shown.ts";
import { versionOf } from "./version.ts";

async function program(): Promise<Command> {
  const rolebook: Command = new Command("rolebook")
    .description("Who can see and change what, in which role, and why.")
    .version(versionOf())
    .showHelpAfterError("Try: rolebook --help")
    .addHelpText("after", () => settingsHelp(rolebook.createHelp()))
    .hook("preAction", (_, command) => {
      const { database }: { database?: string } = command.opts();
      readSettings(process.env, database);
      const warnings = nameWarnings(process.env);
      // A server writes these warnings to its log.
      if (command.name() !== "serve") for (const warning of warnings) process.stderr.write(`${warning}\n`);
    })
    .exitOverride();
  await addServing(rolebook);
  await addData(rolebook);
  addAccess(rolebook);
  addReviews(rolebook);
  addPast(rolebook);
  addAdministration(rolebook);
  rolebook.commandsGroup("Help:").helpCommand("help [command]", "show the options of a command");
  return rolebook;
}

// A reader of the result, such as `head`, may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

program()
  .then((rolebook) => rolebook.parseAsync())
  .catch(async (error: unknown) => {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else (await import("./fail.ts")).fail(error);
  });
