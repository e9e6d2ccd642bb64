/** The commands of `rolebook` and their options (docs/operations.md). */
import { Command, CommanderError, type Option } from "commander";
import { DATABASE_URLS } from "../store/engine/engine.ts";
import { AT, example } from "./options.ts";
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
  await addServing(rolebook, words);
  await addData(rolebook, words);
  addAccess(rolebook);
  addReviews(rolebook);
  addPast(rolebook);
  addAdministration(rolebook);
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

const ORGANIZATION = ["--organization <id>", "the organization; required if there are several"] as const;
const FORMAT = ["--format <format>", "table, csv or ndjson"] as const;
const DATABASE = [
  "--database <url>",
  `${DATABASE_URLS} (default: ROLEBOOK_DATABASE_URL, or sqlite:rolebook.db)`,
] as const;

/** Adds a command that uses the database. */
function add(parent: Command, name: string): Command {
  return parent.command(name).option(...DATABASE);
}

/** Adds a command that writes files to the database, with the options that all such commands have. */
function addWriting(parent: Command, name: string): Command {
  return add(parent, name)
    .option("--dry-run", "check and compare, change nothing")
    .option("--details", "list each record that is added, changed or removed, and each token that is deleted")
    .option(
      "--format <format>",
      "table, ndjson, or with --details csv; ndjson ends with a line on the outcome",
    )
    .option("--complete", "refuse a file without an end record, which proves that the file is complete")
    .option(
      "--allow-removals",
      "override the guard: allow many removals, new admins, guests who become members, or opened contents",
    );
}

/** Loads a command's module only when the command runs, so that other commands start faster. */
function lazily<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void>>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}

/** Commands that serve listings, print them, and manage tokens for them. */
async function addServing(rolebook: Command, words: readonly string[]): Promise<void> {
  rolebook.commandsGroup("Serve:");
  add(rolebook, "serve")
    .summary("answer HTTP requests")
    .addHelpText("after", example("serve --port 8080"))
    .description("serve the listings and the explorer over HTTP")
    .option("--port <port>", "the port to listen on", "3000")
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .option("--workers <number>", "how many processes share the port; at most one per core is useful", "1")
    .action(lazily(async () => (await import("./server/serve.ts")).serveCommand));
  const list = rolebook
    .command("list")
    .summary("the lists of a server")
    .description("print a listing of the server in ROLEBOOK_URL, with the token in ROLEBOOK_TOKEN");
  if (words.includes("list")) (await import("./commands/list.ts")).addLists(list);
  const token = rolebook
    .command("token")
    .summary("create and revoke tokens")
    .description("create, list, rotate or revoke tokens");
  add(token, "create")
    .addHelpText("after", example("token create --organization acme --expires 90d"))
    .description("create a token and print it, once")
    .requiredOption("--organization <id>", "the organization it belongs to")
    .option("--member <user>", "act as this member; without it the token lists everything")
    .option("--name <text>", "a name that says what the token is for")
    .option("--expires <lifetime>", "such as 90d or 12h; without it the token does not expire")
    .action(lazily(async () => (await import("./commands/token.ts")).createTokenCommand));
  add(token, "list")
    .addHelpText("after", example("token list"))
    .description("list the tokens, without their secrets")
    .option("--sessions", "list the sessions of people who signed in instead")
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/token.ts")).listTokensCommand));
  add(token, "rotate <id>")
    .addHelpText("after", example("token rotate 4fTq0cVxW2aB --grace 24h"))
    .description("replace a token: create a new one and print it, once; the old one ends")
    .option("--grace <time>", "how long the old one still works, such as 24h or 7d", "24h")
    .action(lazily(async () => (await import("./commands/token.ts")).rotateTokenCommand));
  add(token, "revoke <id>")
    .addHelpText("after", example("token revoke 4fTq0cVxW2aB"))
    .description("revoke a token at once")
    .action(lazily(async () => (await import("./commands/token.ts")).revokeTokenCommand));
  const signIn = rolebook
    .command("sign-in")
    .summary("accounts that sign in")
    .description("list or unbind the accounts of people who sign in");
  add(signIn, "list")
    .addHelpText("after", example("sign-in list"))
    .description("list which account is bound to which member")
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/sign-in.ts")).listSignInsCommand));
  add(signIn, "unbind <user>")
    .addHelpText("after", example("sign-in unbind ana --organization acme"))
    .description("unbind a member's account and end the member's sessions; the next sign-in binds anew")
    .option("--organization <id>", "the organization; required if there are several")
    .action(lazily(async () => (await import("./commands/sign-in.ts")).unbindCommand));
}

