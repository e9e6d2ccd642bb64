import { quote } from "../../domain/text.ts";
import type { AlikeIds } from "../../store/writing/generation/checks.ts";
import { say } from "../context.ts";

/** Ids that differ only in case are allowed, but people may confuse them. */
export function noteAlike(alike: readonly AlikeIds[]): void {
  for (const { organization, kind, one, other } of alike) {
    say(
      `Note: in organization ${organization} the ${kind} ids ${quote(one)} and ${quote(other)} differ only in case; they are different ids.`,
    );
  }
}
