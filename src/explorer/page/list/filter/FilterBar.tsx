import { filtersOf, narrowingOf, whole, withDetail, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { TWO_LINES, useMedia } from "../../parts/media.ts";
import { Link } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";
import { isByTitle, REASONS } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { Chip } from "./Chip.tsx";
import { Kinds } from "./Kinds.tsx";
import { Since } from "./Since.tsx";
import { TextFilter } from "./TextFilter.tsx";

/** The filters and the order of the list, collapsed on small screens. */
export function FilterBar({ address }: { address: Address }) {
  const names = filtersOf(address);
  const small = useMedia(TWO_LINES);
  const set = narrowingOf(address).length;
  if (names.length === 0) return null;
  const hasChoices = names.some((name) => name !== "q" && name !== "show");
  const label =
    address.view === "found"
      ? "Title, name or e-mail"
      : isByTitle(address)
        ? "Filter by title"
        : "Filter by name or e-mail";
  const text = <TextFilter address={address} label={label} />;
  const chips = <Choices address={address} />;
  return (
    <div class="filters">
      {text}
      {small && hasChoices ? (
        <details open={set > 0}>
          <summary>Filters{set > 0 && `: ${set}`}</summary>
          {chips}
        </details>
      ) : (
        chips
      )}
    </div>
  );
}

function Choices({ address }: { address: Address }) {
  const { reason, guests, deleted, least, through, sort } = address;
  const names = filtersOf(address);
  const chosen = new Set(reason?.split(",") ?? []);
  const flip = (name: string) => {
    const kept = Object.keys(REASONS).filter((each) => chosen.has(each) !== (each === name));
    return withDetail(address, "reason", kept.join(","));
  };
  // The order that is not the list's default.
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
          <Link to={{ ...address, guests: "only", least: "edit" }} class="link">
            Guests with edit or stronger
          </Link>
        )
      )}
    </div>
  );
}

/** The team filter, which is set from lists of teams. */
function Through({ address, team }: { address: Address; team: string }) {
  const { places } = useSession();
  const { answer } = useAnswer(places, { team });
  return (
    <Chip on to={withDetail(address, "through", undefined)}>
      through team <bdi>{answer ? nameOf(answer.subject) : team}</bdi>
    </Chip>
  );
}