/** Commands that read and write files. */
async function addData(rolebook: Command, words: readonly string[]): Promise<void> {
  rolebook.commandsGroup("Data in and out:");
  addWriting(rolebook, "import <file...>")
    .summary("whole snapshot files")
    .addHelpText("after", example("import --complete directory.ndjson"))
    .description("make each organization in the files exactly what they say; - is standard input")
    .option("--allow-empty", "allow a new organization without members")
    .option("--refuse-returned", "refuse members, memberships and permissions that rolebook apply removed")
    .option("--rules <file>", "report which rules in a file the import newly breaks")
    .option("--enforce", "with --rules, refuse an import that newly breaks one")
    .option("--base <revision>", "refuse if the organization has changed since this revision")
    .option("--note <text>", "a note that rolebook revisions shows")
    .option("--wait <time>", "how long to wait for another import or change, such as 30s or 1h", "10m")
    .action(lazily(async () => (await import("./commands/import.ts")).importCommand));
  addWriting(rolebook, "apply <file...>")
    .summary("change files")
    .addHelpText("after", example("apply --dry-run --details changes.ndjson"))
    .description("apply the changes in each file, one revision per file; - is standard input")
    .option("--note <text>", "a note that rolebook revisions shows")
    .option("--wait <time>", "how long to wait for another import or change, such as 30s or 1h", "10m")
    .option("--follow", "keep reading: apply each batch at its end record, and print a line of JSON for it")
    .option("--rules <file>", "report which rules in a file the change newly breaks")
    .option("--enforce", "with --rules, refuse a change that newly breaks one")
    .action(lazily(async () => (await import("./commands/apply.ts")).applyCommand));
  const convert = rolebook
    .command("convert")
    .summary("spreadsheets to a file")
    .description("make a snapshot file from other files");
  if (words.includes("convert")) (await import("./commands/convert.ts")).addConversions(convert);
  const pull = rolebook
    .command("pull")
    .summary("GitBook to a file")
    .description("make a snapshot file from another system");
  if (words.includes("pull")) (await import("./commands/pull.ts")).addPulls(pull);
  add(rolebook, "export")
    .summary("write a snapshot file")
    .addHelpText("after", example("export --organization acme > acme.ndjson"))
    .description("write an organization as a snapshot file to standard output")
    .requiredOption("--organization <id>", "the organization")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/export.ts")).exportCommand));
  rolebook
    .command("schema")
    .summary("JSON Schemas of files")
    .addHelpText("after", example("schema --changes"))
    .description("print the JSON Schema of a line of the snapshot file")
    .option("--changes", "print that of a line of the change file")
    .option("--rules", "print that of the rules file")
    .action(lazily(async () => (await import("./commands/schema.ts")).schemaCommand));
}

