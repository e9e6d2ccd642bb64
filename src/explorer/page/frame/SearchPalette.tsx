/** The search dialog: one field, the hits of the last typed text, and a choice that opens a view or Why. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PlaceAnswer, SearchAnswer } from "../../wire/answers.ts";
import type { SearchHit } from "../../wire/lists.ts";
import { Icon, KindIcon, RoleLabel } from "../parts/Icon.tsx";
import { CloseButton, Dialog } from "../parts/controls.tsx";
import { useDelayed } from "../parts/hooks.ts";
import { useValue } from "../parts/observable.ts";
import { ContentPath, DeletedTag } from "../parts/text.tsx";
import { type Address, HOME, addressOf, kindOfView, tabsOf } from "../session/address.ts";
import type { QueryValues } from "../session/client.ts";
import { type PalettePurpose, useSeesAll, useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { nameOf, namedHit, sameNamed, visible } from "../words/names.ts";
import { count } from "../words/numbers.ts";
import { matches, queryOf as searchQuery } from "../../../domain/search.ts";
import { matchesIn, inWords } from "../words/search.ts";

/** A search that takes longer than this (ms) is reported as slow. */
const SLOW = 400;

/**
 * The search dialog, a combobox. For "Check a person" and "Check a space", the choice opens Why on the shown subject.
 */
export function SearchPalette({ address }: { address: Address }) {
  const { palette } = useSession();
  const what = useValue(palette);
  return what && <PaletteDialog key={what} what={what} address={address} />;
}

function PaletteDialog({ what, address }: { what: PalettePurpose; address: Address }) {
  const { palette, navigation, client, recent } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const typed = text.trim();
  const all = useSeesAll();
  const { q, answer, failure } = useSearch(text, queryOf(what, address));
  const before = what === "anything" && typed === "" ? recent.filter((hit) => hit.id !== address.id) : [];
  const hits = [...before, ...(answer?.items ?? []).filter((hit) => fits(what, hit))];
  const same = sameNamed(hits.map(namedHit));
  const more = answer?.more === true;
  const rest = more && all && what === "anything";
  // The number appears when it arrives, because counting may take longer than the search.
  const number = useAnswer("counts", rest ? { list: "found", q } : undefined).answer?.filtered?.total;
  const actions = useActions(address).filter(
    ({ words }) => what === "anything" && (typed === "" || matches([words], searchQuery(typed))),
  );
  const options: readonly Option[] = [
    ...hits.map((hit) => ({ hit, act: () => navigation.choose(targetOf(what, address, hit)) })),
    ...(rest
      ? [
          {
            words: number === undefined ? "All matches" : `All ${count(number, "match", "matches")}`,
            act: () => navigation.choose({ ...HOME, view: "found" as const, q }),
          },
        ]
      : []),
    ...actions,
  ];
  const last = options.length - 1;
  const chosen = Math.min(at, last);
  const away = useValue(client.connection.trouble)?.kind === "away";
  const slow = useDelayed(typed !== q, SLOW);
  const words = searchStatus(what, all, {
    q,
    text: typed,
    found: hits.length,
    more,
    failure,
    slow,
    away,
    recent: before.length > 0,
  });

  function choose(index: number): void {
    const option = options[index];
    if (!option) return;
    // Closing moves the focus back to where it was; the chosen view takes it after that.
    dialog.current?.close();
    option.act();
  }

  return (
    <Dialog box={dialog} label={fieldLabel(what, all)} onClose={() => palette.set(undefined)}>
      <div class="pin">
        <Icon name="search" />
        <input
          role="combobox"
          autofocus
          aria-expanded={last >= 0}
          aria-controls="matches"
          aria-activedescendant={chosen >= 0 ? `match-${chosen}` : undefined}
          aria-autocomplete="list"
          aria-label={fieldLabel(what, all)}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          placeholder={searchedFields(what, all)}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by && last >= 0) setAt((chosen + by + last + 1) % (last + 1));
            else if (event.key === "Enter") choose(chosen);
            else return;
            event.preventDefault();
          }}
        />
        <CloseButton box={dialog} />
      </div>
      <ul role="listbox" id="matches" aria-label="Matches">
        {options.map(({ hit, words: label }, index) => (
          <ShownOption
            key={hit ? `${hit.kind}/${hit.id}` : label}
            id={`match-${index}`}
            chosen={index === chosen}
            onChoose={() => choose(index)}
          >
            {hit ? (
              <HitWords hit={hit} q={q} isSame={same.has(hit.id)} />
            ) : (
              <>
                <Icon name={index < hits.length + (rest ? 1 : 0) ? "search" : "next"} />
                <span class="pt">{label}</span>
              </>
            )}
          </ShownOption>
        ))}
      </ul>
      <p class="pf">
        <span>{words}</span>
        <span>Arrows choose, Enter opens, Esc closes</span>
      </p>
      <p class="vh" role="status">
        {hits[0] && typed !== "" ? `${nameOf(hits[0])}, ${hits[0].kind}. ` : ""}
        {words}
      </p>
    </Dialog>
  );
}

