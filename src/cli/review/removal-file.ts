import { TemporaryFile } from "../output/temporary-file.ts";
import type { Format } from "../output/list-output.ts";
import { RowsOutput } from "../output/rows-output.ts";
import { say } from "../context.ts";
import { PREVIEW, type PreviewLine, type RemovalPart } from "./preview.ts";
import { writeNamed } from "./write-named.ts";

/**
 * Collects the change file of a review, and writes it only when it is complete: without its end record, it could not be
 * applied.
 */
export class RemovalFile {
  readonly #text = new TemporaryFile();
  readonly #lines: RowsOutput;
  readonly #counts = new Map<PreviewLine["what"], number>();
  #removals = 0;

  constructor(format: Format) {
    this.#lines = new RowsOutput(format);
  }

  add({ records, lines }: RemovalPart): void {
    for (const record of records) {
      if ("removed" in record) this.#removals++;
      this.#text.write(Buffer.from(`${JSON.stringify(record)}\n`));
    }
    for (const { what } of lines) this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#lines.add(PREVIEW, lines);
  }

  async write(name: string): Promise<void> {
    writeNamed(name, this.#text.read());
    await this.#lines.print();
    const count = (what: PreviewLine["what"], one: string, many: string) => {
      const number = this.#counts.get(what) ?? 0;
      return number === 1 ? `1 ${one}` : `${number.toLocaleString("en")} ${many}`;
    };
    const removals = this.#removals;
    const permissions = removals === 1 ? "1 permission" : `${removals.toLocaleString("en")} permissions`;
    const roles = [
      count("lost", "role is lost", "roles are lost"),
      count("lowered", "becomes lower", "become lower"),
    ];
    const others = `nobody else’s role changes; ${count("left", "row stays", "rows stay")}`;
    say(`${name} removes ${permissions}: ${roles.join(", ")}, ${others}. rolebook apply ${name} applies it.`);
  }

  close(): void {
    this.#text.close();
    this.#lines.close();
  }
}