/** Commands that report effective roles and their reasons. */
function addAccess(rolebook: Command): void {
  rolebook.commandsGroup("Who has access, and why:");
  add(rolebook, "find <text>")
    .summary("search titles and names")
    .addHelpText("after", example('find "api ref"'))
    .description("find members, teams, contents and sites by title, name or e-mail address")
    .option(...ORGANIZATION)
    .option(...FORMAT)
    .option(...AT)
    .action(lazily(async () => (await import("./commands/find.ts")).findCommand));
  add(rolebook, "why <user> <content>")
    .summary("explain one role")
    .addHelpText("after", example("why ana@acme.example space/api-reference"))
    .description("explain a role on a space, collection or site, step by step")
    .option(...ORGANIZATION)
    .option("--format <format>", "table or ndjson")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/why.ts")).whyCommand));
  add(rolebook, "without <source> [user] [content]")
    .summary("effect of a removal")
    .addHelpText("after", example("without team/docs@collection/handbook"))
    .description(
      "show the effect of removing team/ID, team/ID@CONTENT, user/ID@CONTENT or default@CONTENT: on everybody, or on one role",
    )
    .option(...ORGANIZATION)
    .option("--format <format>", "table or ndjson")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/without.ts")).withoutCommand));
  add(rolebook, "report")
    .summary("all roles, for a review")
    .addHelpText("after", example("report --collection handbook > review.csv"))
    .description("write who has which role where, and why, as one CSV for a review")
    .option(...ORGANIZATION)
    .option("--format <format>", "table, csv (the default, for a review) or ndjson")
    .option("--space <id...>", "only these spaces")
    .option("--collection <id...>", "only these collections and everything in them")
    .option("--site <id...>", "only the spaces of these sites")
    .option("--user <id...>", "only what these users can access")
    .option("--role <role>", "only exactly this effective role")
    .option("--guests", "only guests")
    .option("--least <role>", "only this effective role or a stronger one")
    .option("--direct", "only roles from direct permissions")
    .option("--team <id>", "only roles from the permissions of this team")
    .option("--since <day>", "only who had no role there when this day (UTC) began")
    .option(...AT)
    .option("--no-head", "omit the lines above the column names, for programs")
    .action(lazily(async () => (await import("./commands/report.ts")).reportCommand));
  add(rolebook, "diff")
    .summary("who gained and lost roles")
    .addHelpText("after", example("diff --from 2026-03-01"))
    .description("list whose effective role differs between two revisions, where, and why")
    .option(...ORGANIZATION)
    .requiredOption(
      "--from <when>",
      "the first revision: its number, the end of a day (UTC) or a date and time",
    )
    .option("--to <when>", "the second revision, given in the same way; by default the current one")
    .option("--space <id...>", "one row per user and content: only on these spaces")
    .option(
      "--collection <id...>",
      "one row per user and content: only on these collections and everything in them",
    )
    .option("--site <id...>", "one row per user and content: only on the spaces of these sites")
    .option("--user <id...>", "one row per user and content: only for these users")
    .option("--pairs", "one row per user and content: all of them")
    .option("--role <role>", "only differences from or to exactly this role")
    .option("--guests", "only guests")
    .option("--gained", "only gained roles; can be combined with the next three options")
    .option("--lost", "only lost roles")
    .option("--raised", "only raised roles")
    .option("--lowered", "only lowered roles")
    .option("--records", "print the changed records as a change file for rolebook apply")
    .option("--base", "with --records: make a file that applies only to the revision of --from")
    .option(...FORMAT)
    .option("--no-head", "omit the lines above the column names of a CSV, for programs")
    .action(lazily(async () => (await import("./commands/diff.ts")).diffCommand));
}

/** Commands for access reviews. */
function addReviews(rolebook: Command): void {
  rolebook.commandsGroup("Reviews:");
  add(rolebook, "check <rules>")
    .summary("which rules are broken")
    .addHelpText("after", example("check rules.yaml"))
    .description(
      "list which rules of a file are broken, where and by whom; exit status 1 if one is, 2 if one cannot be checked",
    )
    .option(...ORGANIZATION)
    .option(...FORMAT)
    .option("--limit <number>", "the number of breaches listed per rule; all are counted", "100")
    .option("--record", "keep the result for metrics and the explorer")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/check.ts")).checkCommand));
  add(rolebook, "review <file>")
    .summary("what became of a review")
    .addHelpText("after", example("review review.csv --changes removals.ndjson"))
    .description("compare a decided report with today: the outcome of each row, and newcomers")
    .option(...FORMAT)
    .option(...AT)
    .option("--decision <word>", "only rows with this decision: keep, remove, ask, other or open")
    .option("--outcome <word>", "only rows with this outcome: removed, changed, still there or came")
    .option(
      "--changes <out>",
      "write the change file that carries out removals, and print what it would change",
    )
    .option("--summary <out>", "write the signed-off summary: a page to print (.html) or a sheet (.csv)")
    .option("--by <name>", "with --summary: who signs off the decisions")
    .action(lazily(async () => (await import("./commands/review.ts")).reviewCommand));
  add(rolebook, "tidy")
    .summary("what can be tidied up")
    .addHelpText("after", example("tidy --format csv > tidy.csv"))
    .description("list redundant permissions, empty teams, and whatever else to tidy up")
    .option(...ORGANIZATION)
    .option(
      "--format <format>",
      "table, csv, ndjson, or changes: a change file that removes redundant permissions",
    )
    .option(...AT)
    .action(lazily(async () => (await import("./commands/tidy.ts")).tidyCommand));
}

