import { show } from "../../../snapshot/problem.ts";
const NAMED = 5;

/** What a conversion derived or assumed, and warnings: sentences, each with a count and the first names. */
export class Notes {
  readonly #notes = new Map<string, { count: number; names: string[] }>();
  readonly #warnings = new Set<string>();

  /** Adds to the count of the sentence `what`. */
  add(what: string, name?: string): void {
    const note = this.#notes.get(what) ?? { count: 0, names: [] };
    this.#notes.set(what, note);
    note.count++;
    if (name !== undefined && note.names.length < NAMED) note.names.push(name);
  }

  /** Adds to the count of a sentence that is said without `--report` too. */
  warn(what: string, name: string): void {
    this.#warnings.add(what);
    this.add(what, name);
  }

  /** In the order in which the sentences were first added. */
  *lines(which: "all" | "warnings" = "all"): Generator<string> {
    for (const [what, { count, names }] of this.#notes) {
      if (which === "warnings" && !this.#warnings.has(what)) continue;
      const more = count - names.length;
      const rest = names.length > 0 && more > 0 ? `, … and ${more.toLocaleString("en")} more` : "";
      yield names.length === 0
        ? `${what}.`
        : `${what}: ${count.toLocaleString("en")} (${names.map(show).join(", ")}${rest}).`;
    }
  }
}
