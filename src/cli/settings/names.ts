/** Names of environment variables that look like settings and are none. */
import { UsageError } from "../../domain/error.ts";
import { distance } from "../../domain/text/nearest.ts";
import { SETTINGS } from "./table.ts";

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
/** What Kubernetes sets for a service that is called rolebook. */
const FOREIGN = /^ROLEBOOK_(?:SERVICE_|PORT)/;
/** A name that differs from a setting's by as many letters or fewer is a slip. */
const SLIP = 2;

/**
 * What to say of variables that begin like a setting and are none, a line each. Throws a UsageError for one that can
 * only be a misspelt setting.
 */
export function nameWarnings(environment: NodeJS.ProcessEnv): string[] {
  const others = Object.keys(environment).filter((name) => !NAMES.includes(name) && !FOREIGN.test(name));
  for (const name of others) {
    const meant = NAMES.find((known) => isSlip(name.toUpperCase(), known));
    if (meant !== undefined) throw new UsageError(`${name} is not a setting; is ${meant} meant?`);
  }
  return others
    .filter((name) => name.startsWith("ROLEBOOK_"))
    .map((name) => `${name} is not a setting and changes nothing; rolebook --help lists the settings.`);
}

function isSlip(name: string, known: string): boolean {
  return Math.abs(name.length - known.length) <= SLIP && distance(name, known) <= SLIP;
}
