export const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;

export interface Entry {
  readonly user: string;
  readonly role: string;
}

/** Asks for a range of an aggregate, which is sorted by user id. */
export interface Question {
  readonly kind: "space" | "collection";
  readonly id: string;
  readonly offset: number;
  readonly limit: number;
}

/** A system that answers "who has access, and in which role". */
export interface Peer {
  readonly ask: (question: Question) => Promise<Entry[]>;
  /** Describes the loaded data. */
  readonly holds: string;
}

/** Sorts as the API does, by bytes. The generated ids are ASCII, so text order is byte order. */
export const byUser = (a: Entry, b: Entry): number => (a.user < b.user ? -1 : a.user > b.user ? 1 : 0);
