import { useRef } from "preact/hooks";
import { TABS, whole, withDetail, type Address } from "../../session/address/address.ts";
import { filtersOf, isByTitle, narrowingOf } from "../../session/address/filters.ts";
import { useSession } from "../../session/session.ts";
import { STRONGEST_FIRST } from "../Mix.tsx";
import { useWidth } from "../../parts/screen/width.ts";
import { TWO_LINES, useMedia } from "../../parts/screen/media.ts";
import { Link } from "../../parts/Link.tsx";
import { CHANGES, REASONS } from "../../words/filters.ts";
import { Chip } from "./Chip.tsx";
import { Drawer } from "./Drawer.tsx";
import { Kinds } from "./Kinds.tsx";
import { Since } from "./Since.tsx";
import { TextFilter } from "./TextFilter.tsx";
import { Through } from "./Through.tsx";

/** On a phone, a list with one of these filters has its filters behind a button. */
const SEVERAL = new Set(["least", "guests", "deleted"]);

/** The least width, in CSS pixels, at which the text field and all filters of a list with reasons fit in one row. */
const ONE_ROW = 820;

/** The filters and the order of the list. They are behind a button if they do not fit in one row. */
export function FilterBar({ address }: { address: Address }) {
  const names = filtersOf(address);
  return names.includes("q") ? <Bar address={address} names={names} /> : null;
}

function Bar({ address, names }: { address: Address; names: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const small = useMedia(TWO_LINES);
  const wide = useWidth(box, ONE_ROW);
  const set = narrowingOf(address).filter((name) => name !== "q" && name !== "role").length;
  const isLong = names.includes("reason") || names.includes("kind");
  const isLongest = names.includes("change") && isLong;
  const choices = <Choices address={address} />;
  return (
    <div class="filters" ref={box}>
      <TextFilter address={address} label={labelOf(address)} />
      {isLongest || (isLong && !wide) || (small && names.some((name) => SEVERAL.has(name))) ? (
        <Drawer label={`Filters${set > 0 ? `: ${set}` : ""}`} over={!small} open={small && set > 0}>
          {choices}
        </Drawer>
      ) : (
        choices
      )}
    </div>
  );
}

function labelOf(address: Address): string {
  if (address.view === "found" || address.view === "changes") return "Title, name or e-mail";
  return isByTitle(address) ? "Filter by title" : "Filter by name or e-mail";
}

function Choices({ address }: { address: Address }) {
  const { walk } = useSession();
  const { view, tab, role, guests, deleted, least, through, sort, differs } = address;
  const names = filtersOf(address);
  // The first list of these views has its roles above it, each with its number.
  const hasRoles = ["space", "collection", "site", "member"].includes(view) && tab === TABS[view][0];
  // The order that is not the default.
  const other = view === "member" ? "strongest" : "id";
  return (
    <div class="choices">
      {names.includes("role") && !hasRoles && (
        <select
          class="chip"
          aria-label="Filter by role"
          value={role ?? ""}
          onChange={({ currentTarget }) => walk.choose(withDetail(address, "role", currentTarget.value))}
        >
          <option value="">any role</option>
          {STRONGEST_FIRST.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {names.includes("change") && <Several address={address} of="change" names={CHANGES} />}
      {names.includes("differs") && (
        <Chip on={differs !== undefined} to={withDetail(address, "differs", differs ? undefined : "only")}>
          {differs === "none" ? "alike" : "differences"}
        </Chip>
      )}
      {names.includes("reason") && <Several address={address} of="reason" names={REASONS} />}
      {through !== undefined && names.includes("through") && <Through address={address} team={through} />}
      {names.includes("guests") && (
        <Chip on={guests !== undefined} to={withDetail(address, "guests", guests ? undefined : "only")}>
          {guests === "none" ? "no guests" : "guests"}
        </Chip>
      )}
      {names.includes("least") && (
        <Chip on={least !== undefined} to={withDetail(address, "least", least ? undefined : "edit")}>
          {least ?? "edit"} or stronger
        </Chip>
      )}
      {names.includes("deleted") && (
        <Chip on={deleted !== undefined} to={withDetail(address, "deleted", deleted ? undefined : "only")}>
          {deleted === "none" ? "not deleted" : "deleted"}
        </Chip>
      )}
      {names.includes("since") && <Since address={address} />}
      {names.includes("kind") && <Kinds address={address} />}
      {names.includes("sort") && (
        <Chip on={sort === other} to={withDetail(address, "sort", sort === other ? undefined : other)}>
          {other === "id" ? "by id" : "strongest role first"}
        </Chip>
      )}
      {narrowingOf(address).some((name) => name !== "q" || address.view !== "found") ? (
        <Link to={whole(address)} class="link">
          Clear filters
        </Link>
      ) : (
        names.includes("guests") &&
        names.includes("least") && (
          <Link to={{ ...address, guests: "only", least: "edit" }} class="link preset">
            Guests with edit or stronger
          </Link>
        )
      )}
    </div>
  );
}

/** A filter with several values, each a chip. */
function Several(props: {
  address: Address;
  of: "reason" | "change";
  names: Readonly<Record<string, string>>;
}) {
  const { address, of, names } = props;
  const chosen = new Set(address[of]?.split(",") ?? []);
  const flip = (name: string) => Object.keys(names).filter((each) => chosen.has(each) !== (each === name));
  return (
    <div role="group" aria-label={`Filter by ${of}`}>
      {Object.entries(names).map(([name, label]) => (
        <Chip key={name} on={chosen.has(name)} to={withDetail(address, of, flip(name).join(","))}>
          {label}
        </Chip>
      ))}
    </div>
  );
}
