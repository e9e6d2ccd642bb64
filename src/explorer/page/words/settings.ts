/** What contents are listed by, as headings name it. */
export const SETTINGS: Readonly<Record<string, string>> = {
  closed: "Closed contents",
  broad: "Edit or stronger by default",
  deleted: "Deleted spaces",
};
