import type { Hit } from "../../../wire/search.ts";
import { aside } from "../../frame/palette/Option.tsx";
import { of } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { Deleted } from "../../parts/Deleted.tsx";
import { Link } from "../../parts/Link.tsx";
import { KINDS } from "../../words/filters.ts";
import { wordsThatBegin } from "../../words/match.ts";
import { nameOf, pathText } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** Everything that a search finds. */
export function FoundList({ address }: ListProps) {
  const { found } = useSession();
  const { q = "" } = address;
  return (
    <List<Hit>
      list={found.get(listQuery(address))}
      address={address}
      tabbed={false}
      caption={`All matches of “${q}”`}
      columns={[
        {
          head: "Name",
          class: "c-name",
          cell: (hit) => (
            <div class="cell">
              <Link to={of(hit.kind, hit.id)} id={`${hit.kind}-${hit.id}`}>
                <bdi>{nameOf(hit)}</bdi>
              </Link>
              {hit.kind === "member" && hit.guest && <span class="tag">guest</span>}
              {hit.kind === "space" && <Deleted of={hit} />}
              <bdi class="mail">{"path" in hit ? pathText(hit.path) : aside(hit)}</bdi>
            </div>
          ),
        },
        { head: "Kind", class: "c-kind", cell: (hit) => <>{hit.kind}</> },
      ]}
      rowId={(hit) => `${hit.kind}/${hit.id}`}
      step={(hit) => hit.kind}
      foot={(total) =>
        `${count(total, "match", "matches")}: ${address.kind === undefined ? "contents, sites and teams by title, then members by id" : (KINDS[address.kind] ?? "")}`
      }
      empty={<ShowAll address={address} none={`No title, name or e-mail has ${wordsThatBegin(q)}.`} />}
    />
  );
}
