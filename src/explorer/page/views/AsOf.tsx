/** Choosing the revision to show, and what is shown if that revision cannot be read. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Me, RevisionNode, RevisionsAnswer } from "../../wire/answers.ts";
import { Link, RevisionLink } from "../parts/Link.tsx";
import { Button, DayField, Dialog } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { changesBetween } from "../session/address.ts";
import { useSeesAll, useSession } from "../session/session.ts";
import { boundsOf, clock, date, dayOf, fullMoment, moment } from "../words/dates.ts";
import { figure, sizeWords } from "../words/numbers.ts";
import { Page } from "./Page.tsx";

const TITLES = {
  at: "Show the directory as of",
  earlier: "Show what changed since",
  later: "Show what changed until",
} as const;

/** The dialog that chooses the revision to show, or one of two to compare: a day, then a revision of that day. */
export function RevisionChooser() {
  const { choosingRevision } = useSession();
  const what = useValue(choosingRevision);
  return what && <RevisionDialog key={what} what={what} />;
}

function RevisionDialog({ what }: { what: keyof typeof TITLES }) {
  const { client, navigation, choosingRevision } = useSession();
  const { address } = useValue(navigation.move);
  const all = useSeesAll();
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = useValue(client.shown);
  const at = useValue(navigation.at);
  const earliest = useValue(client.me)?.earliest;
  const today = dayOf(new Date());
  const [day, setDay] = useState(() => (shown ? dayOf(shown.importedAt) : today));
  const { revisions, before, older, state, more } = useRevisions(day);

  const close = () => dialog.current?.close();
  // The other one of two compared revisions; by default the shown one.
  const other = (what === "earlier" ? address.later : address.earlier) ?? shown?.revision;
  const row = (revision: RevisionNode, when: string, older: RevisionNode | undefined) => {
    const { revision: number, command, note, counts } = revision;
    const words = (
      <>
        <b>{when}</b>
        <span class="what">
          {command}
          {note !== undefined && <bdi class="note">{note}</bdi>}
          <span class="dim size">{sizeWords(counts, older?.counts)}</span>
        </span>
        <span class="dim">revision {figure(number)}</span>
      </>
    );
    const compared = changesBetween(address, all, number, Number(what === "at" ? shown?.revision : other));
    if (what !== "at" && !compared) return null;
    return (
      <li key={number}>
        {what === "at" ? (
          <RevisionLink at={String(number)} current={number === shown?.revision} onGo={close}>
            {words}
          </RevisionLink>
        ) : (
          compared && (
            <Link to={compared} onGo={close}>
              {words}
            </Link>
          )
        )}
        {what === "at" && compared && shown && number < shown.revision && (
          <Link to={compared} class="link" onGo={close}>
            Changes since<span class="vh"> {when}</span>
          </Link>
        )}
      </li>
    );
  };
  const rows = [...revisions, ...(before ? [before] : [])];
  return (
    <Dialog box={dialog} title={TITLES[what]} onClose={() => choosingRevision.set(undefined)}>
      <div class="asof-day">
        <DayField
          label="Date"
          min={earliest ? dayOf(earliest.importedAt) : ""}
          max={today}
          value={day}
          onChoose={setDay}
        />
        {at !== undefined && what === "at" && (
          <RevisionLink at={undefined} class="link" onGo={() => dialog.current?.close()}>
            Show today
          </RevisionLink>
        )}
      </div>
      <div class="days" aria-busy={state === "reading"}>
        {revisions.length > 0 && (
          <ul aria-label={`Revisions of ${date(day)}`}>
            {revisions.map((each, place) => row(each, clock(each.importedAt), rows[place + 1]))}
          </ul>
        )}
        {state === "more" && <Button onClick={more}>Earlier that day</Button>}
        {before && (
          <>
            <p class="dim">
              {revisions.length === 0
                ? `Nothing changed on ${date(day)}. The revision at that time:`
                : "The revision when the day began:"}
            </p>
            <ul aria-label="The revision before">{row(before, moment(before.importedAt), older)}</ul>
          </>
        )}
        {state === "whole" && !before && (
          <p class="dim">
            {revisions.length === 0 ? `Nothing is kept from ${date(day)}.` : "Nothing is kept from before."}{" "}
            {revisions.length === 0 && earliest && (
              <RevisionLink at={String(earliest.revision)} class="link" onGo={() => dialog.current?.close()}>
                Show the earliest, of {moment(earliest.importedAt)}
              </RevisionLink>
            )}
          </p>
        )}
        {state === "failed" && <p class="dim">The revisions could not be read.</p>}
      </div>
      <p class="vh" role="status">
        {state === "reading" ? "" : `${figure(revisions.length)} of ${date(day)}`}
      </p>
    </Dialog>
  );
}

