/** The page of a signed-in reader: header, notice, directory, the view of the address, and Why beside it. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/controls.tsx";
import { MEDIUM, NARROW, useMedia } from "../parts/hooks.ts";
import { keyFor } from "../parts/keys.ts";
import { useValue } from "../parts/observable.ts";
import {
  type Address,
  HOME,
  addressOf,
  isDifference,
  listQuery,
  whyQuery,
  withoutWhy,
} from "../session/address.ts";
import type { Client } from "../session/client.ts";
import { pauses } from "../session/connection.ts";
import { seesAll, sitesOf, useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { RevisionChooser, Unreadable } from "../views/AsOf.tsx";
import { ChangesView } from "../views/Changes.tsx";
import { CompareView } from "../views/Compare.tsx";
import { Home } from "../views/Home.tsx";
import { OrganizationListView } from "../views/OrganizationList.tsx";
import type { ViewProps } from "../views/Page.tsx";
import { ReachView } from "../views/Reach.tsx";
import { BreachView, type RecordedRules, useRules } from "../views/Rules.tsx";
import { SubjectView } from "../views/Subject.tsx";
import { TidyView } from "../views/Tidy.tsx";
import { Why } from "../views/Why.tsx";
import { WithoutView } from "../views/Without.tsx";
import { DecidedView } from "../views/review/Outcomes.tsx";
import { UnsavedDecisions } from "../views/review/Review.tsx";
import { holderOf } from "../views/review/marks.ts";
import { Directory } from "./Directory.tsx";
import { Header } from "./Header.tsx";
import { Notice } from "./Notice.tsx";
import { SearchPalette, isShortcut } from "./SearchPalette.tsx";

export function Workspace({ onSignOut: leave }: { onSignOut(): void }) {
  const session = useSession();
  const { navigation, palette, announcement, exporter, client, drafts } = session;
  const { address: chosen } = useValue(navigation.move);
  const held = useDrawnAddress(chosen, client);
  // The shown address follows the chosen one when the answer has arrived. If only the list changes, its tab is marked
  // at once, and only the list waits.
  const address = sameSubject(held, chosen) ? chosen : held;
  const waits = address !== chosen ? " waits" : held !== chosen ? " waits-list" : "";
  const narrow = useMedia(NARROW);
  const medium = useMedia(MEDIUM);
  const message = useValue(announcement);
  const me = useValue(client.me);
  const [leaving, setLeaving] = useState<ReadonlyMap<string, number>>(new Map());
  const holder = me && holderOf(me);
  // Signing out deletes unsaved decisions, so the reader is asked first.
  async function onSignOut(): Promise<void> {
    const unsaved = holder ? await drafts.unsaved(holder) : leaving;
    if (unsaved.size === 0) leave();
    else setLeaving(unsaved);
  }
  useFreshness(client);
  useLanding();

  const unreadable = useValue(client.unreadable) !== undefined;
  const rules = useRules(address.view === "home");
  const why = !unreadable && whyQuery(address) !== undefined;
  const side = !unreadable && (narrow ? address.view === "home" : !(medium && why));

  useEffect(() => {
    function key(event: KeyboardEvent): void {
      if (isShortcut(event)) {
        event.preventDefault();
        palette.set("anything");
      } else if (keyFor(event) === "Escape") {
        // If Why is open during a download, Escape closes Why, unless the focus is on the download.
        const onFile = document.activeElement?.closest(".foot, .tools");
        const writing = exporter.job.value?.state === "writing";
        if (writing && (!why || onFile)) exporter.cancel();
        else if (why) navigation.goBackTo(withoutWhy(address));
      }
    }
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [address, why]);

  // The result of a download belongs to the list that was shown.
  useEffect(() => exporter.clear(), [JSON.stringify(listQuery(address))]);

  const main = unreadable ? (
    <Unreadable />
  ) : narrow && why ? (
    <Why address={address} narrow />
  ) : (
    <ChosenView address={address} listed={held} rules={rules} />
  );
  return (
    <>
      <a
        class="skip"
        href={narrow && why ? "#why-heading" : "#heading"}
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>("main h1")?.focus();
        }}
      >
        Skip to {address.view === "home" || (narrow && why) ? "the page" : "the list"}
      </a>
      <Header onSignOut={() => void onSignOut()} />
      <Notice />
      {holder && leaving.size > 0 && (
        <UnsavedDecisions
          holder={holder}
          unsaved={leaving}
          onLeave={leave}
          onStay={() => setLeaving(new Map())}
        />
      )}
      <div class={`frame${side ? " with-side" : ""}${why ? " with-why" : ""}`}>
        {side && !narrow && (
          <div class="column">
            <Directory address={chosen} ready={rules.ready} />
          </div>
        )}
        {side && narrow ? (
          <main class={`tree-page${waits}`} aria-busy={waits !== ""}>
            <Home rules={rules} narrow />
            <Directory address={chosen} ready={rules.ready} />
            <p class="out">
              <Button onClick={() => void onSignOut()}>Sign out</Button>
            </p>
          </main>
        ) : (
          <main
            id={narrow && why ? "why" : "main"}
            class={`${narrow && why ? "why" : `view v-${address.view}`}${waits}`}
            aria-busy={waits !== ""}
          >
            {main}
          </main>
        )}
        {why && !narrow && (
          <aside class="why" id="why" aria-labelledby="why-heading">
            <Why address={address} narrow={false} />
          </aside>
        )}
      </div>
      <SearchPalette address={address} />
      <RevisionChooser />
      <p class="vh" role="status">
        {message}
      </p>
    </>
  );
}

function ChosenView({ address, listed, rules }: ViewProps & { rules: RecordedRules }) {
  const { view, id } = address;
  if (view === HOME.view) return <Home rules={rules} />;
  if (view === "tidy") return <TidyView address={address} />;
  if (view === "breaches") return <BreachView address={address} />;
  if (view === "decided") return <DecidedView address={address} />;
  if (view === "members" || view === "teams" || view === "contents" || view === "found")
    return <OrganizationListView key={view} address={address} listed={listed} />;
  if (view === "changes") return <ChangesView address={address} listed={listed} />;
  if (isDifference(view)) {
    const { on, other } = address;
    const Difference = { without: WithoutView, compare: CompareView, reach: ReachView }[view];
    return <Difference key={JSON.stringify([id, on, other])} address={address} listed={listed} />;
  }
  return <SubjectView key={`${view}/${id}`} address={address} listed={listed} />;
}

/** How often a visible page checks for a newer revision, in ms. */
const INTERVAL = 60_000;
/** A page that becomes visible checks at once, unless it did so less than this time (ms) ago. */
const RECENT = 10_000;

