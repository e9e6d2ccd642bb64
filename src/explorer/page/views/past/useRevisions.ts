import { useEffect, useState } from "preact/hooks";
import type { RevisionNode, RevisionsAnswer } from "../../../wire/past.ts";
import { useSession } from "../../session/session.ts";
import { boundsOf } from "../../words/day.ts";

/** The revisions of a day that are loaded so far, latest first. */
export interface DayOfRevisions {
  readonly day: string;
  readonly revisions: readonly RevisionNode[];
  /** The last revision before the day; absent if none is readable. */
  readonly before?: RevisionNode;
  readonly state: "reading" | "more" | "whole" | "failed";
}

export function useRevisions(day: string): DayOfRevisions & { more(): void } {
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
    const { items, next } = await client.get<RevisionsAnswer>("revisions", { until: to, page }, signal);
    if (signal?.aborted) return;
    const before = items.find(({ importedAt }) => importedAt < from);
    const revisions = [...shown.revisions, ...items.filter(({ importedAt }) => importedAt >= from)];
    const more = before === undefined && next !== undefined;
    setKnown({
      day,
      revisions,
      state: more ? "more" : "whole",
      ...(before && { before }),
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
