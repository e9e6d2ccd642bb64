/** The program `rolebook`: its commands and their arguments (contract, section 9). */
import { Command, CommanderError } from "commander";
import { exportCommand } from "./export.ts";
import { fail } from "./fail.ts";
import { importCommand } from "./import.ts";
import { listOrganizationsCommand, removeOrganizationCommand } from "./organization.ts";
import { reportCommand } from "./report.ts";
import { serveCommand } from "./serve.ts";
import { statusCommand } from "./status.ts";
import { createTokenCommand, listTokensCommand, revokeTokenCommand } from "./token.ts";
import { versionOf } from "./version.ts";
import { whyCommand } from "./why.ts";

const DATABASE = [
  "--database <url>",
  "sqlite:PATH or postgres://… (default: ROLEBOOK_DATABASE_URL, or sqlite:rolebook.db)",
] as const;

function program(): Command {
  const rolebook = new Command("rolebook")
    .description("Who can see and change what, in which role, and why.")
    .version(versionOf())
    .showHelpAfterError("Try: rolebook --help")
    .exitOverride();
  add(rolebook, "serve")
    .description("serve the listings over HTTP")
    .option("--port <port>", "the port to listen on", "3000")
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .action(serveCommand);
  add(rolebook, "import <file...>")
    .description("make each organization in the files exactly what they say; - is standard input")
    .option("--dry-run", "check and compare, change nothing")
    .option("--allow-removals", "go on although more than a fifth of the members or permissions would go")
    .action(importCommand);
  add(rolebook, "export")
    .description("write an organization as a snapshot file to standard output")
    .requiredOption("--organization <id>", "the organization")
    .action(exportCommand);
  const organization = rolebook.command("organization").description("list or remove organizations");
  add(organization, "list").description("the organizations").action(listOrganizationsCommand);
  add(organization, "remove <id>")
    .description("remove an organization with its tokens")
    .action(removeOrganizationCommand);
  add(rolebook, "status")
    .description("what each organization holds, since when, and the size of the database")
    .action(statusCommand);
  add(rolebook, "why <user> <content>")
    .description("why a user has their role on space/ID, collection/ID or site/ID, step by step")
    .option("--organization <id>", "the organization; needed only where there are several")
    .action(whyCommand);
  add(rolebook, "report")
    .description("who has which role where, and why, as one CSV for a review")
    .option("--organization <id>", "the organization; needed only where there are several")
    .option("--space <id>", "one space only")
    .option("--site <id>", "the spaces of one site only")
    .option("--role <role>", "exactly this effective role only")
    .option("--guests", "guests only")
    .action(reportCommand);
  const token = rolebook.command("token").description("make, list or revoke tokens");
  add(token, "create")
    .description("make a token and print it, this once")
    .requiredOption("--organization <id>", "the organization it belongs to")
    .option("--member <user>", "act as this member; without it the token lists everything")
    .option("--name <text>", "what it is for")
    .option("--expires <lifetime>", "such as 90d or 12h; without it the token does not expire")
    .action(createTokenCommand);
  add(token, "list").description("the tokens, without their secrets").action(listTokensCommand);
  add(token, "revoke <id>").description("take a token's power at once").action(revokeTokenCommand);
  return rolebook;
}

function add(parent: Command, name: string): Command {
  return parent
    .command(name)
    .option(...DATABASE)
    .exitOverride();
}

// Who reads the result, such as head, may have had enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") fail(error);
  process.exit(1);
});

try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else fail(error);
}
