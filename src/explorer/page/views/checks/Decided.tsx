import { useState } from "preact/hooks";
import { Command } from "../../parts/controls/Command.tsx";
import { FileButton } from "../../parts/controls/FileButton.tsx";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/date.ts";
import { capital } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { Groups, Reading } from "./Groups.tsx";
import { Section } from "../home/Section.tsx";

/** Opens a decided report from the reader's machine, and checks it against the shown revision. */
export function ReadDecided() {
  const { client, decided } = useSession();
  const organization = useCell(client.me)?.organization.id;
  const sheet = useCell(decided.sheet);
  const isKept = useCell(decided.isKept);
  const { state } = useCell(decided.outcomes.read);
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
        <FileButton label="Open a report" field="A decided report" open={(file) => void open(file)} />
      </p>
      <p role="alert">
        {refused ||
          (!isKept && "This browser does not keep the report: open it again after a reload of the page.")}
      </p>
      {sheet && (
        <Reading of={decided.outcomes} noun="outcome" label="Check again" begin={() => decided.check()} />
      )}
      {state === "whole" && decided.altered > 0 && (
        <p>
          {count(decided.altered, "row")} of the file differ from the report, which the server made again.
        </p>
      )}
    </div>
  );
}

export function Outcomes() {
  const { decided } = useSession();
  const { counts } = useCell(decided.outcomes.read);
  const groups = [...counts.keys()].sort().map((each) => [each, capital(each)] as const);
  return <Groups of={decided.outcomes} view="decided" groups={groups} />;
}

/** The section of the start page that checks a decided report, as `rolebook review` does. */
export function Decided() {
  const { decided } = useSession();
  const { counts } = useCell(decided.outcomes.read);
  return (
    <Section id="decided" title="Check a decided report">
      <ReadDecided />
      <Outcomes />
      {counts.size > 0 && <Command text='rolebook review FILE --summary review.html --by "NAME"' />}
    </Section>
  );
}
