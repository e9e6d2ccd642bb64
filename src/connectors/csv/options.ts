import { UsageError } from "../../domain/error.ts";
import type { RecordOf } from "../../snapshot/records.ts";
import { validate } from "../../snapshot/validate.ts";
import { show } from "../../snapshot/problem.ts";
import { LEVEL_ACCEPTS, readLevel } from "./content-list.ts";
import type { Level } from "./contents.ts";

export interface CsvOptions {
  readonly organization: string;
  readonly title: string;
  readonly people?: readonly string[];
  readonly teams?: readonly string[];
  readonly content?: readonly string[];
  readonly access?: readonly string[];
  readonly sites?: readonly string[];
  readonly effective?: readonly string[];
  readonly defaultLevel?: string;
  readonly roles?: readonly string[];
  readonly ids?: string;
  readonly columns?: readonly string[];
  readonly encoding?: string;
  readonly pathSeparator?: string;
}

/**
 * The organization's record, and the default level if it is given. Throws a UsageError unless the options name people
 * and access, or effective roles.
 */
export function checked(options: CsvOptions): {
  organization: RecordOf<"organization">;
  level: Level | undefined;
} {
  const { people, access, effective, defaultLevel } = options;
  const organization = { object: "organization", id: options.organization, title: options.title } as const;
  const wrong = validate(organization);
  if (typeof wrong === "string") throw new UsageError(`--organization or --title: ${wrong}.`);
  if (effective === undefined && (people === undefined || access === undefined)) {
    throw new UsageError(
      "Say what to convert: --people FILE and --access FILE, or --effective FILE; see docs/csv.md.",
    );
  }
  if (effective !== undefined && access !== undefined) {
    throw new UsageError("--access and --effective are both given; accepted: one of them, see docs/csv.md.");
  }
  if (effective !== undefined && defaultLevel !== undefined) {
    throw new UsageError(
      "--default-level is given with --effective, which closes every content; accepted: one of them.",
    );
  }
  const files = [
    options.roles,
    options.ids,
    people,
    options.teams,
    options.content,
    access,
    options.sites,
    effective,
  ];
  if (files.flat().filter((file) => file === "-").length > 1) {
    throw new UsageError(
      "- is given for several files; accepted: for one file, because standard input can be read only once.",
    );
  }
  if (options.pathSeparator?.trim() === "")
    throw new UsageError('--path-separator is blank; accepted: the text between titles, such as " / ".');
  const level = defaultLevel === undefined ? undefined : readLevel(defaultLevel);
  if (defaultLevel !== undefined && level === undefined) {
    throw new UsageError(`--default-level is ${show(defaultLevel)}; ${LEVEL_ACCEPTS}.`);
  }
  return { organization, level };
}
