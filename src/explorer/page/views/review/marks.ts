/**
 * The marks of all drafts, in the browser's IndexedDB. Unlike local storage, it keeps what was written when the browser
 * crashes, writes one mark without rewriting the others, and has room for every row of many sheets.
 */
import type { Me } from "../../../wire/answers.ts";
import type { Mark, SheetRow } from "./sheet.ts";

/** Whose drafts these are. */
export interface Holder {
  readonly organization: string;
  /** `member/ID`, or {@link BROWSER} for every token of the organization. */
  readonly reviewer: string;
  /** The id of the token or session. */
  readonly token: string;
  /** The name of the organization token, or its id if it has no name; empty for a member. */
  readonly tokens: readonly string[];
}

/**
 * The reviewer of drafts that organization tokens made in this browser. A token is rotated and revoked, and the review
 * goes on with the next one.
 */
const BROWSER = "browser";

export function holderOf({ organization, caller, tokenId }: Me): Holder {
  const holder = { organization: organization.id, token: tokenId };
  return caller.kind === "member"
    ? { ...holder, reviewer: `member/${caller.id}`, tokens: [] }
    : { ...holder, reviewer: BROWSER, tokens: [caller.token || tokenId] };
}

/**
 * A mark on a row, as a reviewer saw it. On another role or reason of the same row it would be another mark, so a page
 * that shows an older revision never replaces what was decided on a newer one.
 */
export interface KeptMark extends Mark, Pick<Holder, "organization" | "reviewer"> {
  /** What the sheet covers, as its `draft` says it. */
  readonly covers: string;
  /** The key of the row. */
  readonly row: string;
  /** The role that the reviewer saw, and the fingerprint of its reason. */
  readonly role: string;
  readonly reason: string;
  /** The revision that the reviewer saw. */
  readonly revision: number;
  /** When the mark was made, in ms since 1970. */
  readonly at: number;
  /** The names of the organization tokens with which the mark was made. Earlier versions of the page kept none. */
  readonly tokens?: readonly string[];
  /** What the file that was saved or opened last says about the row. */
  readonly saved?: Mark | undefined;
}

/** The key of a mark. Its first parts are the keys of a reviewer, a draft and a row. */
const KEY = ["organization", "reviewer", "covers", "row", "role", "reason"] as const;

export function keyOf(mark: KeptMark): string {
  return JSON.stringify(KEY.map((part) => mark[part]));
}

/** What a report of an earlier review says about a row: without names, as all that the browser keeps. */
export type EarlierRow = Pick<SheetRow, "key" | "role" | "reason"> & Pick<Mark, "decision">;

/** An earlier report beside the draft with this key. */
export interface EarlierReport {
  readonly revision: number;
  readonly rows: readonly EarlierRow[];
}

export function readEarlier(draft: readonly string[]): Promise<EarlierReport | undefined> {
  return inStore("readonly", EARLIER, (store) => {
    const request: IDBRequest<EarlierReport | undefined> = store.get([...draft]);
    return () => request.result;
  });
}

/** Keeps an earlier report; `undefined` forgets the one that is kept. */
export function writeEarlier(draft: readonly string[], report: EarlierReport | undefined): Promise<void> {
  return inStore("readwrite", EARLIER, (store) => {
    if (report === undefined) store.delete([...draft]);
    else store.put(report, [...draft]);
    return () => {};
  });
}

/** The marks whose key begins with these parts. */
export function readMarks(first: readonly string[]): Promise<KeptMark[]> {
  return inStore("readonly", MARKS, (store) => {
    const request: IDBRequest<KeptMark[]> = store.getAll(rangeOf(first));
    return () => request.result;
  });
}

/** Deletes marks, then writes marks. */
export function writeMarks(put: readonly KeptMark[], removed: readonly KeptMark[]): Promise<void> {
  return inStore("readwrite", MARKS, (store) => {
    for (const mark of removed) store.delete(KEY.map((part) => mark[part]));
    for (const mark of put) store.put(mark);
    // Without this, a mark that is made just before the page closes would be lost.
    store.transaction.commit();
    return () => {};
  });
}

/** Replaces each mark whose key begins with these parts; `undefined` deletes it. */
export function replaceMarks(
  first: readonly string[],
  replace: (mark: KeptMark) => KeptMark | undefined,
): Promise<void> {
  return inStore("readwrite", MARKS, (store) => {
    const request: IDBRequest<KeptMark[]> = store.getAll(rangeOf(first));
    request.addEventListener("success", () => {
      for (const mark of request.result) {
        const next = replace(mark);
        if (next === undefined) store.delete(KEY.map((part) => mark[part]));
        else if (next !== mark) store.put(next);
      }
    });
    return () => {};
  });
}

