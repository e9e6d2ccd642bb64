/** A decided report, opened from the reader's machine: what became of each row. */
import { useState } from "preact/hooks";
import { deciderSaid } from "../../../../domain/decided.ts";
import { column } from "../../list/Table.tsx";
import { RoleCell } from "../../list/columns.tsx";
import { Command, FileButton } from "../../parts/controls.tsx";
import { useValue } from "../../parts/observable.ts";
import type { Address } from "../../session/address.ts";
import type { Cells } from "../../session/groupedRows.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/dates.ts";
import { capital } from "../../words/names.ts";
import { count } from "../../words/numbers.ts";
import { ContentOf, GroupList, Groups, ReadingStatus, ReasonOf, Section, UserOf } from "../Groups.tsx";
import { Page } from "../Page.tsx";

/** The rows of a decided report that have one decision and outcome. */
export function DecidedView({ address }: { address: Address }) {
  const { decided } = useSession();
  const { show = "" } = address;
  const title = capital(show) || "Check a decided report";

  /** The cells of an outcome. A name that the server no longer has is taken from the file. */
  function named(cells: Cells): Cells {
    const { content, user } = decided.rowOf(cells) ?? {};
    return cells.map(
      (cell, at) => cell || (at === 3 ? content?.title : at === 5 ? user?.displayName : "") || "",
    );
  }

  return (
    <Page address={address} of={`decided ${show}`} heading={title} title={title}>
      <div class="bar">
        <DecidedStatus {...(show !== "" && { group: show })} />
      </div>
      {show === "" ? (
        <div class="rules">
          <Outcomes />
        </div>
      ) : (
        <GroupList
          of={decided.outcomes}
          group={show}
          address={address}
          caption={title}
          columns={[
            column("Content", "c-name", (cells) => <ContentOf cells={named(cells)} />),
            column("Member", "c-member", (cells) => <UserOf cells={named(cells)} />),
            column("Was", "c-role c-was", (cells) => <RoleCell role={cells[6] || "no role"} />),
            column("Is", "c-role c-is", (cells) => <RoleCell role={cells[7] || "no role"} />),
            column("Why, since when, comment", "bec", (cells) => {
              const [, , , , , , , , reason, , time = "", change] = cells;
              const { comment = "" } = decided.rowOf(cells)?.mark ?? {};
              const text = [reason, change && `${change} (${moment(time)})`, comment && `“${comment}”`]
                .filter(Boolean)
                .join("; ");
              return <ReasonOf cells={named(cells)} text={text} />;
            }),
          ]}
        />
      )}
    </Page>
  );
}

/** Opens a decided report from the reader's machine, and checks it against the shown revision. */
function DecidedStatus(shown: { group?: string }) {
  const { client, decided } = useSession();
  const organization = useValue(client.me)?.organization.id;
  const sheet = useValue(decided.sheet);
  const isKept = useValue(decided.isKept);
  const { state } = useValue(decided.outcomes.read);
  const [refused, setRefused] = useState("");

  async function open(file: File): Promise<void> {
    try {
      decided.open(await file.text(), organization);
      setRefused("");
    } catch (error) {
      setRefused(`${file.name} was not opened. ${error instanceof Error ? error.message : ""}`);
    }
  }

  return (
    <div>
      <p>
        {sheet
          ? `${capital(sheet.covers)}; revision ${sheet.revision}, imported ${moment(sheet.imported)}; ${count(sheet.rows.length, "row")}. `
          : "What became of each row, and who came since. The file stays in this browser. "}
        {sheet?.decider && `${deciderSaid(sheet.decider)} `}
        <FileButton label="Open a report" field="A decided report" open={(file) => void open(file)} />
      </p>
      <p role="alert">
        {refused ||
          (!isKept && "This browser does not keep the report: open it again after a reload of the page.")}
      </p>
      {sheet && (
        <ReadingStatus
          of={decided.outcomes}
          {...shown}
          noun="outcome"
          label="Check again"
          begin={() => decided.check()}
        />
      )}
      {state === "whole" && decided.altered > 0 && (
        <p>
          {count(decided.altered, "row")} of the file differ from the report, which the server made again.
        </p>
      )}
    </div>
  );
}

function Outcomes() {
  const { decided } = useSession();
  const { counts } = useValue(decided.outcomes.read);
  const groups = [...counts.keys()].sort().map((each) => [each, capital(each)] as const);
  return <Groups of={decided.outcomes} view="decided" groups={groups} />;
}

/** The section of the start page that checks a decided report, as `rolebook review` does. */
export function DecidedSection() {
  const { decided } = useSession();
  const { counts } = useValue(decided.outcomes.read);
  return (
    <Section id="decided" title="Check a decided report">
      <DecidedStatus />
      <Outcomes />
      {counts.size > 0 && <Command text='rolebook review FILE --summary ./review.html --by "NAME"' />}
    </Section>
  );
}
