import { Icon, Mark } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useCell } from "../parts/observable.ts";
import { HOME } from "../session/address.ts";
import { seesAll, useSession } from "../session/session.ts";
import { moment } from "../words/dates.ts";
import { nameOf } from "../words/names.ts";
import { SHORTCUT } from "./Palette.tsx";

export function Top({ onSignOut }: { onSignOut(): void }) {
  const { client, finding } = useSession();
  const me = useCell(client.me);
  const organization = me?.organization;
  return (
    <header class="top">
      <span class="start">
        <Link to={HOME} class="brand">
          <Mark />
          <span>Rolebook</span>
        </Link>
        {organization !== undefined && <bdi class="orgname">{nameOf(organization)}</bdi>}
      </span>
      <Button
        class="search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => finding.set("anything")}
      >
        <Icon name="search" />
        <span>
          {!me || seesAll(me) ? "Find a space, site, member or team" : "Find a space or collection"}
        </span>
        <kbd aria-hidden="true">{SHORTCUT}</kbd>
      </Button>
      <span class="end">
        <AsOf />
        <Button class="quiet" onClick={onSignOut}>
          Sign out
        </Button>
      </span>
    </header>
  );
}

/** The import time of the shown revision, as a button that opens the chooser of revisions. */
function AsOf() {
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
