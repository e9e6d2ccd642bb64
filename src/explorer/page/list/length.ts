import { createContext } from "preact";

/**
 * The length of the shown list, from the answer of `counts`. Some lists know their length only when they are loaded to
 * the end.
 */
export const CountedLength = createContext<number | undefined>(undefined);
