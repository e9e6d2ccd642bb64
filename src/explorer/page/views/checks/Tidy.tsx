import { FINDINGS } from "../../../../domain/explanation/findings.ts";
import type { GroupedRows } from "../../session/ask/groupedRows.ts";
import { Command } from "../../parts/controls/Command.tsx";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { capital } from "../../words/names.ts";
import { Groups, Reading } from "./Groups.tsx";
import { Section } from "../home/Section.tsx";

export function findingWords(kind: string): string {
  return capital(Object.entries(FINDINGS).find(([each]) => each === kind)?.[1] ?? kind);
}

const GROUPS = Object.keys(FINDINGS).map((kind) => [kind, findingWords(kind)] as const);

/** Reads the findings of `rolebook tidy` when the reader asks for them, because that takes long for many members. */
export function ReadFindings({ of: tidy }: { of: GroupedRows }) {
  return (
    <Reading
      of={tidy}
      noun="finding"
      label="Look for findings"
      begin={() => void tidy.start({}, ([kind = ""]) => kind)}
    />
  );
}

/** The section of the start page that counts the findings of each kind. */
export function Tidy() {
  const { client, tidy } = useSession();
  const organization = useCell(client.me)?.organization.id;
  const { state } = useCell(tidy.read);
  return (
    <Section id="tidy" title="What can be tidied up">
      <ReadFindings of={tidy} />
      <Groups of={tidy} view="tidy" groups={GROUPS} />
      {state !== "idle" && (
        <Command text={`rolebook tidy --organization ${organization} --format changes > tidy.ndjson`} />
      )}
    </Section>
  );
}
