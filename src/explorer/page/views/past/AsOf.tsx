import { useCell } from "../../parts/cell.ts";
import { Icon } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/date.ts";
import { Button } from "../../parts/controls/Button.tsx";

/** The import time of the shown revision, as a button that opens the chooser of revisions. */
export function AsOf() {
  const { client, walk, choosing } = useSession();
  const shown = useCell(client.shown);
  const at = useCell(walk.at);
  const confirmed = useCell(client.me)?.confirmedAt;
  if (!shown && at === undefined) return <span class="rev" />;
  const later = shown && confirmed !== undefined && confirmed > shown.importedAt;
  const imported = shown ? moment(shown.importedAt) : "another time";
  return (
    <Button class="quiet rev" aria-haspopup="dialog" onClick={() => choosing.set(true)}>
      <Icon name="clock" />
      <span>
        <i>{at === undefined ? "Imported " : "As of "}</i>
        {imported}
        {at === undefined && later && <i>, confirmed {moment(confirmed)}</i>}
      </span>
      <span class="vh">. Choose a date</span>
    </Button>
  );
}