/**
 * The parameters of a search besides its text. A search for a person to check also requests each person's role on the
 * shown subject.
 */
function queryOf(what: PalettePurpose, { view, id }: Address): QueryValues {
  if (what === "other") return { kind: "member" };
  return what === "member" ? { kind: "member", [view]: id } : {};
}

/** The address of a comparison with `user`: of the shown member, or of `user` within the shown collection or site. */
function compareWith({ view, id, on }: Address, user: string): Address {
  const whole = { view: "compare", tab: "" } as const;
  if (view === "collection" || view === "site") return { ...whole, id: user, on: `${view}/${id}` };
  return { ...whole, id, other: user, ...(on !== undefined && { on }) };
}

function fits(what: PalettePurpose, { kind }: SearchHit): boolean {
  return what !== "content" || kind === "space" || kind === "collection" || kind === "site";
}

function targetOf(what: PalettePurpose, address: Address, { kind, id }: SearchHit): Address {
  if (what === "anything") return addressOf(kind, id);
  if (what === "other") return compareWith(address, id);
  // On a member's view, `why` is the id of a space, or a kind and an id.
  return { ...address, why: what === "member" || kind === "space" ? id : `${kind}/${id}` };
}

/** A hit of the search or, in words, all of them or an action. */
interface Option {
  readonly hit?: SearchHit;
  readonly words?: string;
  act(): void;
}

/** What can be done from the shown view, besides opening another one. */
function useActions(address: Address): (Option & { readonly words: string })[] {
  const { palette, choosingRevision, navigation } = useSession();
  const all = useSeesAll();
  const kind = kindOfView(address.view);
  const reviewed = all && kind !== undefined && tabsOf(kind).includes("review");
  const compares = all && (kind === "member" || kind === "collection" || kind === "site");
  return [
    ...(reviewed
      ? [
          {
            words: `Review this ${kind}`,
            act: () => navigation.choose({ ...addressOf(kind, address.id), tab: "review" }),
          },
        ]
      : []),
    ...(compares
      ? [
          {
            words: kind === "member" ? "Compare with a person" : "Compare people here",
            // After the event by which the dialog closes.
            act: () => setTimeout(() => palette.set("other")),
          },
        ]
      : []),
    { words: "Show another date", act: () => choosingRevision.set("at") },
    ...(all || (kind && tabsOf(kind).includes("changes"))
      ? [{ words: "Show what changed since a date", act: () => choosingRevision.set("earlier") }]
      : []),
  ];
}

interface ShownOptionProps {
  readonly id: string;
  readonly chosen: boolean;
  onChoose(): void;
  readonly children: ComponentChildren;
}

function ShownOption({ id, chosen, onChoose, children }: ShownOptionProps) {
  const option = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) option.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <li ref={option} role="option" id={id} aria-selected={chosen} onClick={onChoose}>
      {children}
    </li>
  );
}

function HitWords({ hit, q, isSame }: { hit: SearchHit; q: string; isSame: boolean }) {
  return (
    <>
      <KindIcon of={hit} />
      <span class="pt">
        <HighlightedText text={nameOf(hit)} q={q} />
        {isSame && <code> {hit.id}</code>}
      </span>
      {hit.kind === "space" && <DeletedTag of={hit} />}
      <span class="ps">
        {"path" in hit ? (
          <ContentPath path={hit.path} />
        ) : (
          <HighlightedText text={hitDetail(hit)} q={hit.kind === "member" ? q : ""} />
        )}
      </span>
      {hit.kind === "member" && hit.role !== undefined ? (
        <span class="pr">{hit.role === null ? "no access" : <RoleLabel role={hit.role} />}</span>
      ) : (
        <span class="pk">{hit.kind}</span>
      )}
    </>
  );
}

