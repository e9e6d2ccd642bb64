/**
 * The commands: their words, what `help` says of them, and their options, declared once. What commander declares
 * (`program.ts`) and what a command gets ({@link CommandOptions}) follow from this.
 */
import type { Command } from "commander";
import { DATABASE_URLS } from "../store/engine/engine.ts";

/** What an option means; with its default value, or if it is required. */
type Meaning = string | readonly [meaning: string, otherwise: string] | { readonly required: string };

/**
 * Options by their flags, as commander reads them: `--at <when>` has a value, `--verify [number]` may have one,
 * `--space <id...>` takes several.
 */
export type OptionTable = Readonly<Record<string, Meaning>>;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type NameOf<Flags> = Flags extends `${infer Long} ${string}`
  ? NameOf<Long>
  : Flags extends `--no-${infer Name}`
    ? Camel<Name>
    : Flags extends `--${infer Name}`
      ? Camel<Name>
      : never;
type ValueOf<Flags> = Flags extends `${string}...>`
  ? readonly string[]
  : Flags extends `${string}>`
    ? string
    : Flags extends `${string}]`
      ? string | true
      : boolean;

/** What commander makes of the options of a table. Only those that are required or have a default are always there. */
export type OptionsOf<Table> = {
  readonly [Flags in keyof Table as Table[Flags] extends string ? NameOf<Flags> : never]?: ValueOf<Flags>;
} & {
  readonly [Flags in keyof Table as Table[Flags] extends string ? never : NameOf<Flags>]: ValueOf<Flags>;
};

export function addOptions(command: Command, table: OptionTable): Command {
  for (const [flags, meaning] of Object.entries(table)) {
    if (typeof meaning === "string") command.option(flags, meaning);
    else if ("required" in meaning) command.requiredOption(flags, meaning.required);
    else command.option(flags, ...meaning);
  }
  return command;
}

const DATABASE = {
  "--database <url>": `${DATABASE_URLS} (default: ROLEBOOK_DATABASE_URL, or sqlite:rolebook.db)`,
} as const;
const ORGANIZATION = { "--organization <id>": "the organization; required if there are several" } as const;
const ONLY_ORGANIZATION = { "--organization <id>": "only this organization" } as const;
const FORMAT = { "--format <format>": "table, csv or ndjson" } as const;
export const AT = {
  "--at <when>":
    "a past revision: its number, the end of a day (UTC) or a date and time; by default the current one",
} as const;

/** What `import` and `apply` have in common. */
const WRITING = {
  ...DATABASE,
  "--dry-run": "check and compare, change nothing",
  "--details": "list each record that is added, changed or removed, and each token that is deleted",
  "--format <format>": "table, ndjson, or with --details csv; ndjson ends with a line on the outcome",
  "--complete": "refuse a file without an end record, which proves that the file is complete",
  "--allow-removals":
    "override the guard: allow many removals, new admins, guests who become members, or opened contents",
} as const;
const NOTED = {
  "--note <text>": "a note that rolebook revisions shows",
  "--wait <time>": ["how long to wait for another import or change, such as 30s or 1h", "10m"],
} as const;
const EXPLAINED = {
  ...DATABASE,
  ...ORGANIZATION,
  "--format <format>": "table or ndjson",
  ...AT,
} as const;

export interface DeclaredCommand {
  /** Its arguments, such as `<user> <content>`. */
  readonly takes?: string;
  /** For the overview; absent inside a group. */
  readonly summary?: string;
  readonly description: string;
  readonly example: string;
  readonly options: OptionTable;
}

