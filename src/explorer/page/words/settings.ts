/** The headings of the lists of contents with a setting. */
export const SETTINGS: Readonly<Record<string, string>> = {
  closed: "Closed contents",
  broad: "Edit or stronger by default",
  deleted: "Deleted spaces",
};
