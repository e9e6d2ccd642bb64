import type { ComponentChildren } from "preact";
import type { Subject } from "../../../wire/subjects.ts";
import { Terms } from "../../parts/Terms.tsx";
import { WithoutLevel } from "../differences/Tools.tsx";
import { date } from "../../words/date.ts";
import { figure } from "../../words/number.ts";

export function Facts({ subject }: { subject: Subject | undefined }) {
  // Reserves the height of the facts until they are loaded.
  if (!subject) return <Terms class="facts" of={[["\u00a0", ""]]} />;
  return <Terms class="facts" of={[...factsOf(subject), ["Id", <code>{subject.id}</code>]]} />;
}

type Fact = readonly [term: string, value: ComponentChildren];

function factsOf(subject: Subject): Fact[] {
  switch (subject.kind) {
    case "space":
      return [
        ...(subject.deletedAt === undefined ? [] : [["Deleted", date(subject.deletedAt)] as const]),
        levelOf(subject),
        ["Visibility", subject.visibility],
      ];
    case "collection":
      return [levelOf(subject), ["Contents", figure(subject.children)]];
    case "site":
      return [["Spaces", figure(subject.spaces)]];
    case "member":
      return [
        ...(subject.email === undefined ? [] : [["E-mail", subject.email] as const]),
        ["Organization role", subject.role ?? "guest"],
      ];
    case "team":
      return [
        ["Members", figure(subject.members)],
        ["Spaces", figure(subject.spaces)],
        ["Created", date(subject.createdAt)],
      ];
  }
}

function levelOf(subject: Subject & { readonly defaultLevel: string | null }): Fact {
  return [
    "Default level",
    <>
      {subject.defaultLevel ?? "closed"} <WithoutLevel subject={subject} />
    </>,
  ];
}
