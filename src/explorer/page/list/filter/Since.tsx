import { withDetail, type Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { dayOf, daysFrom } from "../../views/past/day.ts";
import { Chip } from "./Chip.tsx";

/** What is new since a day, at first since thirty days ago, or as far back as the past is kept. */
export function Since({ address }: { address: Address }) {
  const { walk, client } = useSession();
  const earliest = useCell(client.me)?.earliest;
  const { since } = address;
  const today = dayOf(new Date());
  // What held when the first of them began has to be there.
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
        <input
          type="date"
          aria-label="New since"
          min={first}
          max={today}
          value={since}
          onChange={({ currentTarget }) =>
            currentTarget.value !== "" &&
            currentTarget.checkValidity() &&
            walk.type(withDetail(walk.move.value.address, "since", currentTarget.value))
          }
        />
      )}
    </div>
  );
}
