/** The header: home, search, the date of the shown revision, and signing out. */
import { Icon, Logo } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { HOME } from "../session/address.ts";
import { useSeesAll, useSession } from "../session/session.ts";
import { moment } from "../words/dates.ts";
import { nameOf } from "../words/names.ts";
import { SHORTCUT } from "./SearchPalette.tsx";

export function Header({ onSignOut }: { onSignOut(): void }) {
  const { client, palette } = useSession();
  const me = useValue(client.me);
  const organization = me?.organization;
  const all = useSeesAll(true);
  return (
    <header class="top">
      <span class="start">
        <Link to={HOME} class="brand">
          <Logo />
          <span>Rolebook</span>
        </Link>
        {organization !== undefined && <bdi class="orgname">{nameOf(organization)}</bdi>}
      </span>
      <Button
        class="search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => palette.set("anything")}
      >
        <Icon name="search" />
        <span>{all ? "Find a space, site, member or team" : "Find a space or collection"}</span>
        <kbd aria-hidden="true">{SHORTCUT}</kbd>
      </Button>
      <span class="end">
        <RevisionButton />
        {me?.caller.kind === "member" && (
          <bdi class="who" title={me.issuer && `Signed in with ${me.issuer}`}>
            {nameOf(me.caller)}
          </bdi>
        )}
        <Button class="quiet" onClick={onSignOut}>
          Sign out
        </Button>
      </span>
    </header>
  );
}

/** The import time of the shown revision, as a button that opens the chooser of revisions. */
function RevisionButton() {
  const { client, navigation, choosingRevision } = useSession();
  const shown = useValue(client.shown);
  const at = useValue(navigation.at);
  const confirmed = useValue(client.me)?.confirmedAt;
  if (!shown && at === undefined) return <span class="rev" />;
  const later = shown && confirmed !== undefined && confirmed > shown.importedAt;
  const imported = shown ? moment(shown.importedAt) : "another time";
  return (
    <Button class="quiet rev" aria-haspopup="dialog" onClick={() => choosingRevision.set("at")}>
      <Icon name="clock" />
      <span>
        <i>{at === undefined ? "Imported " : "As of "}</i>
        {imported}
        {at === undefined && later && (
          <>
            ,<i> confirmed {moment(confirmed)}</i>
          </>
        )}
      </span>
      <span class="vh">. Choose a date</span>
    </Button>
  );
}
