import { useEffect } from "preact/hooks";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { fullMoment } from "../../words/date.ts";
import { figure } from "../../words/number.ts";
import { AtLink } from "./AtLink.tsx";
import { Button } from "../../parts/controls/Button.tsx";

/** The banner that says which past revision is shown; nothing at the current one. */
export function PastLine() {
  const { client, walk, said, choosing } = useSession();
  const at = useCell(walk.at);
  const shown = useCell(client.shown);
  const lost = useCell(client.unreadable) !== undefined;
  const when = shown && fullMoment(shown.importedAt);
  useEffect(() => {
    if (at !== undefined && when) said.set(`This is as of ${when}.`);
  }, [at, when]);
  if (at === undefined) return null;
  return (
    <p class="past">
      <span>
        {lost ? (
          "This time cannot be shown."
        ) : shown && when ? (
          <>
            As of <strong>{when}</strong> (revision {figure(shown.revision)}){lasting(at)}.
          </>
        ) : (
          "Reading the past."
        )}
      </span>
      <AtLink at={undefined} class="link">
        Show today
      </AtLink>
      <Button aria-haspopup="dialog" onClick={() => choosing.set(true)}>
        Another time
      </Button>
    </p>
  );
}

/** For a revision that was chosen by a day or a time: when it was the current one, in words. */
function lasting(at: string): string {
  if (/^\d+$/.test(at)) return "";
  return /^\d{4}-\d\d-\d\d$/.test(at)
    ? `, which was current when ${at} ended in UTC`
    : `, which was current at ${fullMoment(at)}`;
}
