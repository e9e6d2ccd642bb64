import { useState } from "preact/hooks";
import { HOME, of, type Address } from "../session/address/address.ts";
import { useCell } from "../parts/cell.ts";
import { Link } from "../parts/Link.tsx";
import { useSession } from "../session/session.ts";
import { nameOf, visible } from "../words/names.ts";
import { Button } from "../parts/controls/Button.tsx";

export interface Crumb {
  readonly title: string;
  readonly to: Address;
}

/** The largest number of collections that are all shown. A longer path (up to 32) shows the first and the last two. */
const SHOWN = 4;

export function Crumbs({ way }: { way: readonly Crumb[] }) {
  const { client } = useSession();
  const organization = useCell(client.me)?.organization.title;
  const key = way.map(({ to }) => to.id).join("/");
  const [opened, setOpened] = useState("");
  const folds = way.length > SHOWN && opened !== key;
  const shown = folds ? [...way.slice(0, 1), ...way.slice(-2)] : way;
  // The path appears as a whole, so that nothing shifts.
  if (organization === undefined)
    return (
      <nav class="crumbs" aria-label="Path">
        {"\u00a0"}
      </nav>
    );
  return (
    <nav class="crumbs" aria-label="Path">
      <Link to={HOME}>
        <bdi>{visible(organization)}</bdi>
      </Link>
      {shown.map(({ title, to }, at) => (
        <>
          <i aria-hidden="true">/</i>
          {folds && at === 1 && (
            <>
              <Button onClick={() => setOpened(key)}>{way.length - 3} more</Button>
              <i aria-hidden="true">/</i>
            </>
          )}
          <Link to={to}>
            <bdi>{title}</bdi>
          </Link>
        </>
      ))}
    </nav>
  );
}

/** The ancestors of a content, topmost first, as links. */
export function crumbsOf(ancestors: readonly { id: string; title: string }[]): Crumb[] {
  return ancestors.map((each) => ({ title: nameOf(each), to: of("collection", each.id) }));
}