/** By the words with which a command is called, in the order of the overview. */
export const COMMANDS = {
  serve: {
    summary: "answer HTTP requests",
    description: "serve the listings and the explorer over HTTP",
    example: "serve --port 8080",
    options: {
      ...DATABASE,
      "--port <port>": ["the port to listen on", "3000"],
      "--host <host>": ["the address to listen on", "127.0.0.1"],
      "--workers <number>": ["how many processes share the port; at most one per core is useful", "1"],
    },
  },
  "token create": {
    description: "create a token and print it, once",
    example: "token create --organization acme --expires 90d",
    options: {
      ...DATABASE,
      "--organization <id>": { required: "the organization it belongs to" },
      "--member <user>": "act as this member; without it the token lists everything",
      "--name <text>": "a name that says what the token is for",
      "--expires <lifetime>": "such as 90d or 12h; without it the token does not expire",
    },
  },
  "token list": {
    description: "list the tokens, without their secrets",
    example: "token list",
    options: {
      ...DATABASE,
      "--sessions": "list the sessions of people who signed in instead",
      ...FORMAT,
    },
  },
  "token rotate": {
    takes: "<id>",
    description: "replace a token: create a new one and print it, once; the old one ends",
    example: "token rotate 4fTq0cVxW2aB --grace 24h",
    options: {
      ...DATABASE,
      "--grace <time>": ["how long the old one still works, such as 24h or 7d", "24h"],
    },
  },
  "token revoke": {
    takes: "<id>",
    description: "revoke a token at once",
    example: "token revoke 4fTq0cVxW2aB",
    options: DATABASE,
  },
  "sign-in list": {
    description: "list which account is bound to which member",
    example: "sign-in list",
    options: { ...DATABASE, ...FORMAT },
  },
  "sign-in unbind": {
    takes: "<user>",
    description: "unbind a member's account and end the member's sessions; the next sign-in binds anew",
    example: "sign-in unbind ana --organization acme",
    options: { ...DATABASE, ...ORGANIZATION },
  },
  import: {
    takes: "<file...>",
    summary: "whole snapshot files",
    description: "make each organization in the files exactly what they say; - is standard input",
    example: "import --complete directory.ndjson",
    options: {
      ...WRITING,
      "--allow-empty": "allow a new organization without members",
      "--refuse-returned": "refuse members, memberships and permissions that rolebook apply removed",
      "--rules <file>": "report which rules in a file the import newly breaks",
      "--enforce": "with --rules, refuse an import that newly breaks one",
      "--base <revision>": "refuse if the organization has changed since this revision",
      ...NOTED,
    },
  },
  apply: {
    takes: "<file...>",
    summary: "change files",
    description: "apply the changes in each file, one revision per file; - is standard input",
    example: "apply --dry-run --details changes.ndjson",
    options: {
      ...WRITING,
      ...NOTED,
      "--follow": "keep reading: apply each batch at its end record, and print a line of JSON for it",
      "--rules <file>": "report which rules in a file the change newly breaks",
      "--enforce": "with --rules, refuse a change that newly breaks one",
    },
  },
  export: {
    summary: "write a snapshot file",
    description: "write an organization as a snapshot file to standard output",
    example: "export --organization acme > acme.ndjson",
    options: { ...DATABASE, "--organization <id>": { required: "the organization" }, ...AT },
  },
  schema: {
    summary: "JSON Schemas of files",
    description: "print the JSON Schema of a line of the snapshot file",
    example: "schema --changes",
    options: {
      "--changes": "print that of a line of the change file",
      "--rules": "print that of the rules file",
    },
  },
  find: {
    takes: "<text>",
    summary: "search titles and names",
    description: "find members, teams, contents and sites by title, name or e-mail address",
    example: 'find "api ref"',
    options: { ...DATABASE, ...ORGANIZATION, ...FORMAT, ...AT },
  },
  why: {
    takes: "<user> <content>",
    summary: "explain one role",
    description: "explain a role on a space, collection or site, step by step",
    example: "why ana@acme.example space/api-reference",
    options: EXPLAINED,
  },
  without: {
    takes: "<source> [user] [content]",
    summary: "effect of a removal",
    description:
      "show the effect of removing team/ID, team/ID@CONTENT, user/ID@CONTENT, default@CONTENT or site/ID: on everybody, or on one role",
    example: "without team/docs@collection/handbook",
    options: EXPLAINED,
  },
  report: {
    summary: "all roles, for a review",
    description: "write who has which role where, and why, as one CSV for a review",
    example: "report --collection handbook > review.csv",
    options: {
      ...DATABASE,
      ...ORGANIZATION,
      "--format <format>": "table, csv (the default, for a review) or ndjson",
      "--space <id...>": "only these spaces",
      "--collection <id...>": "only these collections and everything in them",
      "--site <id...>": "only the spaces of these sites",
      "--sites": "what sites themselves say, also where that decides nothing; with --site, only these sites",
      "--user <id...>": "only what these users can access",
      "--role <role>": "only exactly this effective role",
      "--guests": "only guests",
      "--least <role>": "only this effective role or a stronger one",
      "--direct": "only roles from direct permissions",
      "--team <id>": "only roles from the permissions of this team",
      "--without-admins": "leave out organization admins",
      "--since <day>": "only who had no role there, or a lower one, when this day (UTC) began",
      ...AT,
      "--no-head": "omit the lines above the column names, for programs",
    },
  },
  diff: {
    summary: "who gained and lost roles",
    description: "list whose effective role differs between two revisions, where, and why",
    example: "diff --from 2026-03-01",
    options: {
      ...DATABASE,
      ...ORGANIZATION,
      "--from <when>": {
        required: "the first revision: its number, the end of a day (UTC) or a date and time",
      },
      "--to <when>": "the second revision, given in the same way; by default the current one",
      "--space <id...>": "one row per user and content: only on these spaces",
      "--collection <id...>":
        "one row per user and content: only on these collections and everything in them",
      "--site <id...>": "one row per user and content: only on the spaces of these sites",
      "--user <id...>": "one row per user and content: only for these users",
      "--pairs": "one row per user and content: all of them",
      "--role <role>": "only differences from or to exactly this role",
      "--least <role>": "only differences from or to this role or a stronger one",
      "--guests": "only guests",
      "--gained": "only gained roles; can be combined with the next three options",
      "--lost": "only lost roles",
      "--raised": "only raised roles",
      "--lowered": "only lowered roles",
      "--records": "print the changed records as a change file for rolebook apply",
      "--base": "with --records: make a file that applies only to the revision of --from",
      ...FORMAT,
      "--no-head": "omit the lines above the column names of a CSV, for programs",
    },
  },
  check: {
    takes: "<rules>",
    summary: "which rules are broken",
    description:
      "list which rules of a file are broken, where and by whom; exit status 1 if one is or cannot be checked, 2 if one is misspelt",
    example: "check rules.yaml",
    options: {
      ...DATABASE,
      ...ORGANIZATION,
      ...FORMAT,
      "--limit <number>": ["the number of breaches listed per rule; all are counted", "100"],
      "--record": "keep the result for metrics and the explorer",
      ...AT,
    },
  },
  review: {
    takes: "<file>",
    summary: "what became of a review",
    description: "compare a decided report with today: the outcome of each row, and newcomers",
    example: "review review.csv --changes removals.ndjson",
    options: {
      ...DATABASE,
      ...FORMAT,
      ...AT,
      "--decision <word>": "only rows with this decision: keep, remove, ask, other or open",
      "--outcome <word>": "only rows with this outcome: removed, below, changed, still there or came",
      "--changes <out>": "write the change file that carries out removals, and print what it would change",
      "--summary <out>": "write the signed-off summary: a page to print (.html) or a sheet (.csv)",
      "--by <name>": "with --summary: who signs off the decisions",
    },
  },
  tidy: {
    summary: "what can be tidied up",
    description: "list redundant permissions, empty teams, and whatever else to tidy up",
    example: "tidy --format csv > tidy.csv",
    options: {
      ...DATABASE,
      ...ORGANIZATION,
      "--format <format>": "table, csv, ndjson, or changes: a change file that removes redundant permissions",
      ...AT,
    },
  },
  revisions: {
    summary: "the revisions kept",
    description: "list the readable revisions of an organization: number, time, command, counts, note, input",
    example: "revisions --organization acme",
    options: { ...DATABASE, ...ORGANIZATION, ...FORMAT },
  },
  history: {
    takes: "[duration]",
    summary: "how long they are kept",
    description:
      "print how long revisions are kept after they are replaced; with a duration, such as 400d or forever, set it",
    example: "history 400d",
    options: {
      ...DATABASE,
      "--yes": "allow a shorter duration, which deletes revisions for good",
      ...FORMAT,
    },
  },
  "organization list": {
    description: "list the organizations",
    example: "organization list",
    options: { ...DATABASE, ...FORMAT },
  },
  "organization remove": {
    takes: "<id>",
    description: "remove an organization with its past and its tokens, and overwrite them in a SQLite file",
    example: "organization remove acme --yes",
    options: {
      ...DATABASE,
      "--yes": "confirm; without it, the command names what it would remove, and asks at a terminal",
    },
  },
  "organization forget-user": {
    takes: "<user>",
    description: "remove a person who has left from all past revisions",
    example: "organization forget-user --organization acme jonas",
    options: { ...DATABASE, "--organization <id>": { required: "the organization" } },
  },
  status: {
    summary: "how fresh, how large",
    description: "show each organization, its last import and its counts, and the size of the database",
    example: "status --organization acme",
    options: { ...DATABASE, ...ONLY_ORGANIZATION, ...FORMAT },
  },
  verify: {
    summary: "check what is stored",
    description: "check the rows of every revision by their checksums, and the log between them",
    example: "verify --repair",
    options: {
      ...DATABASE,
      ...ONLY_ORGANIZATION,
      "--repair": "say what mends what is damaged; nothing is changed",
      ...FORMAT,
    },
  },
  backup: {
    takes: "<file>",
    summary: "copy the database",
    description: "copy the database to a new file, also while servers and imports use it",
    example: "backup rolebook-backup.db",
    options: DATABASE,
  },
  "database migrate": {
    description: "create the tables, or migrate them to this version of the program",
    example: "database migrate",
    options: DATABASE,
  },
} as const satisfies Readonly<Record<string, DeclaredCommand>>;

export type CommandName = keyof typeof COMMANDS;

/** What a command gets. */
export type CommandOptions<Name extends CommandName> = OptionsOf<(typeof COMMANDS)[Name]["options"]>;

/** Groups of commands. The overview shows a group in one line. */
export const GROUPS: Readonly<Record<string, readonly [summary: string, description: string]>> = {
  list: [
    "the lists of a server",
    "print a listing of the server in ROLEBOOK_URL, with the token in ROLEBOOK_TOKEN",
  ],
  token: ["create and revoke tokens", "create, list, rotate or revoke tokens"],
  "sign-in": ["accounts that sign in", "list or unbind the accounts of people who sign in"],
  convert: ["spreadsheets to a file", "make a snapshot file from other files"],
  pull: ["GitBook to a file", "make a snapshot file from another system"],
  organization: ["list, remove, forget", "list or remove organizations, or forget a person who has left"],
  database: ["migrate the database", "manage a PostgreSQL database"],
};

/** An example, as the help of a command shows it. */
export function example(line: string): string {
  return `\nExample:\n  rolebook ${line}`;
}
