type Fields = Readonly<Record<string, unknown>>;

/** What a field means that a record leaves out, by kind; an empty `urls` says as much as none. */
export const DEFAULTS: Readonly<Record<string, Fields>> = {
  user: { urls: {} },
  collection: { defaultLevel: "inherit" },
  site: { defaultLevel: "inherit" },
  space: {
    emoji: "",
    visibility: "private",
    revision: "",
    defaultLevel: "inherit",
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    urls: {},
  },
};

/** A record as an export has it, in any order of fields: without its defaults (docs/snapshot.md and docs/changes.md). */
export function withoutDefaults(record: Fields): Fields {
  const defaults = DEFAULTS[String(record.object)] ?? {};
  const said = Object.entries(record).filter(
    ([name, value]) => !(name in defaults) || JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return Object.fromEntries(said);
}
