/** The filters and the order of a list: a text field, then chips. They are behind a button where they do not fit. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TeamRow } from "../../wire/lists.ts";
import { Icon } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button, DayField, Select } from "../parts/controls.tsx";
import { MEDIUM, TWO_LINES, useMedia } from "../parts/hooks.ts";
import { useValue } from "../parts/observable.ts";
import {
  type Address,
  NARROWING,
  activeFilters,
  filtersOf,
  firstTab,
  searchesTitles,
  sortsOf,
  withDetail,
  withoutFilters,
} from "../session/address.ts";
import { useRead } from "../session/rows.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { dayOf, daysFrom } from "../words/dates.ts";
import { DIRECTIONS, KIND_LABELS, REASONS, sinceWords } from "../words/filters.ts";
import { capital, nameOf, sameNamed } from "../words/names.ts";
import { figure } from "../words/numbers.ts";
import { STRONGEST_FIRST } from "./RoleCounts.tsx";

/** On a phone, a list with one of these filters has its filters behind a button. */
const SEVERAL = new Set(["least", "guests", "deleted"]);

/** The filters and the order of the list. They are behind a button if they do not fit in one row. */
export function FilterBar({ address }: { address: Address }) {
  const names = filtersOf(address);
  return names.includes("q") ? <Bar address={address} names={names} /> : null;
}

function Bar({ address, names }: { address: Address; names: readonly string[] }) {
  const small = useMedia(TWO_LINES);
  // Beside Why, and on a medium screen, a row has no room for all filters of a list with reasons.
  const isTight = useMedia(MEDIUM) || address.why !== undefined;
  const set = activeFilters(address).filter((name) => name !== "q" && name !== "role").length;
  const isLong = names.includes("reason") || names.includes("kind");
  const isLongest = names.includes("change") && isLong;
  const choices = <Choices address={address} />;
  return (
    <div class="bar">
      <TextFilter address={address} label={textFilterLabel(address)} />
      {isLongest || (isLong && isTight) || (small && names.some((name) => SEVERAL.has(name))) ? (
        <FilterMenu label="Filters" {...{ set }} over={!small} open={small && set > 0}>
          {choices}
        </FilterMenu>
      ) : (
        choices
      )}
    </div>
  );
}

/** The menu that narrows the sheet of a review: like the options of `rolebook report`, it says which rows are read. */
export function Narrow({ address }: { address: Address }) {
  const set = NARROWING.filter((name) => address[name] !== undefined).length;
  return (
    <FilterMenu label="Narrow" set={set} over>
      <Choices address={address} />
    </FilterMenu>
  );
}

function textFilterLabel(address: Address): string {
  if (address.view === "found" || address.view === "changes") return "Title, name or e-mail";
  return searchesTitles(address) ? "Filter by title" : "Filter by name or e-mail";
}

const ORDERS: Readonly<Record<string, string>> = {
  strongest: "strongest role first",
  id: "by id",
  name: "by name",
};

function Choices({ address }: { address: Address }) {
  const { navigation } = useSession();
  const { view, tab, role, guests, deleted, least, through, sort, differs } = address;
  const names = filtersOf(address);
  // The first list of these views has its roles above it, each with its number.
  const isReview = tab === "review";
  const hasRoles =
    isReview || (["space", "collection", "site", "member"].includes(view) && tab === firstTab(view));
  /** A filter that is on or off; choosing it sets `value`. */
  const toggle = (
    name: "differs" | "guests" | "admins" | "least" | "deleted" | "reason",
    value: string,
    label: string,
  ) =>
    names.includes(name) && (
      <Chip
        on={address[name] !== undefined}
        to={withDetail(address, name, address[name] ? undefined : value)}
      >
        {label}
      </Chip>
    );
  const [usual, ...others] = sortsOf(address);
  return (
    <div class="choices">
      {names.includes("role") && !hasRoles && (
        <Select
          label="Filter by role"
          value={role ?? ""}
          of={{ "": "any role", ...Object.fromEntries(STRONGEST_FIRST.map((name) => [name, name])) }}
          choose={(name) => navigation.choose(withDetail(address, "role", name))}
        />
      )}
      {names.includes("change") && <MultiFilter address={address} of="change" names={DIRECTIONS} />}
      {toggle("differs", "only", differs === "none" ? "alike" : "differences")}
      {isReview
        ? toggle("reason", "direct", "direct only")
        : names.includes("reason") && <MultiFilter address={address} of="reason" names={REASONS} />}
      {through !== undefined && names.includes("through") && <TeamFilter address={address} team={through} />}
      {toggle("guests", "only", guests === "none" ? "no guests" : "guests")}
      {toggle("admins", "none", "without admins")}
      {isReview ? (
        <Select
          label="Least role"
          value={least ?? ""}
          of={{
            "": "any role",
            ...Object.fromEntries(STRONGEST_FIRST.map((name) => [name, `${name} or stronger`])),
          }}
          choose={(name) => navigation.choose(withDetail(address, "least", name))}
        />
      ) : (
        toggle("least", "edit", `${least ?? "edit"} or stronger`)
      )}
      {toggle("deleted", "only", deleted === "none" ? "not deleted" : "deleted")}
      {names.includes("since") && <SinceFilter address={address} />}
      {names.includes("kind") && <KindFilter address={address} />}
      {others.length > 0 && (
        <Select
          label="Order"
          value={sort ?? usual ?? ""}
          of={Object.fromEntries(
            sortsOf(address).map((each) => [
              each,
              each === "id" && view === "member" && tab === "spaces" ? "by creation" : (ORDERS[each] ?? ""),
            ]),
          )}
          choose={(order) =>
            navigation.choose(withDetail(address, "sort", order === usual ? undefined : order))
          }
        />
      )}
      {isReview && through === undefined && <TeamChoice address={address} />}
      {activeFilters(address).some((name) => name !== "q" || address.view !== "found") && (
        <Link to={withoutFilters(address)} class="link">
          Clear filters
        </Link>
      )}
    </div>
  );
}