/** The revisions of a day that are loaded so far, latest first. */
interface DayOfRevisions {
  readonly day: string;
  readonly revisions: readonly RevisionNode[];
  /** The last revision before the day; absent if none is readable. */
  readonly before?: RevisionNode;
  /** The one before that. */
  readonly older?: RevisionNode;
  readonly state: "reading" | "more" | "whole" | "failed";
}

function useRevisions(day: string): DayOfRevisions & { more(): void } {
  const { client } = useSession();
  const [known, setKnown] = useState<DayOfRevisions & { next?: string }>({
    day,
    revisions: [],
    state: "reading",
  });
  const shown = known.day === day ? known : { day, revisions: [], state: "reading" as const };

  async function read(page: string | undefined, signal?: AbortSignal): Promise<void> {
    const { from, to } = boundsOf(day);
    setKnown({ ...shown, state: "reading" });
    const query = { until: to, page, show: "counts" };
    const { items, next } = await client.get<RevisionsAnswer>("revisions", query, signal);
    if (signal?.aborted) return;
    const [before, older] = items.filter(({ importedAt }) => importedAt < from);
    const revisions = [...shown.revisions, ...items.filter(({ importedAt }) => importedAt >= from)];
    const more = before === undefined && next !== undefined;
    setKnown({
      day,
      revisions,
      state: more ? "more" : "whole",
      ...(before && { before }),
      ...(older && { older }),
      ...(more && { next: next.page }),
    });
  }

  function begin(page: string | undefined, signal?: AbortSignal): void {
    read(page, signal).catch(() => signal?.aborted || setKnown({ ...shown, state: "failed" }));
  }

  useEffect(() => {
    const stop = new AbortController();
    begin(undefined, stop.signal);
    return () => stop.abort();
  }, [client, day]);
  return { ...shown, more: () => begin(known.next) };
}

/** Replaces the view if the requested revision cannot be read: says why, and links to revisions that can. */
export function Unreadable() {
  const { client, navigation } = useSession();
  const { address } = useValue(navigation.move);
  const at = useValue(navigation.at) ?? "";
  const [me, setMe] = useState<Me>();
  useEffect(() => {
    const stop = new AbortController();
    client.now(stop.signal).then(setMe, () => {});
    return () => stop.abort();
  }, [client]);
  const { earliest } = me ?? {};
  return (
    <Page address={address} of={`at ${at}`} heading={reason(at)} title="Not kept">
      <p class="lead">
        {earliest && me && (
          <>
            The earliest that can be shown is revision {figure(earliest.revision)}, of{" "}
            <RevisionLink at={String(earliest.revision)} class="link">
              {fullMoment(earliest.importedAt)}
            </RevisionLink>
            ; the newest is revision {figure(me.revision)}, of{" "}
            <RevisionLink at={undefined} class="link">
              {fullMoment(me.importedAt)}
            </RevisionLink>
            .
          </>
        )}
      </p>
    </Page>
  );
}

function reason(at: string): string {
  if (/^[1-9]\d{0,15}$/.test(at)) return `Revision ${at} never existed here, or is no longer kept`;
  const time = Date.parse(at);
  if (!/^\d{4}-\d\d-\d\d/.test(at) || Number.isNaN(time))
    return `“${at.slice(0, 40)}” is neither a date nor a revision`;
  return time > Date.now() ? `${at} is in the future` : `Nothing is kept from ${at}`;
}
