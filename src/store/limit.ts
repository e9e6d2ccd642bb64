/**
 * A number at which the program goes another way: how many are few, how much is read at once. The
 * name is for tests, which put a module with small numbers in the place of this one (test/limits).
 */
export function limit(_name: string, usual: number): number {
  return usual;
}
