/** Finds environment variables that are probably misspelt settings. */
import { UsageError } from "../../domain/error.ts";
import { distance } from "../../domain/text.ts";
import { SETTINGS } from "./table.ts";

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
/** Kubernetes sets these for a service named rolebook. */
const FOREIGN = /^ROLEBOOK_(?:SERVICE_|PORT)/;
/** The most letters in which a misspelt name differs from a setting's. */
const SLIP = 2;

/**
 * A warning for each variable that begins like a setting. Throws a UsageError for one whose name is almost a setting's.
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
