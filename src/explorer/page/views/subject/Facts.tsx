import type { Subject } from "../../../wire/things.ts";
import { WithoutLevel } from "../differences/Tools.tsx";
import { date } from "../../words/date.ts";
import { figure } from "../../words/number.ts";

/** The settings of the shown subject, in one line. */
export function Facts({ subject }: { subject: Subject | undefined }) {
  return (
    <dl class="facts">
      {factsOf(subject).map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{term === "Id" ? <code>{value}</code> : value}</dd>
          {subject && term === "Default level" && <WithoutLevel subject={subject} />}
        </div>
      ))}
    </dl>
  );
}

function factsOf(subject: Subject | undefined): [string, string][] {
  // Keeps the line's height.
  if (!subject) return [["\u00a0", ""]];
  const id: [string, string] = ["Id", subject.id];
  switch (subject.kind) {
    case "space":
      return [
        ...(subject.deletedAt === undefined
          ? []
          : [["Deleted", date(subject.deletedAt)] satisfies [string, string]]),
        ["Default level", subject.defaultLevel ?? "closed"],
        ["Visibility", subject.visibility],
        id,
      ];
    case "collection":
      return [
        ["Default level", subject.defaultLevel ?? "closed"],
        ["Contents", figure(subject.children)],
        id,
      ];
    case "site":
      return [["Spaces", figure(subject.spaces)], id];
    case "member":
      return [
        ...(subject.email === undefined ? [] : [["E-mail", subject.email] satisfies [string, string]]),
        ["Organization role", subject.role ?? "guest"],
        id,
      ];
    case "team":
      return [
        ["Members", figure(subject.members)],
        ["Spaces", figure(subject.spaces)],
        ["Created", date(subject.createdAt)],
        id,
      ];
  }
}
