import { createContext } from "preact";

/** The length of the shown list by the counts, for lists whose length is unknown before their end. */
export const CountedLength = createContext<number | undefined>(undefined);
