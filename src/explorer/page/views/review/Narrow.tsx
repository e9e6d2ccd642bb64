/** What leaves rows out of the sheet of a review before it is read, as the options of `rolebook report` do. */
import { ROLES } from "../../../../domain/role.ts";
import type { TeamRow } from "../../../wire/lists.ts";
import { TeamFilter } from "../../list/FilterBar.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { Button, DayField, Select } from "../../parts/controls.tsx";
import { useValue } from "../../parts/observable.ts";
import { type Address, NARROWING, withDetail } from "../../session/address.ts";
import { useRead } from "../../session/rows.ts";
import { useSession } from "../../session/session.ts";
import { dayOf, daysFrom } from "../../words/dates.ts";
import { nameOf } from "../../words/names.ts";

export function Narrow({ address }: { address: Address }) {
  const { navigation, client } = useSession();
  const { least, through, since } = address;
  const earliest = useValue(client.me)?.earliest;
  const set = NARROWING.filter((name) => address[name] !== undefined).length;
  const choose = (name: (typeof NARROWING)[number], value: string | undefined) =>
    navigation.choose(withDetail(address, name, value));
  const today = dayOf(new Date());
  const first = earliest ? daysFrom(dayOf(earliest.importedAt), 1) : today;
  const toggle = (name: "guests" | "reason" | "since", value: string, label: string) => (
    <Button
      class="chip"
      aria-pressed={address[name] !== undefined}
      onClick={() => choose(name, address[name] === undefined ? value : undefined)}
    >
      {label}
    </Button>
  );
  return (
    <details class="over">
      <summary class="btn">
        Narrow{set > 0 ? `: ${set}` : ""}
        <Icon name="open" />
      </summary>
      <div class="choices">
        {toggle("guests", "only", "guests only")}
        {toggle("reason", "direct", "direct only")}
        <Select
          label="Least role"
          value={least ?? ""}
          of={{
            "": "any role",
            ...Object.fromEntries(ROLES.toReversed().map((role) => [role, `${role} or stronger`])),
          }}
          choose={(role) => choose("least", role)}
        />
        {through === undefined ? (
          <TeamChoice choose={(team) => choose("through", team)} />
        ) : (
          <TeamFilter address={address} team={through} />
        )}
        {toggle("since", [daysFrom(today, -30), first].sort().at(-1) ?? today, "new since")}
        {since !== undefined && (
          <DayField
            label="New since"
            min={first}
            max={today}
            value={since}
            onChoose={(day) => choose("since", day)}
          />
        )}
      </div>
    </details>
  );
}

/** The teams that one list can offer; the address takes any other as `through`. */
const TEAMS = 500;

function TeamChoice({ choose }: { choose(team: string): void }) {
  const { lists } = useSession();
  const list = lists.get<TeamRow>({ list: "teams" });
  const { known } = useRead(list);
  list.readTo(TEAMS);
  const teams = Array.from({ length: Math.min(known, TEAMS) }, (_, at) => list.row(at)?.team).flatMap(
    (team) => (team ? [[team.id, `team ${nameOf(team)}`] as const] : []),
  );
  return (
    <Select label="Team" value="" of={{ "": "any team", ...Object.fromEntries(teams) }} choose={choose} />
  );
}
