import { HOME } from "../session/address/address.ts";
import { SHORTCUT } from "./palette/shortcut.ts";
import { useCell } from "../parts/cell.ts";
import { Icon } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { AsOf } from "../views/past/AsOf.tsx";
import { Mark } from "../parts/Meter.tsx";
import { useSession } from "../session/session.ts";
import { seesAll } from "./side/seesAll.ts";
import { nameOf } from "../words/names.ts";
import { Button } from "../parts/controls/Button.tsx";

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
