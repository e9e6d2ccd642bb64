import { useEffect, useRef } from "preact/hooks";
import { of, type Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Link } from "../../parts/Link.tsx";
import { pieces, useWindow } from "../../parts/screen/window.ts";
import { sitesOf, useSession } from "../../session/session.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { Button } from "../../parts/controls/Button.tsx";

export function Sites({ address, labelledBy }: { address: Address; labelledBy: string }) {
  const session = useSession();
  const { client } = session;
  useCell(client.turns);
  const list = sitesOf(session);
  const { known, state } = useCell(list.read);
  const body = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (known === 0) list.want(0, 0);
  }, [list]);
  const span = useWindow(body, known, 28, (first, last) => list.want(first, last));
  return (
    <ul class="plain" ref={body} aria-labelledby={labelledBy}>
      {pieces(span, known, undefined).map((piece) => {
        if ("gap" in piece)
          return <li key={`gap${piece.gap}`} aria-hidden="true" style={{ height: `${piece.gap}px` }} />;
        const site = list.row(piece.row);
        if (!site) return null;
        const chosen = address.view === "site" && address.id === site.id;
        return (
          <li key={site.id} data-row class={chosen ? "cur" : undefined}>
            <Link to={of("site", site.id)}>
              <Icon name="site" />
              <bdi class="t">{nameOf(site)}</bdi>
              <span class="own">{count(site.spaces, "space")}</span>
            </Link>
          </li>
        );
      })}
      {state === "failed" && (
        <li class="rest">
          <Button onClick={() => list.again()}>Not read. Try again</Button>
        </li>
      )}
    </ul>
  );
}
