/** Reasons, sentences and ladders as the brief words them, from the code that decides. */
import { decide, type Decision, type Step } from "../../../domain/access.ts";
import { contentKey, type ContentKey } from "../../../domain/content.ts";
import { rank } from "../../../domain/role.ts";
import type { Phrase, Reason, Titled, WhyAnswer, WhyLevel, WhyStep } from "../../wire.ts";
import { above, ladderOf, type DevContent, type DevMember, type Directory } from "./directory.ts";

const name = (text: string) => ({ name: text });

export function decisionOf(
  all: Directory,
  key: ContentKey,
  member: DevMember,
  report?: (step: Step) => void,
) {
  return decide(
    ladderOf(all, key),
    { role: member.role, teams: [...member.teams.keys()], direct: member.direct },
    report,
  );
}

export function reasonOf(all: Directory, key: ContentKey, decision: Decision, space?: Titled): Reason {
  const at = decision.level && all.contents.get(decision.level.content);
  const team = decision.team === undefined ? undefined : all.teams.get(decision.team);
  const here = decision.level?.content === key;
  const where = (word: string): Phrase => (here || !at ? [" here"] : [` ${word} `, name(at.title)]);
  const because: (string | { name: string })[] = [];
  if (decision.rule === "admin") because.push("organization admin");
  if (decision.rule === "organization") because.push("organization role");
  const words: Phrase =
    decision.rule === "direct"
      ? ["direct permission", ...where("on")]
      : decision.rule === "team"
        ? ["team ", name(team?.title ?? ""), ...where("on")]
        : decision.rule === "default"
          ? ["default level", ...where("of")]
          : because;
  return {
    rule: decision.rule,
    ...(at && { content: { kind: at.kind, id: at.id, title: at.title } }),
    ...(team && { team: { id: team.id, title: team.title } }),
    ...(space && { space }),
    because: space ? [...words, ", in ", name(space.title)] : words,
  };
}

export function whyOf(
  all: Directory,
  user: string,
  key: ContentKey,
): Omit<WhyAnswer, "revision" | "importedAt"> {
  const content = all.contents.get(key);
  if (!content) throw new Error("no such content");
  const member = all.members.get(user);
  const steps: Step[] = [];
  const decision = member && decisionOf(all, key, member, (step) => steps.push(step));
  return {
    user: {
      id: user,
      displayName: member?.displayName ?? user,
      ...(member?.email !== undefined && { email: member.email }),
      ...(member?.role === null && { guest: true as const }),
    },
    subject: { kind: content.kind, id: content.id, title: content.title },
    role: decision?.role ?? null,
    sentence: sentence(all, content, user, member, decision, steps),
    levels: levels(all, content, member, decision, steps),
    command: `rolebook why ${quote(user)} ${quote(content.id)}`,
  };
}

