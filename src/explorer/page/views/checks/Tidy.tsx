import { FINDINGS } from "../../../../domain/findings.ts";
import type { GroupedRows } from "../../session/ask/groupedRows.ts";
import { Command } from "../../parts/controls/Command.tsx";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { capital } from "../../words/names.ts";
import { Groups, Reading } from "./Groups.tsx";
import { Section } from "../home/Section.tsx";

export const TITLE = "What can be tidied up";
/** The kinds of findings with their labels. */
export const GROUPS = Object.entries(FINDINGS).map(([kind, words]) => [kind, capital(words)] as const);

export function look(tidy: GroupedRows): void {
  void tidy.start({}, ([kind = ""]) => kind);
}

export function ReadFindings({ of: tidy }: { of: GroupedRows }) {
  return <Reading of={tidy} noun="finding" label="Look for findings" begin={() => look(tidy)} />;
}

/**
 * The section of the start page that counts the findings of each kind, when the reader asks for them, because that takes
 * long for many members.
 */
export function Tidy() {
  const { client, tidy } = useSession();
  const organization = useCell(client.me)?.organization.id;
  const { state } = useCell(tidy.read);
  return (
    <Section id="tidy" title={TITLE}>
      <ReadFindings of={tidy} />
      <Groups of={tidy} view="tidy" groups={GROUPS} />
      {state !== "idle" && (
        <Command text={`rolebook tidy --organization ${organization} --format changes > tidy.ndjson`} />
      )}
    </Section>
  );
}
