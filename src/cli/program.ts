/** The commands of `rolebook` and their options (docs/operations.md). */
import { Command, CommanderError, type Option } from "commander";
import {
  COMMANDS,
  type CommandName,
  type CommandOptions,
  type DeclaredCommand,
  GROUPS,
  addOptions,
  example,
} from "./command-table.ts";
import { nameWarnings, readSettings, settingsHelp, versionOf } from "./settings.ts";

/** Runs the command that the arguments of a process name, and sets the exit status. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    await (await program(words)).parseAsync(words);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else (await import("./terminal.ts")).fail(error);
  }
}

/** Commands inside `convert`, `list` and `pull` are declared only if `words` has the name of their group. */
export async function program(words: readonly string[]): Promise<Command> {
  const rolebook: Command = new Command("rolebook")
    .description("Who can see and change what, in which role, and why.")
    .version(versionOf())
    .hook("preAction", (_, command) => {
      const { database }: { database?: string } = command.opts();
      readSettings(process.env, database);
      const warnings = nameWarnings(process.env);
      // A server writes these warnings to its log.
      if (command.name() !== "serve") for (const warning of warnings) process.stderr.write(`${warning}\n`);
    })
    .exitOverride();
  await addCommands(rolebook, words);
  addHelp(rolebook);
  setUsage(rolebook, rolebook.name());
  return rolebook;
}

/** `rolebook help` fits on one screen; the options of a command and the settings are pages of their own. */
function addHelp(rolebook: Command): void {
  rolebook.commandsGroup("Help:");
  rolebook
    .helpCommand(false)
    .command("help [words...]")
    .summary("of a command, or settings")
    .description("show the options of a command, or with settings the environment variables")
    .addHelpText("after", example("help settings"))
    .action(async (words: readonly string[]) => {
      if (words.length === 1 && words[0] === "settings") {
        process.stdout.write(`${settingsHelp(rolebook.createHelp())}\n`);
        return;
      }
      const all = await program(words);
      const wanted = words.reduce((group: Command, name) => {
        const inner = group.commands.find((each) => each.name() === name);
        return inner ?? group.error(`error: unknown command '${name}'`);
      }, all);
      wanted.outputHelp();
    });
  // Set last, because commands inherit what is configured before they are added.
  rolebook.configureHelp({ formatHelp: () => overview(rolebook) });
}

/** Where the right column of the overview begins. */
const RIGHT = 40;
/** The width of a command's name in the overview. */
const NAME = 13;

/** All commands by group, in two columns of 24 lines and 80 columns. */
function overview(rolebook: Command): string {
  const groups = Map.groupBy(rolebook.commands, (command) => command.helpGroup());
  const blocks = [...groups].map(([heading, commands]) => [
    heading,
    ...commands.map((command) => `  ${command.name().padEnd(NAME)}${command.summary()}`),
  ]);
  const half = blocks.flat().length / 2;
  const columns: [string[], string[]] = [[], []];
  for (const block of blocks) columns[columns[0].length + block.length / 2 <= half ? 0 : 1].push(...block);
  const [left, right] = columns;
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    `${(left[row] ?? "").padEnd(RIGHT)}${right[row] ?? ""}`.trimEnd(),
  );
  return [
    "Usage: rolebook COMMAND [OPTIONS] [ARGUMENTS]",
    "",
    ...lines,
    "",
    "rolebook help COMMAND shows its options and an example;",
    "rolebook help settings the environment variables.",
    "",
  ].join("\n");
}

/**
 * Shows required options in the usage of a command, lets every usage error name the help of its command, and refuses an
 * option that is given twice, unless its flags end with `...`: such an option takes several values.
 */
function setUsage(command: Command, path: string): void {
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  if (required.length > 0) {
    const given = command.usage().replace(/^\[options\] ?/, "");
    command.usage([given, ...required, "[options]"].join(" ").trim());
  }
  command.showHelpAfterError(`Try: ${path} --help`);
  for (const option of command.options) if (!option.variadic) refuseTwice(command, option);
  for (const inner of command.commands) setUsage(inner, `${path} ${inner.name()}`);
}

