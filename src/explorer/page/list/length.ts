import { createContext } from "preact";

/**
 * The length of the shown list from the answer of `counts`, for lists whose own length is unknown until they are read
 * to the end.
 */
export const CountedLength = createContext<number | undefined>(undefined);
