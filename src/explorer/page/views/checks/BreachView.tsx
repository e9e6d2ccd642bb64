import { useEffect, useRef } from "preact/hooks";
import { RoleCell } from "../../list/columns.tsx";
import { useCell } from "../../parts/cell.ts";
import type { Address } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { count } from "../../words/number.ts";
import { Checked } from "../home/Rules.tsx";
import { ListPage } from "../ListPage.tsx";
import { ContentOf, GroupList, ReasonOf, UserOf } from "./GroupList.tsx";
import { Reading } from "./Groups.tsx";

/** The breaches of a recorded rule in the shown revision. */
export function BreachView({ address }: { address: Address }) {
  const { breaches } = useSession();
  const { state } = useCell(breaches.read);
  const { show: rule = "" } = address;
  const title = rule || "Breaches of a rule";
  const asked = useRef<string | undefined>(undefined);
  function begin(): void {
    asked.current = rule;
    void breaches.start({ rule }, () => rule);
  }
  useEffect(() => {
    if (state === "idle" || asked.current !== rule) begin();
  }, [rule, state]);
  return (
    <ListPage
      address={address}
      of={`breaches ${rule}`}
      heading={<bdi>{title}</bdi>}
      title={title}
      lead={<Checked rule={rule} />}
      bar={<Reading of={breaches} noun="breach" nouns="breaches" label="Check the rule" begin={begin} />}
    >
      <GroupList
        of={breaches}
        group={rule}
        address={address}
        caption={`Breaches of the rule ${rule}`}
        columns={[
          {
            head: "What",
            class: "c-name",
            cell: (cells) => (cells[1] ? <ContentOf cells={cells} /> : "organization"),
          },
          {
            head: "Who",
            class: "c-member",
            cell: (cells) => (cells[4] ? <UserOf cells={cells} /> : count(Number(cells[7]), "member")),
          },
          { head: "Role", class: "c-role", cell: (cells) => <RoleCell role={cells[6]} /> },
          { head: "Reason", class: "bec", cell: (cells) => <ReasonOf cells={cells} text={cells[8]} /> },
        ]}
      />
    </ListPage>
  );
}
