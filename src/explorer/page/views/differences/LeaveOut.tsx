import { contentKey } from "../../../../domain/content.ts";
import { type Without, writeWithout } from "../../../../domain/without.ts";
import type { WhyAnswer } from "../../../wire/why.ts";
import type { WhyLevel, WhyStep } from "../../../../domain/why.ts";
import { Link } from "../../parts/Link.tsx";
import { withoutSource } from "./query.ts";

/**
 * Links from the deciding step to the effect of removing its source. If several teams decide, the source is the first
 * one's permission.
 */
export function LeaveOut({ why, level, step }: { why: WhyAnswer; level: WhyLevel; step: WhyStep }) {
  const without = sourceOf(why.user.id, level, step);
  if (without === undefined) return null;
  const { kind, id } = why.space ? { kind: "space", id: why.space.id } : why.subject;
  return (
    <p class="leave">
      <Link to={withoutSource(writeWithout(without), `${kind}/${id}`)} class="link">
        What if this were not there?
      </Link>
    </p>
  );
}

function sourceOf(user: string, { kind, id }: WhyLevel, { mark, rule, teams }: WhyStep): Without | undefined {
  if (mark !== "decides" || kind === "organization") return undefined;
  const content = contentKey(kind, id);
  if (rule === "direct") return { of: "user", user, content };
  if (rule === "default") return { of: "default", content };
  const [team] = teams ?? [];
  return rule === "team" && team !== undefined ? { of: "grant", team: team.id, content } : undefined;
}