export function hitDetail(hit: Exclude<SearchHit, { readonly path: unknown }>): string {
  if (hit.kind === "member") return visible(hit.email ?? hit.id);
  if (hit.kind === "site") return count(hit.spaces, "space");
  return count(hit.members, "member");
}

function HighlightedText({ text, q }: { text: string; q: string }) {
  const marks = matchesIn(text, q);
  return (
    <bdi>
      {marks.map(([start, end], at) => (
        <>
          {text.slice(marks[at - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </bdi>
  );
}

interface PaletteAnswer {
  readonly q: string;
  readonly answer?: SearchAnswer;
  readonly failure?: unknown;
}

/**
 * Searches for `text`. Only one request runs at a time; if the text changes meanwhile, the next request has the latest
 * text. The earlier hits stay until its answer arrives.
 */
function useSearch(text: string, query: QueryValues): PaletteAnswer {
  const { client } = useSession();
  const [found, setFound] = useState<PaletteAnswer>({ q: "" });
  const wanted = useRef("");
  const busy = useRef(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  wanted.current = text.trim();
  useEffect(() => {
    async function run(): Promise<void> {
      busy.current = true;
      for (let q: string | undefined; q !== wanted.current && !stop.current.signal.aborted;) {
        q = wanted.current;
        if (q === "") {
          setFound({ q });
          continue;
        }
        try {
          const answer = await client.get<SearchAnswer>("search", { ...query, q }, stop.current.signal);
          if (!stop.current.signal.aborted) setFound({ q, answer });
        } catch (failure) {
          if (!stop.current.signal.aborted) setFound({ q, failure });
        }
      }
      busy.current = false;
    }
    if (!busy.current && wanted.current !== found.q) void run();
  }, [text]);
  return found;
}

/** The label of the search field; `all` is true if the reader sees everything. */
function fieldLabel(palette: PalettePurpose, all: boolean): string {
  if (palette === "other") return "Find a member to compare";
  if (palette === "member") return "Find a member";
  if (palette === "content") return all ? "Find a space, collection or site" : "Find a space or collection";
  return all ? "Find a space, collection, site, member or team" : "Find a space or collection";
}

/** What the search compares with the text, such as "Name or e-mail". */
function searchedFields(palette: PalettePurpose, all: boolean): string {
  if (palette === "member" || palette === "other") return "Name or e-mail";
  return palette === "content" || !all ? "Title" : "Title, name or e-mail";
}

interface SearchState {
  /** The text whose hits are shown; `text` is what the field has now. */
  readonly q: string;
  readonly text: string;
  readonly found: number;
  readonly more: boolean;
  readonly failure: unknown;
  /** `slow`: the search takes long; `away`: the server does not answer. */
  readonly slow: boolean;
  readonly away: boolean;
  readonly recent: boolean;
}

function searchStatus(palette: PalettePurpose, all: boolean, state: SearchState): string {
  const { q, text, found, more, failure, slow, away, recent } = state;
  const by = searchedFields(palette, all).toLowerCase();
  if (away) return "The server is not answering. Your search runs when it is back.";
  if (slow) return `Looking for “${text}”…`;
  if (failure instanceof Error) return failure.message;
  if (q === "" && text !== "") return "\u00a0";
  if (q === "") return recent ? "Opened recently" : `Type a part of a ${by}`;
  if (found > 0) return more ? `The first ${found} matches` : count(found, "match", "matches");
  return `No ${by} has ${inWords(q)}.`;
}

const KEPT_RECENT = 8;

/** Puts the opened subject first in the list of recent subjects. The list ends with the session. */
export function rememberOpen(recent: SearchHit[], { subject, ancestors }: PlaceAnswer): void {
  const hit = hitOf(
    subject,
    ancestors.map(({ title }) => title),
  );
  const others = recent.filter(({ kind, id }) => kind !== hit.kind || id !== hit.id);
  recent.splice(0, recent.length, hit, ...others.slice(0, KEPT_RECENT - 1));
}

function hitOf(subject: PlaceAnswer["subject"], path: readonly string[]): SearchHit {
  if (subject.kind === "space" || subject.kind === "collection") return { ...subject, path };
  if (subject.kind !== "member") return subject;
  const { role: _, ...person } = subject;
  return person;
}

export const SHORTCUT = /mac|iphone|ipad/iu.test(navigator.platform) ? "⌘ K" : "Ctrl K";

export function isShortcut(event: KeyboardEvent): boolean {
  return (
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"
  );
}
