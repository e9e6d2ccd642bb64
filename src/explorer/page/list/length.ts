import { createContext } from "preact";

/** How long the list shown is by the counts, for lists that do not tell it themselves before their end. */
export const CountedLength = createContext<number | undefined>(undefined);