function refuseTwice(command: Command, option: Option): void {
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven) command.error(`error: ${option.long} is given twice; accepted: once.`);
    isGiven = true;
  });
}

/** Declares the commands. The module of a command is loaded only when it runs, so that other commands start faster. */
async function addCommands(rolebook: Command, words: readonly string[]): Promise<void> {
  rolebook.commandsGroup("Serve:");
  add("serve", async () => (await import("./server/serve.ts")).serveCommand);
  if (words.includes("list")) (await import("./commands/list.ts")).addLists(group("list"));
  else group("list");
  add("token create", async () => (await import("./commands/token.ts")).createTokenCommand);
  add("token list", async () => (await import("./commands/token.ts")).listTokensCommand);
  add("token rotate", async () => (await import("./commands/token.ts")).rotateTokenCommand);
  add("token revoke", async () => (await import("./commands/token.ts")).revokeTokenCommand);
  add("sign-in list", async () => (await import("./commands/sign-in.ts")).listSignInsCommand);
  add("sign-in unbind", async () => (await import("./commands/sign-in.ts")).unbindCommand);

  rolebook.commandsGroup("Data in and out:");
  add("import", async () => (await import("./commands/import.ts")).importCommand);
  add("apply", async () => (await import("./commands/apply.ts")).applyCommand);
  if (words.includes("convert")) (await import("./commands/convert.ts")).addConversions(group("convert"));
  else group("convert");
  if (words.includes("pull")) (await import("./commands/pull.ts")).addPulls(group("pull"));
  else group("pull");
  add("export", async () => (await import("./commands/export.ts")).exportCommand);
  add("schema", async () => (await import("./commands/schema.ts")).schemaCommand);

  rolebook.commandsGroup("Who has access, and why:");
  add("find", async () => (await import("./commands/find.ts")).findCommand);
  add("why", async () => (await import("./commands/why.ts")).whyCommand);
  add("without", async () => (await import("./commands/without.ts")).withoutCommand);
  add("report", async () => (await import("./commands/report.ts")).reportCommand);
  add("diff", async () => (await import("./commands/diff.ts")).diffCommand);

  rolebook.commandsGroup("Reviews:");
  add("check", async () => (await import("./commands/check.ts")).checkCommand);
  add("review", async () => (await import("./commands/review.ts")).reviewCommand);
  add("tidy", async () => (await import("./commands/tidy.ts")).tidyCommand);

  rolebook.commandsGroup("The past:");
  add("revisions", async () => (await import("./commands/revisions.ts")).revisionsCommand);
  add("history", async () => (await import("./commands/history.ts")).historyCommand);

  rolebook.commandsGroup("Administration:");
  add("organization list", async () => (await import("./commands/organization.ts")).listOrganizationsCommand);
  add(
    "organization remove",
    async () => (await import("./commands/organization.ts")).removeOrganizationCommand,
  );
  add("organization forget-user", async () => (await import("./commands/organization.ts")).forgetUserCommand);
  add("status", async () => (await import("./commands/status.ts")).statusCommand);
  add("verify", async () => (await import("./commands/verify.ts")).verifyCommand);
  add("backup", async () => (await import("./commands/backup.ts")).backupCommand);
  add("database migrate", async () => (await import("./commands/migrate.ts")).migrateDatabaseCommand);

  function add<Name extends CommandName, Words extends unknown[]>(
    name: Name,
    load: () => Promise<(...given: [...Words, CommandOptions<Name>]) => Promise<void>>,
  ): void {
    const { takes = "", summary = "", description, example: line, options }: DeclaredCommand = COMMANDS[name];
    const [first = "", second] = name.split(" ");
    const parent = second === undefined ? rolebook : group(first);
    const command = parent.command(`${second ?? first} ${takes}`.trim());
    command.summary(summary).description(description).addHelpText("after", example(line));
    addOptions(command, options).action(async (...given: [...Words, CommandOptions<Name>]) =>
      (await load())(...given),
    );
  }

  function group(name: string): Command {
    const known = rolebook.commands.find((each) => each.name() === name);
    const [summary = "", description = ""] = GROUPS[name] ?? [];
    return known ?? rolebook.command(name).summary(summary).description(description);
  }
}
