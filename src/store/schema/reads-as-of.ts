import type { Column, Parameter, Statement } from "../engine/engine.ts";

/** Reads as of one revision. */
export interface AsOf {
  /** The first two parameters of every statement. */
  readonly asOf: readonly [generation: number, revision: number];
  read<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]>;
}
