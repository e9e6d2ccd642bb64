/** The six roles, weakest first. */
export const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;

/** One line of an aggregate: a user and their effective role. */
export interface Entry {
  readonly user: string;
  readonly role: string;
}

/** A range of an aggregate, by user id, ascending. */
export interface Question {
  /** `space` or `collection`, then the id. */
  readonly kind: "space" | "collection";
  readonly id: string;
  readonly offset: number;
  readonly limit: number;
}

/** The variants of answering a question. */
export type Way = "perRole" | "accessThenCheck" | "plain";

/** Answers "who has access, and in which role", in one or more variants. */
export interface Peer {
  readonly ways: Readonly<Partial<Record<Way, (question: Question) => Promise<Entry[]>>>>;
  /** The loaded data, in words. */
  readonly holds: string;
}

/** The order of the API, bytes; the generated ids are ASCII, so comparing them as text gives the same. */
export const byUser = (a: Entry, b: Entry): number => (a.user < b.user ? -1 : a.user > b.user ? 1 : 0);
