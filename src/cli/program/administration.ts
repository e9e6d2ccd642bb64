import type { Command } from "commander";
import { add, lazily } from "./command.ts";

/** Commands for the administrators of a database. */
export function addAdministration(rolebook: Command): void {
  rolebook.commandsGroup("Administration:");
  const organization = rolebook
    .command("organization")
    .description("list or remove organizations, or forget a person who has left");
  add(organization, "list")
    .description("list the organizations")
    .action(
      lazily(async () => (await import("../commands/database/organization.ts")).listOrganizationsCommand),
    );
  add(organization, "remove <id>")
    .description("remove an organization with its past and its tokens, and overwrite them in a SQLite file")
    .option("--yes", "confirm; without it, the command names what it would remove, and asks at a terminal")
    .action(
      lazily(async () => (await import("../commands/database/organization.ts")).removeOrganizationCommand),
    );
  add(organization, "forget-user <user>")
    .description("remove a person who has left from all past revisions")
    .requiredOption("--organization <id>", "the organization")
    .action(lazily(async () => (await import("../commands/database/organization.ts")).forgetUserCommand));
  add(rolebook, "status")
    .description("show each organization, its last import and its counts, and the size of the database")
    .action(lazily(async () => (await import("../commands/database/status.ts")).statusCommand));
  add(rolebook, "verify")
    .description("recompute all derived data from the records, and compare")
    .option("--organization <id>", "only this organization")
    .option("--repair", "if anything differs, write the recomputed data as a new revision")
    .action(lazily(async () => (await import("../commands/database/verify.ts")).verifyCommand));
  add(rolebook, "backup <file>")
    .description("copy the database to a new file, also while servers and imports use it")
    .action(lazily(async () => (await import("../commands/database/backup.ts")).backupCommand));
  const database = rolebook.command("database").description("manage a PostgreSQL database");
  add(database, "migrate")
    .description("create the tables, or migrate them to this version of the program")
    .action(lazily(async () => (await import("../commands/database/migrate.ts")).migrateDatabaseCommand));
}