function quote(text: string): string {
  return /^[\w.@-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function sentence(
  all: Directory,
  content: DevContent,
  id: string,
  member: DevMember | undefined,
  decision: Decision | undefined,
  steps: Step[],
): Phrase {
  const user = name(member?.displayName ?? id);
  const organization = name(all.organization.title);
  const x = `this ${content.kind}`;
  const no = { verdict: "No access" };
  if (!member) return [no, ", because ", user, " is not a member of ", organization, "."];
  const last = steps.at(-1);
  const level = decision?.level ?? last?.level;
  const at = level && all.contents.get(level.content);
  const n: Phrase =
    !at || at === content ? [x] : ["collection ", name(at.title), `, which ${x} inherits from`];
  if (!decision) {
    if (!level)
      return [
        no,
        ", because ",
        user,
        " is a guest of ",
        organization,
        ` with no permission on ${x} or above it.`,
      ];
    const further: Phrase =
      at?.parent === undefined ? [] : [" What is given further up does not reach past it."];
    if (level.defaultLevel === null)
      return [no, ", because ", ...n, " is closed and ", user, " has no permission on it.", ...further];
    return [
      no,
      ", because ",
      user,
      " is a guest and the default level of ",
      ...n,
      " does not count for guests.",
      ...further,
    ];
  }
  const role = { verdict: decision.role };
  if (decision.rule === "admin")
    return [role, ", because ", user, " is an admin of ", organization, ", whatever else is set."];
  if (decision.rule === "direct") {
    const best = [...(level?.teams ?? [])]
      .filter(([team]) => member.teams.has(team))
      .sort((a, b) => rank(b[1]) - rank(a[1]))[0];
    const more: Phrase =
      best && best[1] !== decision.role
        ? [
            " A direct permission counts before team ",
            name(all.teams.get(best[0])?.title ?? ""),
            `’s ${best[1]}.`,
          ]
        : [];
    return [role, ", because ", user, ` has ${decision.role} directly on `, ...n, ".", ...more];
  }
  if (decision.rule === "team") {
    const count = last?.teams?.length ?? 1;
    const more = count > 1 ? [` It is the highest of ${count} team permissions there.`] : [];
    return [
      role,
      ", because team ",
      name(all.teams.get(decision.team ?? "")?.title ?? ""),
      ` has ${decision.role} on `,
      ...n,
      ".",
      ...more,
    ];
  }
  if (decision.rule === "default")
    return [role, ", because the default level of ", ...n, ` is ${decision.role}.`];
  return [
    role,
    ", because it is ",
    user,
    "’s role in ",
    organization,
    ` and nothing on ${x} or above it says otherwise.`,
  ];
}

function levels(
  all: Directory,
  content: DevContent,
  member: DevMember | undefined,
  decision: Decision | undefined,
  steps: Step[],
): WhyLevel[] {
  const rest = { mark: "not-reached", answer: "not reached" } as const;
  const organization = { kind: "organization" as const, ...all.organization, here: false };
  const admin = decision?.rule === "admin";
  const first: WhyStep[] = [
    {
      rule: "member",
      label: "Member",
      ...(member ? { mark: "none", answer: "yes" } : { mark: "decides", answer: "no" }),
    },
    !member
      ? { rule: "admin", label: "Organization admin", ...rest }
      : admin
        ? { rule: "admin", label: "Organization admin", mark: "decides", answer: "", role: "admin" }
        : {
            rule: "admin",
            label: "Organization admin",
            mark: "none",
            ...(member.role ? { answer: "no", role: member.role } : { answer: "no, guest" }),
          },
  ];
  const out: WhyLevel[] = [{ ...organization, steps: first }];
  for (const at of [content, ...above(all, content).toReversed()]) {
    const key = contentKey(at.kind, at.id);
    const find = (rule: string) => steps.find((step) => step.rule === rule && step.level?.content === key);
    const direct = find("direct");
    const team = find("team");
    const level = find("default");
    const teams = (team?.teams ?? [])
      .map((id) => ({
        id,
        title: all.teams.get(id)?.title ?? "",
        role: at.teams.get(id) ?? ("read" as const),
      }))
      .sort((a, b) => rank(b.role) - rank(a.role) || (a.id < b.id ? -1 : 1));
    const told = (step: Step | undefined, none: string): Pick<WhyStep, "mark" | "answer" | "role"> =>
      !step
        ? rest
        : step.role
          ? { mark: "decides", answer: "", role: step.role }
          : step.outcome === "decides"
            ? { mark: "decides", answer: none }
            : { mark: "none", answer: none };
    out.push({
      kind: at.kind,
      id: at.id,
      title: at.title,
      here: at === content,
      steps: [
        { rule: "direct", label: "Direct permission", ...told(direct, "none") },
        {
          rule: "team",
          label: "Team permissions",
          ...told(
            team,
            at.teams.size === 0
              ? "none"
              : `none of ${at.teams.size} ${at.teams.size === 1 ? "team" : "teams"}`,
          ),
          ...(team?.role && { teams }),
        },
        {
          rule: "default",
          label: "Default level",
          ...(level?.outcome === "onward"
            ? { mark: "on", answer: "inherit" }
            : told(level, at.defaultLevel === null ? "closed" : `${at.defaultLevel}, not for guests`)),
        },
      ],
    });
  }
  const end = steps.find((step) => step.rule === "organization");
  out.push({
    ...organization,
    steps: [
      {
        rule: "organization",
        label: "Organization role",
        ...(end
          ? { mark: "decides" as const, ...(end.role ? { answer: "", role: end.role } : { answer: "guest" }) }
          : rest),
      },
    ],
  });
  return out;
}
