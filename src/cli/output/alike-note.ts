import { quote } from "../../domain/text/quote.ts";
import type { AlikeIds } from "../../store/writing/generation/alike.ts";
import { say } from "../context.ts";

/** Prints a note about ids that people may confuse because they differ only in case. Such ids are allowed. */
export function noteAlike(alike: readonly AlikeIds[]): void {
  for (const { organization, kind, one, other } of alike) {
    say(
      `Note: in organization ${organization} the ${kind} ids ${quote(one)} and ${quote(other)} differ only in case; they are different ids.`,
    );
  }
}