/** Commands for past revisions. */
function addPast(rolebook: Command): void {
  rolebook.commandsGroup("The past:");
  add(rolebook, "revisions")
    .summary("the revisions kept")
    .addHelpText("after", example("revisions --organization acme"))
    .description("list the readable revisions of an organization: number, time, command, counts, note, input")
    .option(...ORGANIZATION)
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/revisions.ts")).revisionsCommand));
  add(rolebook, "history [duration]")
    .summary("how long they are kept")
    .addHelpText("after", example("history 400d"))
    .description(
      "print how long revisions are kept after they are replaced; with a duration, such as 400d or forever, set it",
    )
    .option("--yes", "allow a shorter duration, which deletes revisions for good")
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/history.ts")).historyCommand));
}

/** Commands for the administrators of a database. */
function addAdministration(rolebook: Command): void {
  rolebook.commandsGroup("Administration:");
  const organization = rolebook
    .command("organization")
    .summary("list, remove, forget")
    .description("list or remove organizations, or forget a person who has left");
  add(organization, "list")
    .addHelpText("after", example("organization list"))
    .description("list the organizations")
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/organization.ts")).listOrganizationsCommand));
  add(organization, "remove <id>")
    .addHelpText("after", example("organization remove acme --yes"))
    .description("remove an organization with its past and its tokens, and overwrite them in a SQLite file")
    .option("--yes", "confirm; without it, the command names what it would remove, and asks at a terminal")
    .action(lazily(async () => (await import("./commands/organization.ts")).removeOrganizationCommand));
  add(organization, "forget-user <user>")
    .addHelpText("after", example("organization forget-user --organization acme jonas"))
    .description("remove a person who has left from all past revisions")
    .requiredOption("--organization <id>", "the organization")
    .action(lazily(async () => (await import("./commands/organization.ts")).forgetUserCommand));
  add(rolebook, "status")
    .summary("how fresh, how large")
    .addHelpText("after", example("status --organization acme"))
    .description("show each organization, its last import and its counts, and the size of the database")
    .option("--organization <id>", "only this organization")
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/status.ts")).statusCommand));
  add(rolebook, "verify")
    .summary("check what is derived")
    .addHelpText("after", example("verify --repair"))
    .description("recompute all derived data from the records, and compare")
    .option("--organization <id>", "only this organization")
    .option("--repair", "if anything differs, write the recomputed data as a new revision")
    .option(...FORMAT)
    .action(lazily(async () => (await import("./commands/verify.ts")).verifyCommand));
  add(rolebook, "backup <file>")
    .summary("copy the database")
    .addHelpText("after", example("backup rolebook-backup.db"))
    .description("copy the database to a new file, also while servers and imports use it")
    .action(lazily(async () => (await import("./commands/backup.ts")).backupCommand));
  const database = rolebook
    .command("database")
    .summary("migrate the database")
    .description("manage a PostgreSQL database");
  add(database, "migrate")
    .addHelpText("after", example("database migrate"))
    .description("create the tables, or migrate them to this version of the program")
    .action(lazily(async () => (await import("./commands/migrate.ts")).migrateDatabaseCommand));
}
