/** Drafts of reviews: the marks of one reviewer on the rows of one sheet, the same in every tab. */
import { Observable } from "../../parts/observable.ts";
import {
  type Holder,
  type KeptMark,
  keyOf,
  moveOlderDrafts,
  readMarks,
  replaceMarks,
  writeMarks,
} from "./marks.ts";
import { type Mark, isEmpty } from "./sheet.ts";

/** The newest of some marks on a row. */
export function newestOf(marks: readonly KeptMark[]): KeptMark | undefined {
  let newest = marks[0];
  for (const mark of marks)
    if (newest && (mark.revision - newest.revision || mark.at - newest.at) > 0) newest = mark;
  return newest;
}

/** Whether no saved or opened file says what the mark says. */
export function isUnsaved({ decision, comment, saved }: KeptMark): boolean {
  return decision !== (saved?.decision ?? "") || comment !== (saved?.comment ?? "");
}

function isUnsavedRow(marks: readonly KeptMark[]): boolean {
  const newest = newestOf(marks);
  return newest !== undefined && isUnsaved(newest);
}

/** What the draft was replaced by, in words, and the way back. */
interface Replaced {
  readonly text: string;
  undo(): void;
}

/**
 * The marks in memory. A change is shown at once, then written, then read by the other tabs; of two tabs that mark the
 * same row, the one that is written last wins.
 */
export class Draft {
  readonly covers: string;
  /** Counts the changes of all that this draft tells. */
  readonly changes = new Observable(0);
  /** Whether the browser keeps all marks. If not, they are in memory only, and the next change writes them too. */
  isKept = true;
  /** `undefined` after any later change. */
  replaced: Replaced | undefined;
  /** Of the organization, the reviewer and the sheet. */
  readonly key: readonly string[];
  readonly #tell: (rows: readonly string[] | undefined) => void;
  readonly #rows = new Map<string, readonly KeptMark[]>();
  /** The rows that changed since they were last {@link taken}. */
  #changedRows = new Set<string>();
  /** Changes that are not written yet, by the key of the mark. They win over what is read meanwhile. */
  readonly #unwritten = new Map<string, { mark: KeptMark; isRemoved: boolean }>();

  /** `tell` tells the other tabs which rows have changed; `undefined` means any. */
  constructor(key: readonly string[], tell: (rows: readonly string[] | undefined) => void) {
    this.key = key;
    this.covers = key.at(-1) ?? "";
    this.#tell = tell;
  }

