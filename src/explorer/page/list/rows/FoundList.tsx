import type { Hit } from "../../../wire/search.ts";
import { aside } from "../../frame/palette/Option.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import { KINDS } from "../../words/filters.ts";
import { wordsThatBegin } from "../../words/match.ts";
import { count } from "../../words/number.ts";
import { ContentCell, PersonCell } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

export function FoundList({ address }: ListProps) {
  const { q = "" } = address;
  return (
    <List<Hit>
      address={address}
      caption={`All matches of “${q}”`}
      columns={[
        {
          head: "Name",
          class: "c-name",
          cell: (hit) =>
            "path" in hit ? (
              <ContentCell content={hit} path={hit.path} />
            ) : hit.kind === "member" ? (
              <PersonCell user={hit} />
            ) : (
              <div class="cell">
                <NameLink of={hit} id={`${hit.kind}-${hit.id}`} />
                <span class="mail">{aside(hit)}</span>
              </div>
            ),
        },
        { head: "Kind", class: "c-kind", cell: (hit) => hit.kind },
      ]}
      rowId={(hit) => `${hit.kind}/${hit.id}`}
      step={(hit) => hit.kind}
      foot={(total) =>
        `${count(total, "match", "matches")}: ${address.kind === undefined ? "contents, sites and teams by title, then members by id" : (KINDS[address.kind] ?? "")}`
      }
      empty={`No title, name or e-mail has ${wordsThatBegin(q)}.`}
    />
  );
}
