import { useRef } from "preact/hooks";
import { filtersOf, narrowingOf, whole, withDetail, type Address } from "../../session/address/address.ts";
import { useWidth } from "../../parts/screen/width.ts";
import { TWO_LINES, useMedia } from "../../parts/screen/media.ts";
import { Link } from "../../parts/Link.tsx";
import { isByTitle, REASONS } from "../../words/filters.ts";
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

/** The filters and the order of the list. On narrow screens they are behind a button. */
export function FilterBar({ address }: { address: Address }) {
  const names = filtersOf(address);
  return names.length === 0 ? null : <Bar address={address} names={names} />;
}

function Bar({ address, names }: { address: Address; names: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const small = useMedia(TWO_LINES);
  const wide = useWidth(box, ONE_ROW);
  const set = narrowingOf(address).filter((name) => name !== "q" && name !== "role").length;
  const isLong = names.includes("reason") || names.includes("kind");
  const choices = <Choices address={address} />;
  return (
    <div class="filters" ref={box}>
      <TextFilter address={address} label={labelOf(address)} />
      {(isLong && !wide) || (small && names.some((name) => SEVERAL.has(name))) ? (
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
  if (address.view === "found") return "Title, name or e-mail";
  return isByTitle(address) ? "Filter by title" : "Filter by name or e-mail";
}

function Choices({ address }: { address: Address }) {
  const { reason, guests, deleted, least, through, sort } = address;
  const names = filtersOf(address);
  const chosen = new Set(reason?.split(",") ?? []);
  const flip = (name: string) => {
    const kept = Object.keys(REASONS).filter((each) => chosen.has(each) !== (each === name));
    return withDetail(address, "reason", kept.join(","));
  };
  // The order that is not the default.
  const other = address.view === "member" ? "strongest" : "id";
  return (
    <div class="choices">
      {names.includes("reason") && (
        <div role="group" aria-label="Filter by reason">
          {Object.entries(REASONS).map(([name, label]) => (
            <Chip key={name} on={chosen.has(name)} to={flip(name)}>
              {label}
            </Chip>
          ))}
        </div>
      )}
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
