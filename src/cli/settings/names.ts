/** Checks for environment variables that look like settings but are not. */
import { UsageError } from "../../domain/error.ts";
import { distance } from "../../domain/text/nearest.ts";
import { SETTINGS } from "./table.ts";

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
/** Variables that Kubernetes sets for a service named rolebook. */
const FOREIGN = /^ROLEBOOK_(?:SERVICE_|PORT)/;
/** A variable whose name differs from a setting's name by at most this many letters counts as a typing mistake. */
const SLIP = 2;

/**
 * Warnings about variables that begin like a setting, one line each. Throws a UsageError for one that can only be a
 * misspelt setting.
 */
export function nameWarnings(environment: NodeJS.ProcessEnv): string[] {
  const others = Object.keys(environment).filter((name) => !NAMES.includes(name) && !FOREIGN.test(name));
  for (const name of others) {
    const meant = NAMES.find((known) => isSlip(name.toUpperCase(), known));
    if (meant !== undefined) throw new UsageError(`${name} is not a setting; did you mean ${meant}?`);
  }
  return others
    .filter((name) => name.startsWith("ROLEBOOK_"))
    .map((name) => `${name} is not a setting and has no effect; rolebook --help lists the settings.`);
}

function isSlip(name: string, known: string): boolean {
  return Math.abs(name.length - known.length) <= SLIP && distance(name, known) <= SLIP;
}
