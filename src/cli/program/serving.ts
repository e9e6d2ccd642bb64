import type { Command } from "commander";
import { add, lazily } from "./command.ts";

/** Commands that serve listings, print them, and manage tokens for them. */
export async function addServing(rolebook: Command, words: readonly string[]): Promise<void> {
  rolebook.commandsGroup("Serve:");
  add(rolebook, "serve")
    .description("serve the listings and the explorer over HTTP")
    .option("--port <port>", "the port to listen on", "3000")
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .option("--workers <number>", "how many processes share the port; at most one per core is useful", "1")
    .action(lazily(async () => (await import("../server/serve.ts")).serveCommand));
  const list = rolebook
    .command("list")
    .description("print a listing of the server in ROLEBOOK_URL, with the token in ROLEBOOK_TOKEN");
  if (words.includes("list")) (await import("../commands/access/list.ts")).addLists(list);
  const token = rolebook.command("token").description("create, list, rotate or revoke tokens");
  add(token, "create")
    .description("create a token and print it, once")
    .requiredOption("--organization <id>", "the organization it belongs to")
    .option("--member <user>", "act as this member; without it the token lists everything")
    .option("--name <text>", "a name that says what the token is for")
    .option("--expires <lifetime>", "such as 90d or 12h; without it the token does not expire")
    .action(lazily(async () => (await import("../commands/database/token.ts")).createTokenCommand));
  add(token, "list")
    .description("list the tokens, without their secrets")
    .action(lazily(async () => (await import("../commands/database/token.ts")).listTokensCommand));
  add(token, "rotate <id>")
    .description("replace a token: create a new one and print it, once; the old one ends")
    .option("--grace <time>", "how long the old one still works, such as 24h or 7d", "24h")
    .action(lazily(async () => (await import("../commands/database/token.ts")).rotateTokenCommand));
  add(token, "revoke <id>")
    .description("revoke a token at once")
    .action(lazily(async () => (await import("../commands/database/token.ts")).revokeTokenCommand));
}