  /** The marks on a row, one for each role and reason. */
  on(row: string): readonly KeptMark[] {
    return this.#rows.get(row) ?? [];
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** Takes the rows that changed since the last call. */
  taken(): ReadonlySet<string> {
    const rows = this.#changedRows;
    this.#changedRows = new Set();
    return rows;
  }

  get rows(): Iterable<readonly [row: string, marks: readonly KeptMark[]]> {
    return this.#rows;
  }

  /** Reads some rows, or all, as they are kept. */
  async read(rows?: readonly string[]): Promise<void> {
    this.replaced = undefined;
    try {
      const parts = rows?.map((row) => [...this.key, row]) ?? [this.key];
      const marks = (await Promise.all(parts.map(readMarks))).flat();
      for (const row of rows ?? [...this.#rows.keys()]) {
        this.#rows.delete(row);
        this.#changedRows.add(row);
      }
      for (const mark of marks) this.#set(mark);
      for (const { mark, isRemoved } of this.#unwritten.values()) this.#set(mark, isRemoved);
    } catch {
      this.isKept = false;
    }
    this.#changed();
  }

  change(put: readonly KeptMark[], removed: readonly KeptMark[] = []): void {
    if (put.length + removed.length === 0) return;
    this.replaced = undefined;
    const now = [
      ...removed.map((mark) => ({ mark, isRemoved: true })),
      ...put.map((mark) => ({ mark, isRemoved: false })),
    ];
    for (const each of now) {
      this.#set(each.mark, each.isRemoved);
      this.#unwritten.set(keyOf(each.mark), each);
    }
    this.#changed();
    void this.#write(this.isKept ? now : [...this.#unwritten.values()]);
  }

  /** Replaces some marks by others, with a way back. */
  replace(isReplaced: (mark: KeptMark) => boolean, put: readonly KeptMark[], text: string): void {
    const keys = new Set(put.map(keyOf));
    const before = [...this.#rows.values()]
      .flat()
      .filter((mark) => isReplaced(mark) || keys.has(keyOf(mark)));
    this.change(put, before);
    this.replaced = { text, undo: () => this.change(before, put) };
    this.#changed();
  }

  /** Remembers what a saved file says about some marks, each by its key. */
  async save(written: ReadonlyMap<string, Mark>): Promise<void> {
    const saved = (mark: KeptMark): KeptMark | undefined => {
      const said = written.get(keyOf(mark));
      if (said === undefined) return mark;
      return isEmpty(mark) && isEmpty(said) ? undefined : { ...mark, saved: said };
    };
    try {
      await replaceMarks(this.key, saved);
      await this.read();
      this.#tell(undefined);
    } catch {
      for (const mark of [...this.#rows.values()].flat()) {
        const next = saved(mark);
        this.#set(next ?? mark, next === undefined);
        this.#unwritten.set(keyOf(mark), { mark: next ?? mark, isRemoved: next === undefined });
      }
      this.#changed();
    }
  }

  #set(mark: KeptMark, isRemoved = false): void {
    this.#changedRows.add(mark.row);
    const key = keyOf(mark);
    const others = this.on(mark.row).filter((each) => keyOf(each) !== key);
    const marks = isRemoved ? others : [...others, mark];
    if (marks.length > 0) this.#rows.set(mark.row, marks);
    else this.#rows.delete(mark.row);
  }

  async #write(changes: readonly { mark: KeptMark; isRemoved: boolean }[]): Promise<void> {
    const of = (isRemoved: boolean) =>
      changes.filter((each) => each.isRemoved === isRemoved).map(({ mark }) => mark);
    try {
      await writeMarks(of(false), of(true));
      for (const each of changes) {
        const key = keyOf(each.mark);
        if (this.#unwritten.get(key) === each) this.#unwritten.delete(key);
      }
      this.#keep(this.isKept || this.#unwritten.size === 0);
      this.#tell([...new Set(changes.map(({ mark }) => mark.row))]);
    } catch {
      this.#keep(false);
    }
  }

  /** What was changed is shown already; only whether the browser keeps it may be new. */
  #keep(isKept: boolean): void {
    if (isKept === this.isKept) return;
    this.isKept = isKept;
    this.#changed();
  }

  #changed(): void {
    this.changes.set(this.changes.value + 1);
  }
}

/** A message to the other tabs: which rows of which draft have changed. What is absent means any. */
interface Told {
  readonly key?: string;
  readonly rows?: readonly string[] | undefined;
}

/** The most changed rows that another tab reads one by one. */
const ROWS_READ_SINGLY = 20;

/** The drafts that the page has open. */
export class Drafts {
  readonly #open = new Map<string, { draft: Draft; ready: Promise<void> }>();
  readonly #tabs = new BroadcastChannel("rolebook.drafts");

  constructor() {
    this.#tabs.addEventListener("message", ({ data }) => {
      const { key, rows }: Told = data;
      for (const [each, { draft }] of this.#open)
        if (key === undefined || key === each)
          void draft.read(rows && rows.length <= ROWS_READ_SINGLY ? rows : undefined);
    });
    addEventListener("beforeunload", this.#leave);
  }

  /** The draft of a sheet, from its first mark to its {@link close}. */
  async open(holder: Holder, covers: string): Promise<Draft> {
    const parts = [holder.organization, holder.reviewer, covers];
    const key = JSON.stringify(parts);
    let opened = this.#open.get(key);
    if (opened === undefined) {
      const draft = new Draft(parts, (rows) => this.#tell({ key, rows }));
      opened = { draft, ready: begin(holder, draft) };
      this.#open.set(key, opened);
    }
    await opened.ready;
    return opened.draft;
  }

  /** Drops a draft from memory, unless the browser keeps it nowhere else. */
  close(draft: Draft): void {
    for (const [key, opened] of this.#open)
      if (opened.draft === draft && draft.isKept) this.#open.delete(key);
  }

  /** For each sheet, the number of rows with a mark that no file says. */
  async unsaved(holder: Holder): Promise<ReadonlyMap<string, number>> {
    const left = await moveOlderDrafts(holder);
    const rows = new Map<string, KeptMark[]>();
    for (const mark of [...left, ...(await this.#marksOf(holder))]) {
      const row = JSON.stringify([mark.covers, mark.row]);
      rows.set(row, [...(rows.get(row) ?? []), mark]);
    }
    const counts = new Map<string, number>();
    for (const marks of rows.values()) {
      const { covers = "" } = marks[0] ?? {};
      if (isUnsavedRow(marks)) counts.set(covers, (counts.get(covers) ?? 0) + 1);
    }
    return counts;
  }

  async discard(holder: Holder): Promise<void> {
    await replaceMarks([holder.organization, holder.reviewer], () => undefined).catch(() => {});
    this.#open.clear();
    this.#tell({});
  }

  end(): void {
    this.#tabs.close();
    removeEventListener("beforeunload", this.#leave);
  }

  #tell(told: Told): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    this.#tabs.postMessage(told);
  }

  async #marksOf({ organization, reviewer }: Holder): Promise<KeptMark[]> {
    const kept = await readMarks([organization, reviewer]).catch(() => []);
    const unkept = [...this.#open.values()].map(({ draft }) => draft).filter(({ isKept }) => !isKept);
    return [
      ...kept.filter(({ covers }) => unkept.every((draft) => draft.covers !== covers)),
      ...unkept.flatMap((draft) => [...draft.rows].flatMap(([, marks]) => marks)),
    ];
  }

  /** Has the browser ask before it closes a page with marks that it does not keep. */
  readonly #leave = (event: BeforeUnloadEvent): void => {
    const isLost = ({ isKept, rows }: Draft) => !isKept && [...rows].some(([, marks]) => isUnsavedRow(marks));
    if ([...this.#open.values()].some(({ draft }) => isLost(draft))) event.preventDefault();
  };
}

async function begin(holder: Holder, draft: Draft): Promise<void> {
  const left = await moveOlderDrafts(holder);
  await draft.read();
  draft.change(left.filter(({ covers }) => covers === draft.covers));
}
