/** An error in a change file: the record, the field, its value and what is accepted. */
export interface Fault {
  readonly line: number;
  readonly field: string;
  readonly value: string;
  /** A further remark on the value, such as its dependents. */
  readonly note?: string;
  readonly accepted: string;
}
