/** What keeps a change from being made: a record of the file, the field, its value and what is accepted. */
export interface Fault {
  readonly line: number;
  readonly field: string;
  readonly value: string;
  /** What else there is to say of the value, such as what hangs on it. */
  readonly note?: string;
  readonly accepted: string;
}