/** Requests `me` when the page opens and then regularly, to notice new revisions and a revoked token. */
function useFreshness(client: Client): void {
  useEffect(() => {
    let asked = 0;
    function ask(): void {
      if (document.hidden) return;
      asked = Date.now();
      client.refresh().catch(() => {});
    }
    function look(): void {
      if (Date.now() - asked > RECENT) ask();
    }
    ask();
    const timer = setInterval(ask, INTERVAL);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client]);
}

/** Opens the caller's own view in place of the start page if the caller does not see everything. */
function useLanding(): void {
  const { client, navigation } = useSession();
  const me = useValue(client.me);
  const landed = useRef(false);
  useEffect(() => {
    if (!me || landed.current) return;
    landed.current = true;
    const { address } = navigation.move.value;
    if (address.view === "home" && !seesAll(me) && me.caller.kind === "member")
      navigation.type(addressOf("member", me.caller.id));
  }, [me]);
}

/**
 * The address of the view that is drawn. The previous view stays until the first answer or refusal for `address`, so
 * that a slow or absent server leaves something to read. While the server is absent, a list goes all the same when
 * another one of its subject is chosen: its rows would stand below a tab and filters that are not theirs.
 */
function useDrawnAddress(address: Address, { connection }: Client): Address {
  const [held, setHeld] = useState(address);
  const isPaused = pauses(useValue(connection.trouble));
  const isDrawn = useReady(address) || (isPaused && sameSubject(held, address));
  useLayoutEffect(() => {
    if (isDrawn) setHeld(address);
  }, [isDrawn, address]);
  return isDrawn ? address : held;
}

/** Whether two addresses show the same subject, on whatever tab. */
function sameSubject(a: Address, b: Address): boolean {
  return a.view === b.view && a.id === b.id && a.on === b.on && a.other === b.other;
}

function useReady(address: Address): boolean {
  const session = useSession();
  const { view, id } = address;
  const named = id !== "" && !isDifference(view);
  const subject = useAnswer("tree", named ? { [view]: id } : undefined);
  const query = listQuery(address);
  const list = query && session.lists.get(query);
  const read = useValue((list ?? sitesOf(session)).read);
  useEffect(() => {
    if (list && read.known === 0) list.want(0, 0);
  }, [list]);
  if (list === undefined || subject.failure !== undefined) return true;
  const listed = read.known > 0 || read.state === "whole" || read.state === "failed";
  return listed && (!named || subject.answer !== undefined);
}
