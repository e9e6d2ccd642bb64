import { listRevisions, type ListedRevision } from "../../store/revisions/past.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import { oneOf } from "../options.ts";
import { print, table } from "../terminal.ts";

export interface RevisionsArguments {
  readonly organization?: string;
  readonly format?: string;
  readonly database?: string;
}

const HEAD = [
  "revision",
  "time",
  "command",
  "members",
  "guests",
  "teams",
  "collections",
  "spaces",
  "sites",
  "permissions",
  "note",
  "input (SHA-256)",
];

/** `rolebook revisions`: the revisions that can be read, latest first. */
export async function revisionsCommand(options: RevisionsArguments): Promise<void> {
  const format = oneOf("--format", options.format ?? "table", ["table", "ndjson"]);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    const rows: (string | number)[][] = [];
    for await (const each of listRevisions(store.engine, organization)) {
      if (format === "ndjson") await print(JSON.stringify(each));
      else rows.push(rowOf(each));
    }
    if (format === "table") await print(table(HEAD, rows));
  });
}

function rowOf({ revision, importedAt, command, note, input, counts }: ListedRevision): (string | number)[] {
  const { members, roles, teams, collections, spaces, sites, permissions } = counts;
  return [
    revision,
    importedAt,
    command,
    members,
    roles.guest,
    teams,
    collections,
    spaces,
    sites,
    permissions,
    note ?? "",
    input ?? "",
  ];
}
