import { withDetail, type Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { dayOf, daysFrom } from "../../words/day.ts";
import { DayField } from "../../parts/controls/DayField.tsx";
import { Chip } from "./Chip.tsx";

/** The filter for rows that are new since a day. The default day is 30 days ago, or the earliest accepted one. */
export function Since({ address }: { address: Address }) {
  const { walk, client } = useSession();
  const earliest = useCell(client.me)?.earliest;
  const { since } = address;
  const today = dayOf(new Date());
  // The revision at the beginning of the day must be readable, so the earliest day is the one after the earliest
  // import.
  const first = earliest ? daysFrom(dayOf(earliest.importedAt), 1) : today;
  const begin = [daysFrom(today, -30), first].sort().at(-1);
  return (
    <div class="since">
      <Chip
        on={since !== undefined}
        to={withDetail(address, "since", since === undefined ? begin : undefined)}
      >
        new since
      </Chip>
      {since !== undefined && (
        <DayField
          label="New since"
          min={first}
          max={today}
          value={since}
          onChoose={(day) => walk.type(withDetail(walk.move.value.address, "since", day))}
        />
      )}
    </div>
  );
}
