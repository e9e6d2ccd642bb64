/** Reasons and ladders of the made-up organization, from the code that decides. */
import { decide, type Decision, type Level } from "../../../domain/access.ts";
import { contentKey, type ContentKey, idOf } from "../../../domain/content.ts";
import { reasonOf, type Reason, type Titled, type Titles } from "../../../domain/reason.ts";
import { explain, type Explanation, type Person } from "../../../domain/why.ts";
import { above, type DevContent, type DevMember, type Directory } from "./directory.ts";

export function decisionOf(all: Directory, key: ContentKey, member: DevMember): Decision | undefined {
  const content = all.contents.get(key);
  return content && decide(chainOf(all, content), subjectOf(member));
}

export function because(all: Directory, key: ContentKey, decision: Decision, space?: Titled): Reason {
  return reasonOf(key, decision, titlesOf(all), space);
}

export function whyOf(all: Directory, user: Person, content: DevContent): Explanation {
  const member = all.members.get(user.id);
  return explain({
    organization: all.organization,
    user,
    member: member && subjectOf(member),
    chain: chainOf(all, content),
    titles: titlesOf(all),
  });
}

function subjectOf(member: DevMember) {
  return { role: member.role, teams: [...member.teams.keys()], direct: member.direct };
}

function chainOf(all: Directory, content: DevContent): [Level, ...Level[]] {
  return [level(content), ...above(all, content).toReversed().map(level)];
}

function level(at: DevContent): Level {
  return { content: contentKey(at.kind, at.id), defaultLevel: at.defaultLevel, teams: at.teams };
}

function titlesOf(all: Directory): Titles {
  return {
    content: (key) => all.contents.get(key)?.title ?? idOf(key),
    team: (id) => all.teams.get(id)?.title ?? id,
  };
}
