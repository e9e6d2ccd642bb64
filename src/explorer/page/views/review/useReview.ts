/** One review while it is open: its sheet from the server, the draft of its marks, and what the reviewer does with them. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fileName, save as saveFile } from "../../files/save.ts";
import type { ListProps } from "../../list/List.tsx";
import { Observable, useValue } from "../../parts/observable.ts";
import { sheetQuery, withDetail } from "../../session/address.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/dates.ts";
import { capital, rawName } from "../../words/names.ts";
import { count, figure } from "../../words/numbers.ts";
import { type Draft, newestOf } from "./drafts.ts";
import {
  type EarlierReport,
  type EarlierRow,
  type KeptMark,
  holderOf,
  keyOf,
  readEarlier,
  writeEarlier,
} from "./marks.ts";
import {
  type Mark,
  type Sheet,
  type SheetRow,
  checkOpened,
  isEmpty,
  parseSheet,
  writeSheet,
} from "./sheet.ts";
import { SheetMarks, isKnown, markedNow, marksOfFile, shownMark, union } from "./sheetMarks.ts";

/** A question before marks are replaced. */
interface ReviewQuestion {
  readonly label: string;
  readonly text: string;
  readonly no: string;
  readonly yes: string;
  act(): void;
}

/** A sheet with its draft, and what the draft says about its rows. */
export interface OpenReview {
  readonly sheet: Sheet;
  readonly draft: Draft;
  readonly marks: SheetMarks;
}

export type ReviewActions = ReturnType<typeof useReview>;

const NEVER = new Observable(0);

