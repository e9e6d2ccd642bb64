import { useEffect, useState } from "preact/hooks";
import type { Me } from "../../../wire/home/me.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { Heading } from "../Heading.tsx";
import { useDocumentTitle } from "../title.ts";
import { fullMoment } from "../../words/date.ts";
import { figure } from "../../words/number.ts";
import { AtLink } from "./AtLink.tsx";

/** Replaces the view if the requested revision cannot be read: says why, and links to revisions that can. */
export function Unreadable() {
  const { client, walk } = useSession();
  const at = useCell(walk.at) ?? "";
  const [me, setMe] = useState<Me>();
  useDocumentTitle("Not kept");
  useEffect(() => {
    const stop = new AbortController();
    client.now(stop.signal).then(setMe, () => {});
    return () => stop.abort();
  }, [client]);
  const { earliest } = me ?? {};
  return (
    <>
      <Heading of={`at ${at}`} ready>
        {reason(at)}
      </Heading>
      <p class="lead">
        {earliest && me && (
          <>
            The earliest that can be shown is revision {figure(earliest.revision)}, of{" "}
            <AtLink at={String(earliest.revision)} class="link">
              {fullMoment(earliest.importedAt)}
            </AtLink>
            ; the newest is revision {figure(me.revision)}, of{" "}
            <AtLink at={undefined} class="link">
              {fullMoment(me.importedAt)}
            </AtLink>
            .
          </>
        )}
      </p>
    </>
  );
}

function reason(at: string): string {
  if (/^[1-9]\d{0,15}$/.test(at)) return `Revision ${at} never existed here, or is no longer kept`;
  const time = Date.parse(at);
  if (!/^\d{4}-\d\d-\d\d/.test(at) || Number.isNaN(time))
    return `“${at.slice(0, 40)}” is neither a date nor a revision`;
  return time > Date.now() ? `${at} is in the future` : `Nothing is kept from ${at}`;
}