/** A filter with several values, each a chip. */
function MultiFilter(props: {
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

/** The list is requested after this pause in typing, in ms. */
const TYPING_PAUSE = 150;

/** The text filter of a list. Typing replaces the current history entry. */
function TextFilter({ address, label }: { address: Address; label: string }) {
  const { navigation } = useSession();
  const [text, setText] = useState(address.q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Back and Forward change the text in the field too.
  useEffect(() => {
    if (navigation.move.value.cause !== "type") setText(address.q ?? "");
  }, [address.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label class="filter">
      <span class="vh">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          const { value } = currentTarget;
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(
            () => navigation.type(withDetail(navigation.move.value.address, "q", value)),
            TYPING_PAUSE,
          );
        }}
      />
    </label>
  );
}

interface FilterMenuProps {
  label: string;
  /** The number of filters that are set. */
  set: number;
  /** Whether the box covers the list. Otherwise the list moves down. */
  over: boolean;
  open?: boolean;
  children: ComponentChildren;
}

/** A button that opens a box below it. Escape closes the box; if the box covers the list, so does a click elsewhere. */
function FilterMenu({ label, set, over, open, children }: FilterMenuProps) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!over) return;
    const close = ({ target }: Event) => {
      if (target instanceof Node && box.current?.contains(target) === false) box.current.open = false;
    };
    const events = ["pointerdown", "focusin"];
    for (const event of events) addEventListener(event, close);
    return () => {
      for (const event of events) removeEventListener(event, close);
    };
  }, [over]);
  return (
    <details
      ref={box}
      class={over ? "over" : undefined}
      open={open}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.preventDefault();
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary class="btn">
        {label}
        {set > 0 && `: ${set}`}
        <Icon name="open" />
      </summary>
      {children}
    </details>
  );
}

/** A filter that is on or off. Choosing it opens the address `to`. */
function Chip({ on, to, children }: { on: boolean; to: Address; children: ComponentChildren }) {
  const { navigation } = useSession();
  return (
    <Button class="chip" aria-pressed={on} onClick={() => navigation.choose(to)}>
      {children}
    </Button>
  );
}

/**
 * The filter for rows that are new since a day, or whose role is higher. The default day is 30 days ago, or the earliest
 * accepted one.
 */
function SinceFilter({ address }: { address: Address }) {
  const { navigation, client } = useSession();
  const earliest = useValue(client.me)?.earliest;
  const { since } = address;
  const today = dayOf(new Date());
  // The revision at the beginning of the day must be readable, so the earliest day is the one after the earliest
  // import.
  const first = earliest ? daysFrom(dayOf(earliest.importedAt), 1) : today;
  const begin = [daysFrom(today, -30), first].sort().at(-1);
  const words = sinceWords(address);
  return (
    <div class="since">
      <Chip
        on={since !== undefined}
        to={withDetail(address, "since", since === undefined ? begin : undefined)}
      >
        {words}
      </Chip>
      {since !== undefined && (
        <DayField
          label={capital(words)}
          min={first}
          max={today}
          value={since}
          onChoose={(day) => navigation.type(withDetail(navigation.move.value.address, "since", day))}
        />
      )}
    </div>
  );
}

function KindFilter({ address }: { address: Address }) {
  const { kind: chosen, q } = address;
  const { answer } = useAnswer("counts", q === undefined ? undefined : { list: "found", q });
  const kinds: Readonly<Record<string, number>> = answer?.filtered?.kinds ?? {};
  return (
    <div role="group" aria-label="Filter by kind">
      {Object.entries(KIND_LABELS).map(([kind, label]) => (
        <Chip
          key={kind}
          on={kind === chosen}
          to={withDetail(address, "kind", kind === chosen ? undefined : kind)}
        >
          {label} {figure(kinds[kind])}
        </Chip>
      ))}
    </div>
  );
}

/** The filter by team. It is set by links in lists of teams; here it can only be removed. */
export function TeamFilter({ address, team }: { address: Address; team: string }) {
  const { answer } = useAnswer("tree", { team });
  return (
    <Chip on to={withDetail(address, "through", undefined)}>
      through team <bdi>{answer ? nameOf(answer.subject) : team}</bdi>
    </Chip>
  );
}

/** The most teams that are offered at once. */
const TEAMS = 8;

/** Chooses the team through which people have their role, among those whose title has the typed words. */
function TeamChoice({ address }: { address: Address }) {
  const { lists, navigation } = useSession();
  const [q, setQ] = useState("");
  const list = lists.get<TeamRow>({ list: "teams", ...(q !== "" && { q }) });
  const { known } = useRead(list);
  const teams = Array.from({ length: Math.min(known, TEAMS) }, (_, at) => list.row(at)?.team);
  const same = sameNamed(teams.flatMap((team) => (team ? [[team]] : [])));
  return (
    <div class="teams" role="group" aria-label="Through a team">
      <input
        type="search"
        aria-label="Find a team"
        placeholder="Through a team"
        value={q}
        onInput={({ currentTarget }) => setQ(currentTarget.value)}
      />
      {teams.map(
        (team) =>
          team && (
            <Button
              key={team.id}
              class="chip"
              onClick={() => navigation.choose(withDetail(address, "through", team.id))}
            >
              <bdi>{nameOf(team)}</bdi>
              {same.has(team.id) && <code> {team.id}</code>}
            </Button>
          ),
      )}
      {known > TEAMS && <span class="dim">and more</span>}
    </div>
  );
}