function rangeOf(first: readonly string[]): IDBKeyRange {
  // An array sorts after every text.
  return IDBKeyRange.bound(first, [...first, []]);
}

let opened: Promise<IDBDatabase> | undefined;

/** Runs one transaction. Rejects if this browser stores nothing, or has no room. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  name: typeof MARKS | typeof EARLIER,
  act: (store: IDBObjectStore) => () => Result,
): Promise<Result> {
  opened ??= open();
  const database = await opened.catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const result = act(transaction.objectStore(name));
    transaction.addEventListener("complete", () => resolve(result()));
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("It was aborted.")));
  });
}

const MARKS = "marks";
const EARLIER = "earlier";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("rolebook", 2);
    request.addEventListener("upgradeneeded", ({ oldVersion }) => {
      if (oldVersion < 1) request.result.createObjectStore(MARKS, { keyPath: [...KEY] });
      request.result.createObjectStore(EARLIER);
    });
    request.addEventListener("success", () => {
      const database = request.result;
      // A later version of the page may change the database while this one is open.
      database.addEventListener("versionchange", () => database.close());
      database.addEventListener("close", () => (opened = undefined));
      resolve(database);
    });
    request.addEventListener("error", () => reject(request.error ?? new Error("It was not opened.")));
  });
}

/** A draft in local storage, where earlier versions of the page kept one per organization, token and sheet. */
interface LocalDraft {
  /** The SHA-256 of the rows that the reviewer saw. */
  readonly sha256: string;
  readonly marks: Readonly<Record<string, Mark>>;
  readonly saved: boolean;
}

/**
 * Moves the drafts of a reviewer to where they are kept now, from where earlier versions of the page kept them. Returns
 * the marks that could not be written there.
 */
export async function moveOlderDrafts(holder: Holder): Promise<KeptMark[]> {
  if (holder.reviewer === BROWSER) await moveTokenDrafts(holder).catch(() => {});
  return moveLocalDrafts(holder);
}

/** The beginning of the reviewer of drafts that belonged to one organization token, before its id. */
const TOKEN = "token/";

async function moveTokenDrafts(holder: Holder): Promise<void> {
  const { organization } = holder;
  const range = IDBKeyRange.bound([organization, TOKEN], [organization, `${TOKEN}\uffff`]);
  await inStore("readwrite", MARKS, (store) => {
    const older: IDBRequest<KeptMark[]> = store.getAll(range);
    older.addEventListener("success", () => {
      for (const mark of older.result.toSorted((a, b) => a.at - b.at)) {
        const id = mark.reviewer.slice(TOKEN.length);
        const moved = { ...mark, reviewer: BROWSER, tokens: id === holder.token ? holder.tokens : [id] };
        const there: IDBRequest<KeptMark | undefined> = store.get(KEY.map((part) => moved[part]));
        // Of several tokens' marks on one row, the last one holds: it is written last.
        there.addEventListener("success", () => {
          if (there.result === undefined || there.result.at < moved.at) store.put(moved);
        });
      }
      store.delete(range);
    });
    return () => {};
  });
  await inStore("readwrite", EARLIER, (store) => {
    const older: IDBRequest<IDBCursorWithValue | null> = store.openCursor(range);
    older.addEventListener("success", () => {
      const cursor = older.result;
      if (cursor === null || !Array.isArray(cursor.key)) return;
      const [, , covers = ""] = cursor.key;
      store.put(cursor.value, [organization, BROWSER, covers]);
      cursor.delete();
      cursor.continue();
    });
    return () => {};
  });
}

async function moveLocalDrafts(holder: Holder): Promise<KeptMark[]> {
  const marks: KeptMark[] = [];
  try {
    const first = ["rolebook.draft", holder.organization, holder.token, ""].map(encodeURIComponent).join("/");
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(first));
    for (const key of keys) {
      const draft: LocalDraft = JSON.parse(localStorage.getItem(key) ?? "");
      marks.push(...marksOf(draft, holder, decodeURIComponent(key.slice(first.length))));
    }
    if (marks.length > 0) await writeMarks(marks, []);
    for (const key of keys) localStorage.removeItem(key);
    return [];
  } catch {
    return marks;
  }
}

function marksOf({ sha256, marks, saved }: LocalDraft, holder: Holder, covers: string): KeptMark[] {
  const { organization, reviewer, tokens } = holder;
  return Object.entries(marks).map(([row, mark]) => ({
    ...mark,
    organization,
    reviewer,
    covers,
    row,
    tokens,
    // The draft does not say which roles the reviewer saw, only which sheet.
    role: "",
    reason: sha256,
    revision: 0,
    at: Date.now(),
    saved: saved ? mark : undefined,
  }));
}
