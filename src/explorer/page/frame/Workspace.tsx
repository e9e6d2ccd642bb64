import { useEffect, useState } from "preact/hooks";
import { HOME, whyOf, withDetail } from "../session/address/address.ts";
import { DifferenceView } from "../views/differences/DifferenceView.tsx";
import { isDifference } from "../views/differences/query.ts";
import { Notice } from "./Notice.tsx";
import { Palette } from "./palette/Palette.tsx";
import { isShortcut } from "./palette/shortcut.ts";
import { useCell } from "../parts/cell.ts";
import { keyFor } from "../parts/keyFor.ts";
import { MEDIUM, NARROW, useMedia } from "../parts/screen/media.ts";
import { Leaving } from "../views/review/Leaving.tsx";
import { holderOf } from "../views/review/marks.ts";
import { SessionContext, type Session } from "../session/session.ts";
import { Edge } from "./side/Edge.tsx";
import { usePrinting } from "../files/print/usePrinting.ts";
import { Side } from "./side/Side.tsx";
import { Overview } from "../views/home/Overview.tsx";
import { Chooser } from "../views/past/Chooser.tsx";
import { ChangesView } from "../views/past/ChangesView.tsx";
import { Unreadable } from "../views/past/Unreadable.tsx";
import { Top } from "./Top.tsx";
import { useFreshness } from "./useFreshness.ts";
import { BreachView } from "../views/checks/BreachView.tsx";
import { DecidedView } from "../views/checks/DecidedView.tsx";
import { TidyView } from "../views/checks/TidyView.tsx";
import { Heading } from "../views/Heading.tsx";
import { Home } from "../views/home/Home.tsx";
import { type RecordedRules, useRules } from "../views/home/useRules.ts";
import { SubjectView, type ViewProps } from "../views/subject/SubjectView.tsx";
import { sameSubject, useHeld } from "../views/useHeld.ts";
import { useLanding } from "../views/useLanding.ts";
import { WholeListView } from "../views/subject/WholeListView.tsx";
import { Why } from "../views/why/Why.tsx";
import { nameOf } from "../words/names.ts";
import { Button } from "../parts/controls/Button.tsx";

interface Props {
  session: Session;
  onSignOut(): void;
}

export function Workspace(props: Props) {
  return (
    <SessionContext.Provider value={props.session}>
      <Rooms {...props} />
    </SessionContext.Provider>
  );
}

function Rooms({ session, onSignOut: leave }: Props) {
  const { walk, finding, said, exporter, client, drafts } = session;
  const { address: chosen } = useCell(walk.move);
  const held = useHeld(chosen);
  // The shown address follows the chosen one when the answer has arrived. If only the list changes, its tab is marked
  // at once, and only the list waits.
  const address = sameSubject(held, chosen) ? chosen : held;
  const waits = address !== chosen ? " waits" : held !== chosen ? " waits-list" : "";
  const narrow = useMedia(NARROW);
  const medium = useMedia(MEDIUM);
  const message = useCell(said);
  const me = useCell(client.me);
  const organization = me?.organization;
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
  usePrinting(session);

  const unreadable = useCell(client.unreadable) !== undefined;
  const rules = useRules(address.view === "home");
  const why = !unreadable && whyOf(address) !== undefined;
  const side = !unreadable && (narrow ? address.view === "home" : !(medium && why));

  useEffect(() => {
    function key(event: KeyboardEvent): void {
      if (isShortcut(event)) {
        event.preventDefault();
        finding.set("anything");
      } else if (keyFor(event) === "Escape") {
        // If Why is open during a download, Escape closes Why, unless the focus is on the download.
        const onFile = document.activeElement?.closest(".foot, .tools");
        const writing = exporter.job.value?.state === "writing";
        if (writing && (!why || onFile)) exporter.cancel();
        else if (why) walk.leaveTo(withDetail(address, "why", undefined));
      }
    }
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [address, why]);

  // The result of a download belongs to the list that was shown.
  useEffect(() => exporter.clear(), [address.view, address.id, address.tab, address.role]);

  const main = unreadable ? (
    <Unreadable />
  ) : narrow && why ? (
    <Why address={address} narrow />
  ) : (
    <View address={address} listed={held} rules={rules} />
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
      <Top onSignOut={() => void onSignOut()} />
      <Notice />
      {holder && leaving.size > 0 && (
        <Leaving holder={holder} unsaved={leaving} onLeave={leave} onStay={() => setLeaving(new Map())} />
      )}
      <div class={`frame${side ? " with-side" : ""}${why ? " with-why" : ""}`}>
        {side && !narrow && (
          <div class="column">
            <Side address={chosen} ready={rules.ready} />
            <Edge />
          </div>
        )}
        {side && narrow ? (
          <main class={`tree-page${waits}`} aria-busy={waits !== ""}>
            <Heading of="home" ready={organization !== undefined} class="vh">
              {organization ? nameOf(organization) : "Loading"}
            </Heading>
            <Overview rules={rules} folded />
            <Side address={chosen} ready={rules.ready} />
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
      <Palette address={address} />
      <Chooser />
      <p class="vh" role="status">
        {message}
      </p>
    </>
  );
}

function View({ address, listed, rules }: ViewProps & { rules: RecordedRules }) {
  const { view, id } = address;
  if (view === HOME.view) return <Home rules={rules} />;
  if (view === "tidy") return <TidyView address={address} />;
  if (view === "breaches") return <BreachView address={address} />;
  if (view === "decided") return <DecidedView address={address} />;
  if (view === "members" || view === "teams" || view === "contents" || view === "found")
    return <WholeListView key={view} address={address} listed={listed} />;
  if (view === "changes") return <ChangesView address={address} listed={listed} />;
  if (isDifference(view)) {
    const { on, other } = address;
    return <DifferenceView key={JSON.stringify([view, id, on, other])} address={address} listed={listed} />;
  }
  return <SubjectView key={`${view}/${id}`} address={address} listed={listed} />;
}
