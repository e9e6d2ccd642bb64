import { useCell } from "../../parts/cell.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Terms } from "../../parts/Terms.tsx";
import { useSession } from "../../session/session.ts";
import { nameOf } from "../../words/names.ts";
import { figure } from "../../words/number.ts";
import { SHORTCUT } from "../../frame/palette/shortcut.ts";
import { Heading } from "../Heading.tsx";
import { Overview } from "./Overview.tsx";
import type { RecordedRules } from "./useRules.ts";
import { useDocumentTitle } from "../title.ts";

const TOTALS = [
  ["members", "Members"],
  ["teams", "Teams"],
  ["spaces", "Spaces"],
  ["collections", "Collections"],
  ["sites", "Sites"],
  ["permissions", "Permissions"],
] as const;

export function Home({ rules }: { rules: RecordedRules }) {
  const { client } = useSession();
  const me = useCell(client.me);
  useDocumentTitle(me && nameOf(me.organization));
  return (
    <>
      <Heading of="home" ready={me !== undefined}>
        <Icon name="organization" />
        {me ? <bdi>{nameOf(me.organization)}</bdi> : <span class="vh">Loading</span>}
      </Heading>
      {me && (
        <>
          <Terms
            class="facts"
            of={[
              [
                "Signed in with",
                me.caller.kind === "organization" ? (
                  "an organization token"
                ) : (
                  <>
                    the token of <bdi>{nameOf(me.caller)}</bdi>, {me.caller.role ?? "guest"}
                  </>
                ),
              ],
              ["API", <code>{me.publicUrl}/v1</code>],
              ["Revision", figure(me.revision)],
              ["Version", me.version],
            ]}
          />
          <p class="lead">Choose something on the left, or press {SHORTCUT}.</p>
        </>
      )}
      {me?.totals && (
        <Terms class="totals" of={TOTALS.map(([name, label]) => [label, figure(me.totals?.[name] ?? 0)])} />
      )}
      <Overview rules={rules} />
    </>
  );
}
