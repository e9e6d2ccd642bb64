/** An error in a change file: the line of the record, the field, its value, and what is accepted. */
export interface Fault {
  readonly line: number;
  readonly field: string;
  readonly value: string;
  /** A remark that follows the value, such as the number of its dependents. */
  readonly note?: string;
  readonly accepted: string;
}
