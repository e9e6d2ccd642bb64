import { SetBuilder } from "../../../../sets/builder.ts";
import { headBytes } from "../../../../sets/head.ts";
import type { Column, Staging } from "../../../engine/engine.ts";
import type { Universe } from "../../../schema/set-names.ts";
import { HEADS } from "../../../sets/container-row.ts";

const COLUMNS = 5;
const ROWS_AN_APPEND = 4096;

/** A set that is being staged. `builder` receives its positions; call `end` after the last one. */
export interface OpenSet {
  readonly builder: SetBuilder;
  readonly end: () => void;
}

/** Collects containers and heads of sets until there are enough rows for an append. */
export class SetRows {
  readonly #staging: Staging;
  #values: Column[] = [];

  private constructor(staging: Staging) {
    this.#staging = staging;
  }

  static async begin(staging: Staging): Promise<SetRows> {
    const { text, bytes } = staging.dialect;
    await staging.create(
      "staged_container",
      `generation bigint, universe smallint, chunk bigint, name ${text}, bits ${bytes}`,
    );
    return new SetRows(staging);
  }

  open(generation: number, universe: Universe, name: string): OpenSet {
    const put = (chunk: number, bits: Uint8Array) => {
      this.#values.push(generation, universe, chunk, name, bits);
    };
    const builder = new SetBuilder(put);
    return { builder, end: () => put(HEADS, headBytes(builder.end())) };
  }

  get isFull(): boolean {
    return this.#values.length >= COLUMNS * ROWS_AN_APPEND;
  }

  async flush(): Promise<void> {
    const values = this.#values;
    this.#values = [];
    if (values.length > 0) await this.#staging.append("staged_container", COLUMNS, values);
  }
}
