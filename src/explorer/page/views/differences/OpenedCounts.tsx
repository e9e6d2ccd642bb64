import { rank, type Role, ROLES } from "../../../../domain/role.ts";
import { writeWithout } from "../../../../domain/without.ts";
import { useRestedAnswer } from "../../session/ask/answers.ts";
import { Link } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";
import { figure } from "../../words/number.ts";
import { withoutSource } from "./query.ts";

/** How many members have access to a space only through the team, and how many have a higher role from elsewhere. */
export function OpenedCounts({ team, space, role }: { team: string; space: string; role: Role }) {
  const { withouts } = useSession();
  const source = writeWithout({ of: "team", team });
  const { answer } = useRestedAnswer(withouts, { space, without: source });
  if (!answer?.here || !answer.team) return <span class="dim">counting…</span>;
  const { members } = answer.team;
  const sum = (roles: readonly Role[]) => roles.reduce((all, each) => all + members[each], 0);
  const more = sum(ROLES.filter((each) => rank(each) > rank(role)));
  return (
    <div class="cell">
      <span class="because">
        <Link to={withoutSource(source, `space/${space}`)} class="name">
          {figure(answer.here.lost)} only through it
        </Link>
        ,{" "}
        <Link to={{ view: "reach", id: team, tab: "", on: `space/${space}` }} class="name">
          {figure(more)} of {figure(sum(ROLES))} with more from elsewhere
        </Link>
      </span>
    </div>
  );
}
