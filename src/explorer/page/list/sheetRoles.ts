import { createContext } from "preact";
import type { RoleCounts } from "./Mix.tsx";

/** Called by a review with the role counts of its sheet; with `undefined` while there is none. */
export const TellSheetRoles = createContext<(roles: RoleCounts | undefined) => void>(() => {});
