/** The paths of the explorer's requests. A server routes them before it loads what answers them. */
export const EXPLORER_PATHS = [
  "/explorer/me",
  "/explorer/overview",
  "/explorer/tree",
  "/explorer/search",
  "/explorer/counts",
  "/explorer/access",
  "/explorer/why",
  "/explorer/without",
  "/explorer/rules",
  "/explorer/revisions",
  "/explorer/changes",
  "/explorer/since",
  "/explorer/csv",
  "/explorer/report",
  "/explorer/tidy",
  "/explorer/outcomes",
  "/explorer/breaches",
] as const;

export type ExplorerPath = (typeof EXPLORER_PATHS)[number];
