import { useCell } from "../../parts/cell.ts";
import { Icon } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";
import { nameOf } from "../../words/names.ts";
import { figure } from "../../words/number.ts";
import { SHORTCUT } from "../../frame/palette/shortcut.ts";
import { Heading } from "../Heading.tsx";
import { Overview } from "./Overview.tsx";
import { useDocumentTitle } from "../title.ts";

const TOTALS = [
  ["members", "Members"],
  ["teams", "Teams"],
  ["spaces", "Spaces"],
  ["collections", "Collections"],
  ["sites", "Sites"],
  ["permissions", "Permissions"],
] as const;

/** The start page: the organization in numbers, and where to begin. */
export function Home() {
  const { client } = useSession();
  const me = useCell(client.me);
  useDocumentTitle(me && nameOf(me.organization));
  return (
    <>
      <Heading of="home" ready={me !== undefined}>
        <Icon name="organization" />
        {me ? <bdi>{nameOf(me.organization)}</bdi> : <span class="vh">Loading</span>}
      </Heading>
      <p class="lead">Choose something on the left, or press {SHORTCUT}.</p>
      {(!me || me.totals) && (
        <dl class="totals">
          {TOTALS.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{me?.totals ? figure(me.totals[name]) : "–"}</dd>
            </div>
          ))}
        </dl>
      )}
      <Overview />
      {me && (
        <dl class="facts">
          <div>
            <dt>Signed in with</dt>
            <dd>
              {me.caller.kind === "organization" ? (
                "an organization token"
              ) : (
                <>
                  the token of <bdi>{nameOf(me.caller)}</bdi>, {me.caller.role ?? "guest"}
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>API</dt>
            <dd>
              <code>{me.publicUrl}/v1</code>
            </dd>
          </div>
          <div>
            <dt>Revision</dt>
            <dd>{figure(me.revision)}</dd>
          </div>
          <div>
            <dt>Version</dt>
            <dd>{me.version}</dd>
          </div>
        </dl>
      )}
    </>
  );
}