/** A review while it is open; `review` is `undefined` until the sheet and its draft are read. */
export function useReview({ address, subject }: ListProps) {
  const { client, navigation, announcement, drafts } = useSession();
  const me = useValue(client.me);
  const reload = useValue(client.reloads);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<OpenReview>();
  /** What the last action did, in words. */
  const [status, setStatus] = useState("");
  /** Why the sheet could not be read. */
  const [failure, setFailure] = useState<unknown>();
  const [asked, setAsked] = useState<ReviewQuestion>();
  /** The rows of an earlier report, by key: what was decided last time. */
  const [earlier, setEarlier] = useState<ReadonlyMap<string, EarlierRow>>();
  const steps = useRef<(() => void)[]>([]);
  /** The file that was saved last. */
  const file = useRef({ name: "", text: "" });
  const changes = useValue(opened?.draft.changes ?? NEVER);
  const holder = me && holderOf(me);
  const { id } = address;
  const query = JSON.stringify(sheetQuery(address));

  useEffect(() => {
    if (!holder) return;
    const stop = new AbortController();
    let draft: Draft | undefined;
    async function read(whose: NonNullable<typeof holder>): Promise<void> {
      const response = await client.stream(sheetQuery(address), stop.signal, "report");
      const sheet = parseSheet(await response.text());
      draft = await drafts.open(whose, sheet.draft);
      const last = await readEarlier(draft.key).catch(() => undefined);
      if (stop.signal.aborted) return drafts.close(draft);
      show(last);
      setOpened({ sheet, draft, marks: new SheetMarks(draft, sheet) });
    }
    setOpened(undefined);
    setEarlier(undefined);
    steps.current = [];
    setStatus("");
    setFailure(undefined);
    setAsked(undefined);
    read(holder).catch((error: unknown) => stop.signal.aborted || setFailure(error));
    return () => {
      stop.abort();
      if (draft) drafts.close(draft);
    };
  }, [client, reload, query, holder?.reviewer, attempt]);

  const review = useMemo(() => opened && { ...opened, marks: opened.marks.update() }, [opened, changes]);

  /** Changes the marks on rows together. Returns what undoes it. */
  function change(rows: readonly SheetRow[], toMark: (shown: Mark) => Mark): () => void {
    if (!review || !holder) return () => {};
    const { sheet, draft } = review;
    // A key may follow another one before the page has drawn it.
    const marks = review.marks.update();
    const [put, removed]: [KeptMark[], KeptMark[]] = [[], []];
    for (const row of rows) {
      const rowMarks = marks.on(row);
      const { mark: before } = rowMarks;
      const now = markedNow(row, sheet, holder);
      const shown = shownMark(rowMarks);
      const to = toMark(shown);
      // Whoever only comments leaves the decision to whoever made it.
      const isComment = to.decision !== "" && to.decision === shown.decision;
      const next: KeptMark = {
        ...now,
        ...to,
        tokens: isComment ? union(before?.tokens ?? [], now.tokens) : now.tokens,
        revision: Math.max(now.revision, before?.revision ?? 0),
        saved: before?.saved,
      };
      const isGone = isEmpty(next) && !next.saved;
      if (!isGone) put.push(next);
      if (before && (isGone || keyOf(before) !== keyOf(next))) removed.push(before);
    }
    const were = rows.flatMap((row) => marks.on(row).mark ?? []);
    setStatus("");
    draft.change(put, removed);
    return () => {
      const kept = new Set(were.map(keyOf));
      draft.change(
        were,
        put.filter((mark) => !kept.has(keyOf(mark))),
      );
    };
  }

  function mark(row: SheetRow, part: Partial<Mark>): void {
    change([row], (shown) => ({ ...shown, ...part }));
  }

  /** Decides on rows, as one step that can be undone; a comment is written only where there is none. */
  function decide(rows: readonly SheetRow[], decision: string, comment = ""): void {
    const back = change(rows, (shown) => ({ decision, comment: shown.comment || comment }));
    const [first] = rows;
    if (first === undefined) return;
    const names = rows.length === 1 ? rawName(first.user) : count(rows.length, "row");
    const words = decision === "" ? "No decision" : capital(decision);
    steps.current.push(() => {
      back();
      setStatus(`Undone: ${words}, ${names}.`);
    });
    setStatus(`${words}: ${names}.`);
  }

  function undo(): void {
    steps.current.pop()?.();
  }

  /** The file with all decisions; with `only`, just the removals of these rows. */
  function fileText(only?: ReadonlySet<string>): string {
    if (!opened) return "";
    opened.marks.update();
    const { sheet, marks } = opened;
    // The server has named a member who is signed in.
    return writeSheet(sheet, holder?.tokens.length ? marks.tokens : [], (row) => {
      if (only === undefined) return shownMark(marks.on(row));
      return { decision: only.has(row.key) ? "remove" : "", comment: "" };
    });
  }

  /** The name of the saved file, if it says all that was decided until now. */
  function savedName(): string | undefined {
    return file.current.text === fileText() ? file.current.name : undefined;
  }

  function show(report: EarlierReport | undefined): void {
    setEarlier(report && new Map(report.rows.map((row) => [row.key, row])));
    if (report) setStatus(`Last time is revision ${report.revision}. It decides nothing now.`);
  }

  /** Shows what an earlier report decided, and keeps that beside the draft; without a file, forgets it. */
  async function compare(file?: File): Promise<void> {
    try {
      const sheet = file && parseSheet(await file.text());
      if (sheet && sheet.organization !== holder?.organization)
        throw new Error(`It is of organization ${sheet.organization}.`);
      const rows = sheet?.rows.map(({ key, role, reason, mark: { decision } }) => ({
        key,
        role,
        reason,
        decision,
      }));
      const report = sheet && rows && { revision: sheet.revision, rows };
      setStatus("");
      show(report);
      // A browser that keeps nothing says so beside the draft.
      if (opened) await writeEarlier(opened.draft.key, report).catch(() => {});
    } catch (error) {
      setStatus(`${file?.name} was not opened. ${error instanceof Error ? error.message : ""}`);
    }
  }

  async function save(): Promise<void> {
    if (!opened) return;
    const { sheet, draft } = opened;
    const { revision, imported: importedAt } = sheet;
    const name = fileName(subject ? rawName(subject) : id, withDetail(address, "role", undefined), {
      revision,
      importedAt,
    });
    // The marks at the time when the file is written.
    file.current = { name, text: fileText() };
    saveFile(name, file.current.text);
    const written = sheet.rows.flatMap((row) => {
      const rowMarks = opened.marks.on(row);
      const kept = rowMarks.mark ?? rowMarks.before;
      return kept ? [[keyOf(kept), shownMark(rowMarks)] as const] : [];
    });
    await draft.save(new Map(written));
    setStatus(`Saved ${count(sheet.rows.length, "row")}.`);
    announcement.set("Saved.");
  }

  /** Makes the decisions of a file the draft of its sheet, and shows that sheet. */
  async function open(file: File): Promise<void> {
    if (!holder) return;
    setStatus("");
    setAsked(undefined);
    try {
      const sheet = parseSheet(await file.text());
      const shown = client.shown.value?.revision ?? 0;
      const { review: to, checked } = await checkOpened(sheet, holder.organization, shown);
      const draft = await drafts.open(holder, sheet.draft);
      const marks = marksOfFile(sheet, holder);
      const act = () => {
        setAsked(undefined);
        draft.replace(({ revision }) => revision <= shown, marks, `Opened; ${checked}`);
        if (draft !== opened?.draft) navigation.choose(to);
      };
      const there = markedIn(draft);
      if (there.length === 0) return act();
      const last = moment(new Date(Math.max(...there.map(({ at }) => at))).toISOString());
      setAsked({
        label: "Open a sheet",
        text: `The draft of ${sheet.covers} has ${count(there.length, "marked row")}, the last one marked ${last}. ${file.name} has ${figure(marks.length)}, and would replace them.`,
        no: "Keep the draft",
        yes: "Open the file",
        act,
      });
    } catch (error) {
      setStatus(`${file.name} was not opened. ${error instanceof Error ? error.message : ""}`);
    }
  }

  function discard(): void {
    if (!opened) return;
    const { sheet, draft } = opened;
    const marked = count(markedIn(draft).length, "marked row");
    setStatus("");
    setAsked({
      label: "Discard decisions",
      text: `Discard the decisions and comments of ${marked}?`,
      no: "Keep them",
      yes: "Discard",
      act() {
        setAsked(undefined);
        draft.replace((mark) => isKnown(mark, sheet), [], `Discarded: ${marked}.`);
      },
    });
  }

  const retry = () => setAttempt(attempt + 1);
  const dismiss = () => setAsked(undefined);
  const actions = { retry, mark, decide, undo, fileText, savedName, compare, save, open, discard, dismiss };
  return { review, failure, status, asked, earlier, canUndo: steps.current.length > 0, ...actions };
}

/** The newest mark of each row that has a decision or a comment. */
function markedIn(draft: Draft): KeptMark[] {
  return [...draft.rows].flatMap(([, marks]) => newestOf(marks) ?? []).filter((mark) => !isEmpty(mark));
}
