/** What can be tidied up: the kinds of findings with their numbers, and the findings of one kind. */
import { useEffect } from "preact/hooks";
import { FINDINGS } from "../../../domain/findings.ts";
import { column } from "../list/Table.tsx";
import { RoleCell } from "../list/columns.tsx";
import { SubjectLink } from "../parts/Link.tsx";
import { Command } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import type { Address } from "../session/address.ts";
import type { Cells, GroupedRows } from "../session/groupedRows.ts";
import { useSession } from "../session/session.ts";
import { capital } from "../words/names.ts";
import { ContentOf, GroupList, Groups, ReadingStatus, ReasonOf, Section, UserOf } from "./Groups.tsx";
import { Page } from "./Page.tsx";

/** The findings of one kind; without a kind that is known, the number of each kind. */
export function TidyView({ address }: { address: Address }) {
  const { tidy } = useSession();
  const { state } = useValue(tidy.read);
  const [kind, title] = GROUPS.find(([each]) => each === address.show) ?? ["", TIDY_TITLE];
  useEffect(() => {
    if (state === "idle") readFindings(tidy);
  }, [state]);
  return (
    <Page address={address} of={`tidy ${kind}`} heading={title} title={title}>
      <div class="bar">
        <FindingsStatus of={tidy} {...(kind !== "" && { group: kind })} />
      </div>
      {kind === "" ? (
        <div class="rules">
          <Groups of={tidy} view="tidy" groups={GROUPS} />
        </div>
      ) : (
        <GroupList
          of={tidy}
          group={kind}
          address={address}
          caption={title}
          columns={[
            column("What", "c-name", (cells) => (cells[1] ? <ContentOf cells={cells} /> : who(cells))),
            column("Who", "c-member", (cells) => cells[1] && who(cells)),
            column("Role", "c-role", (cells) => <RoleCell role={cells[8]} />),
            column("Reason", "bec", (cells) => <ReasonOf cells={cells} text={cells[9]} />),
          ]}
        />
      )}
    </Page>
  );
}

function who(cells: Cells) {
  const [, , , , user, , id = "", title = ""] = cells;
  if (user) return <UserOf cells={cells} />;
  if (id === "") return null;
  return <SubjectLink of={{ kind: "team", id, title }} />;
}

const TIDY_TITLE = "What can be tidied up";
/** The kinds of findings with their labels. */
const GROUPS = Object.entries(FINDINGS).map(([kind, words]) => [kind, capital(words)] as const);

function readFindings(tidy: GroupedRows): void {
  void tidy.start({}, ([kind = ""]) => kind);
}

function FindingsStatus({ of: tidy, ...shown }: { of: GroupedRows; group?: string }) {
  return (
    <ReadingStatus
      of={tidy}
      {...shown}
      noun="finding"
      label="Look for findings"
      begin={() => readFindings(tidy)}
    />
  );
}

/**
 * The section of the start page that counts the findings of each kind, when the reader asks for them, because that takes
 * long for many members.
 */
export function Tidy() {
  const { client, tidy } = useSession();
  const organization = useValue(client.me)?.organization.id;
  const { state } = useValue(tidy.read);
  return (
    <Section id="tidy" title={TIDY_TITLE}>
      <FindingsStatus of={tidy} />
      <Groups of={tidy} view="tidy" groups={GROUPS} />
      {state !== "idle" && (
        <Command text={`rolebook tidy --organization ${organization} --format changes > ./tidy.ndjson`} />
      )}
    </Section>
  );
}
