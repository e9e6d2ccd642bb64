import { useLayoutEffect, useReducer } from "preact/hooks";

export class Observable<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const tell of this.#listeners) tell();
  }

  /** Calls `tell` after each change until the returned function is called. */
  subscribe(tell: () => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }
}

/** The value of a cell. The component renders again when the value changes. */
export function useValue<Value>(cell: Observable<Value>): Value {
  const [, again] = useReducer<number, void>((n) => n + 1, 0);
  const rendered = cell.value;
  useLayoutEffect(() => {
    // The value may have changed between rendering and subscribing.
    if (!Object.is(cell.value, rendered)) again();
    return cell.subscribe(() => again());
  }, [cell]);
  return rendered;
}
