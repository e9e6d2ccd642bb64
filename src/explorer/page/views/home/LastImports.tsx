import { useEffect, useState } from "preact/hooks";
import type { RevisionNode, RevisionsAnswer } from "../../../wire/past.ts";
import { AtLink } from "../past/AtLink.tsx";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/date.ts";
import { figure } from "../../words/number.ts";
import { Section } from "./Section.tsx";

const SOME = 5;

export function LastImports() {
  const { client } = useSession();
  const [revisions, setRevisions] = useState<readonly RevisionNode[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    client.get<RevisionsAnswer>("revisions", { limit: SOME }, stop.signal).then(
      ({ items }) => stop.signal.aborted || setRevisions(items),
      () => {},
    );
    return () => stop.abort();
  }, [client]);
  return (
    <Section id="imports" title="Last imports and changes">
      <ul>
        {revisions.map(({ revision, importedAt, command, note }) => (
          <li key={revision}>
            <p>
              <AtLink at={String(revision)} class="name">
                {moment(importedAt)}
              </AtLink>
              {[command, note].filter(Boolean).map((words) => (
                <bdi key={words}>, {words}</bdi>
              ))}
            </p>
            <span>revision {figure(revision)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
