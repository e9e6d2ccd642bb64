import { RoleCell } from "../../list/columns.tsx";
import { PrintButton } from "../../files/print/PrintButton.tsx";
import { Link } from "../../parts/Link.tsx";
import { of, type Address } from "../../session/address/address.ts";
import type { Cells } from "../../session/ask/groupedRows.ts";
import { useSession } from "../../session/session.ts";
import { nameOf } from "../../words/names.ts";
import { Crumbs } from "../Crumbs.tsx";
import { Heading } from "../Heading.tsx";
import { useDocumentTitle } from "../title.ts";
import { ContentOf, GroupList, ReasonOf, UserOf } from "./GroupList.tsx";
import { findingWords, ReadFindings } from "./Tidy.tsx";

/** The findings of one kind. */
export function TidyView({ address }: { address: Address }) {
  const { tidy } = useSession();
  const { show = "redundant" } = address;
  const title = findingWords(show);
  useDocumentTitle(title);
  return (
    <>
      <Crumbs way={[]} />
      <Heading of={`tidy ${show}`} ready>
        {title}
      </Heading>
      <div class="bar">
        <ReadFindings of={tidy} />
        <div class="tools">
          <PrintButton />
        </div>
      </div>
      <GroupList
        of={tidy}
        group={show}
        address={address}
        caption={title}
        columns={[
          {
            head: "What",
            class: "c-name",
            cell: (cells) => (cells[1] ? <ContentOf cells={cells} /> : who(cells)),
          },
          { head: "Who", class: "c-member", cell: (cells) => cells[1] && who(cells) },
          { head: "Role", class: "c-role", cell: (cells) => <RoleCell role={cells[8]} /> },
          { head: "Reason", class: "bec", cell: (cells) => <ReasonOf cells={cells} text={cells[9]} /> },
        ]}
      />
    </>
  );
}

/** The user or the team of a finding. */
function who(cells: Cells) {
  const [, , , , user, , id = "", title = ""] = cells;
  if (user) return <UserOf cells={cells} />;
  if (id === "") return null;
  return (
    <Link to={of("team", id)}>
      <bdi>{nameOf({ id, title })}</bdi>
    </Link>
  );
}
