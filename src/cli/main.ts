/** The commands of `rolebook` and their arguments (contract, section 9). */
import { Command, CommanderError } from "commander";
import { DATABASE_URLS } from "../store/engine/url.ts";
import { AT } from "./options.ts";
import { nameWarnings } from "./settings/names.ts";
import { readSettings } from "./settings/settings.ts";
import { settingsHelp } from "./settings/shown.ts";
import { versionOf } from "./version.ts";

const DATABASE = [
  "--database <url>",
  `${DATABASE_URLS} (default: ROLEBOOK_DATABASE_URL, or sqlite:rolebook.db)`,
] as const;

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
  add(rolebook, "serve")
    .description("serve the listings over HTTP")
    .option("--port <port>", "the port to listen on", "3000")
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .option("--workers <number>", "the number of processes that share the port, one for each core", "1")
    .action(lazily(async () => (await import("./server/serve.ts")).serveCommand));
  addWriting(rolebook, "import <file...>")
    .description("make each organization in the files exactly what they say; - is standard input")
    .option("--allow-empty", "allow a new organization without members")
    .option("--rules <file>", "report which rules of a file this newly breaks")
    .option("--enforce", "with --rules, refuse to break them")
    .option("--base <revision>", "refuse if anything was changed since this revision")
    .option("--note <text>", "a note that rolebook revisions shows")
    .option("--wait <time>", "how long to wait for another import or change, such as 30s or 1h", "10m")
    .option("--json", "print a last line of JSON that says whether anything was changed")
    .action(lazily(async () => (await import("./commands/data/import.ts")).importCommand));
  addWriting(rolebook, "apply <file...>")
    .description("apply the changes in each file, one revision per file; - is standard input")
    .option("--note <text>", "a note that rolebook revisions shows")
    .option("--wait <time>", "how long to wait for another import or change, such as 30s or 1h", "10m")
    .option("--follow", "keep reading: apply each batch at its end record, and print a line of JSON for it")
    .option("--rules <file>", "report which rules of a file this newly breaks")
    .option("--enforce", "with --rules, refuse to break them")
    .option("--json", "print a line of JSON for each file: whether anything was changed")
    .action(lazily(async () => (await import("./commands/data/apply.ts")).applyCommand));
  const pull = rolebook.command("pull").description("make a snapshot file from another system");
  if (process.argv.includes("pull")) (await import("./commands/data/pull.ts")).addPulls(pull);
  add(rolebook, "export")
    .description("write an organization as a snapshot file to standard output")
    .requiredOption("--organization <id>", "the organization")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/data/export.ts")).exportCommand));
  add(rolebook, "revisions")
    .description(
      "the revisions of an organization that can be read: number, time, command, counts, note, input",
    )
    .option("--organization <id>", "the organization; required if there are several")
    .option("--format <format>", "table or ndjson", "table")
    .action(lazily(async () => (await import("./commands/database/revisions.ts")).revisionsCommand));
  add(rolebook, "history [duration]")
    .description(
      "print how long revisions are kept after they are replaced; with a duration, such as 400d or forever, set it",
    )
    .option("--yes", "allow a shorter duration, which deletes revisions for good")
    .action(lazily(async () => (await import("./commands/database/history.ts")).historyCommand));
  const convert = rolebook.command("convert").description("make a snapshot file from other files");
  if (process.argv.includes("convert")) (await import("./commands/data/convert.ts")).addConversions(convert);
  const organization = rolebook.command("organization").description("list or remove organizations");
  add(organization, "list")
    .description("the organizations")
    .action(
      lazily(async () => (await import("./commands/database/organization.ts")).listOrganizationsCommand),
    );
  add(organization, "remove <id>")
    .description("remove an organization with its tokens")
    .action(
      lazily(async () => (await import("./commands/database/organization.ts")).removeOrganizationCommand),
    );
  add(organization, "forget-user <user>")
    .description("remove a person who has left from all past revisions")
    .requiredOption("--organization <id>", "the organization")
    .action(lazily(async () => (await import("./commands/database/organization.ts")).forgetUserCommand));
  add(rolebook, "status")
    .description("show each organization, its last import and its counts, and the size of the database")
    .action(lazily(async () => (await import("./commands/database/status.ts")).statusCommand));
  add(rolebook, "verify")
    .description("recompute all derived data from the records, and compare")
    .option("--organization <id>", "only this organization")
    .option("--repair", "if anything differs, write the recomputed data as a new revision")
    .action(lazily(async () => (await import("./commands/database/verify.ts")).verifyCommand));
  add(rolebook, "backup <file>")
    .description("copy the database to a new file, also while servers and imports use it")
    .action(lazily(async () => (await import("./commands/database/backup.ts")).backupCommand));
  add(rolebook, "why [user] [content]")
    .description("why a user has their role on space/ID, collection/ID or site/ID, step by step")
    .option(
      "--without <source>",
      "show the effect of removing team/ID, team/ID@CONTENT, user/ID@CONTENT or default@CONTENT; if USER is omitted, on everybody",
    )
    .option("--organization <id>", "the organization; required if there are several")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/access/why.ts")).whyCommand));
  add(rolebook, "report")
    .description("who has which role where, and why, as one CSV for a review")
    .option("--organization <id>", "the organization; required if there are several")
    .option("--space <id>", "one space only")
    .option("--collection <id>", "only one collection and everything in it")
    .option("--site <id>", "the spaces of one site only")
    .option("--user <id>", "everything that one user can access")
    .option("--role <role>", "exactly this effective role only")
    .option("--guests", "guests only")
    .option(...AT)
    .option("--no-head", "omit the head: begin with the column names, for programs")
    .action(lazily(async () => (await import("./commands/access/report.ts")).reportCommand));
  add(rolebook, "diff")
    .description("whose effective role differs between two revisions, where, and why")
    .option("--organization <id>", "the organization; required if there are several")
    .requiredOption("--from <when>", "a revision's number, the end of a day (UTC) or a date and time")
    .option("--to <when>", "the same for the later revision; by default the current one")
    .option("--space <id>", "user by user: one space only")
    .option("--collection <id>", "user by user: only one collection and everything in it")
    .option("--site <id>", "user by user: the spaces of one site only")
    .option("--user <id>", "user by user: one user only")
    .option("--pairs", "user by user: every user and content with a difference")
    .option("--role <role>", "differences from or to exactly this role only")
    .option("--guests", "guests only")
    .option("--gained", "only where a role was gained; this and the next three may be combined")
    .option("--lost", "only where a role was lost")
    .option("--raised", "only where a role was raised")
    .option("--lowered", "only where a role was lowered")
    .option("--records", "the changed records as a change file, for rolebook apply")
    .option("--base", "with --records: the file applies only to the revision of --from")
    .option("--format <format>", "table, csv or ndjson")
    .option("--no-head", "omit the head: begin a CSV with the column names, for programs")
    .action(lazily(async () => (await import("./diff/diff.ts")).diffCommand));
  add(rolebook, "check <rules>")
    .description("which rules of a file are broken, where and by whom; exit status 1 if one is")
    .option("--organization <id>", "the organization; required if there are several")
    .option("--format <format>", "table, csv or ndjson")
    .option("--limit <number>", "the number of breaches listed per rule; all are counted", "100")
    .option("--record", "keep the result for metrics and the explorer")
    .option(...AT)
    .action(lazily(async () => (await import("./commands/access/check.ts")).checkCommand));
  add(rolebook, "review <file>")
    .description("compare a decided report with today: the outcome of each row, and newcomers")
    .option("--format <format>", "table, csv or ndjson")
    .option(...AT)
    .option("--decision <word>", "only rows with this decision: keep, remove, ask, other or open")
    .option("--outcome <word>", "only rows with this outcome: removed, changed, still there or came")
    .option(
      "--changes <out>",
      "write the change file that carries out removals, and print what it would change",
    )
    .option("--summary <out>", "write the signed-off summary: a page to print (.html) or a sheet (.csv)")
    .option("--by <name>", "with --summary: who signs off the decisions")
    .action(lazily(async () => (await import("./review/review.ts")).reviewCommand));
  add(rolebook, "tidy")
    .description("redundant permissions, empty teams, and other things to tidy up")
    .option("--organization <id>", "the organization; required if there are several")
    .option(
      "--format <format>",
      "table, csv, ndjson, or changes: a change file that removes redundant permissions",
    )
    .option(...AT)
    .action(lazily(async () => (await import("./commands/access/tidy.ts")).tidyCommand));
  const database = rolebook.command("database").description("manage a PostgreSQL database");
  add(database, "migrate")
    .description("create the tables, or migrate them to this version of the program")
    .action(lazily(async () => (await import("./commands/database/migrate.ts")).migrateDatabaseCommand));
  const list = rolebook
    .command("list")
    .description("list from the server in ROLEBOOK_URL, with the token in ROLEBOOK_TOKEN");
  if (process.argv.includes("list")) (await import("./commands/access/list.ts")).addLists(list);
  rolebook
    .command("schema")
    .description("print the JSON Schema of a line of the snapshot file")
    .option("--changes", "of a line of the change file")
    .option("--rules", "of the rules file")
    .exitOverride()
    .action(lazily(async () => (await import("./commands/data/schema.ts")).schemaCommand));
  const token = rolebook.command("token").description("create, list, rotate or revoke tokens");
  add(token, "create")
    .description("create a token and print it, once")
    .requiredOption("--organization <id>", "the organization it belongs to")
    .option("--member <user>", "act as this member; without it the token lists everything")
    .option("--name <text>", "a name that says what the token is for")
    .option("--expires <lifetime>", "such as 90d or 12h; without it the token does not expire")
    .action(lazily(async () => (await import("./commands/database/token.ts")).createTokenCommand));
  add(token, "list")
    .description("the tokens, without their secrets")
    .action(lazily(async () => (await import("./commands/database/token.ts")).listTokensCommand));
  add(token, "rotate <id>")
    .description("replace a token: create a new one and print it, once; the old one ends")
    .option("--grace <time>", "how long the old one still works, such as 24h or 7d", "24h")
    .action(lazily(async () => (await import("./commands/database/token.ts")).rotateTokenCommand));
  add(token, "revoke <id>")
    .description("revoke a token at once")
    .action(lazily(async () => (await import("./commands/database/token.ts")).revokeTokenCommand));
  return rolebook;
}

function add(parent: Command, name: string): Command {
  return parent
    .command(name)
    .option(...DATABASE)
    .exitOverride();
}

/** Adds a command that writes files to the database, with the options that all such commands have. */
function addWriting(parent: Command, name: string): Command {
  return add(parent, name)
    .option("--dry-run", "check and compare, change nothing")
    .option("--details", "list each record that is added, changed or removed, and each token that is deleted")
    .option("--format <format>", "table, csv or ndjson, for --details")
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
