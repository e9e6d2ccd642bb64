/** The bar below the header: a past revision is shown, the server does not answer, or it has a newer revision. */
import { useEffect } from "preact/hooks";
import type { DatedRevision } from "../../wire/protocol.ts";
import { RevisionLink } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useCountdown } from "../parts/hooks.ts";
import { useValue } from "../parts/observable.ts";
import { type Address, HOME, changesBetween } from "../session/address.ts";
import type { Trouble } from "../session/connection.ts";
import { useSeesAll, useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { clock, fullMoment, when } from "../words/dates.ts";
import { capital } from "../words/names.ts";
import { contentWords, count, figure, peopleWords } from "../words/numbers.ts";

/** The bar below the header: a past revision is shown, the server does not answer, or it has a newer revision. */
export function Notice() {
  const { client, navigation, announcement } = useSession();
  const trouble = useValue(client.connection.trouble);
  const newer = useValue(client.newer);
  const shown = useValue(client.shown);
  const past = useValue(navigation.at) !== undefined;
  const kind = trouble?.kind;

  // Screen readers announce the notice once, without the countdown.
  useEffect(() => {
    if (kind === "away") announcement.set("The server is not answering. What you see stays readable.");
    if (kind === "limited") announcement.set("Too many requests. Going on in a moment.");
    if (kind === "back") announcement.set("The server is back.");
  }, [kind]);

  const isNewer = newer && shown && !past;
  const bar =
    trouble?.kind === "away" ? (
      <Away trouble={trouble} tryNow={() => client.connection.tryNow()} />
    ) : trouble?.kind === "limited" ? (
      <p>
        Too many requests. Going on in <Seconds until={trouble.nextAt} />.
      </p>
    ) : trouble?.kind === "back" ? (
      <p>The server is back.</p>
    ) : (
      isNewer && <NewerRevision key={newer.revision} newer={newer} shown={shown} />
    );
  return (
    (past || bar) && (
      <section class="notice" aria-label="Notice">
        <PastBanner />
        {bar}
      </section>
    )
  );
}

function Away({ trouble, tryNow }: { trouble: Trouble & { kind: "away" }; tryNow(): void }) {
  return (
    <p>
      The server is not answering.
      {trouble.readAt !== undefined && ` What you see was read at ${clock(trouble.readAt)}.`} Trying again in{" "}
      <Seconds until={trouble.nextAt} />. <Button onClick={tryNow}>Try now</Button>
    </p>
  );
}

function Seconds({ until }: { until: number }) {
  return <>{count(useCountdown(until), "second")}</>;
}

/**
 * The notice of a newer revision: for how many people access differs, and buttons that show the differences or the
 * newer revision.
 */
function NewerRevision({ newer, shown }: { newer: DatedRevision; shown: DatedRevision }) {
  const { client, navigation, announcement } = useSession();
  const { address } = useValue(navigation.move);
  const all = useSeesAll();
  const subject = countsSubject(address) ? { [address.view]: address.id } : {};
  const asked = all || countsSubject(address);
  const { answer } = useAnswer("since", asked ? { ...subject, earlier: shown.revision } : undefined);
  const { effect, cut = false } = answer ?? {};
  const again = `The directory was imported again ${when(newer.importedAt)}.`;
  const changed = effect && effect.gained + effect.lost + effect.raised + effect.lowered > 0;
  const since = `since ${clock(shown.importedAt)}.`;
  // The numbers of an incomplete count are lower bounds, so zero says nothing.
  const counted =
    effect === undefined || (cut && !changed)
      ? undefined
      : address.view === "member"
        ? `This member ${contentWords(effect)} ${since}`
        : `${cut ? "At least " : ""}${capital(peopleWords(effect))}${countsSubject(address) ? " here" : ""} ${since}`;
  useEffect(() => {
    if (answer !== undefined || !asked) announcement.set(counted ?? again);
  }, [answer, asked, newer]);

  function see(): void {
    const to = changesBetween(
      countsSubject(address) ? address : HOME,
      true,
      shown.revision,
      answer?.revision ?? newer.revision,
    );
    client.reload();
    if (to) navigation.choose(to);
  }
  return (
    <p>
      <span>{counted ?? again}</span>
      {changed && <Button onClick={see}>See them</Button>}
      <Button onClick={() => client.reload()}>Show the new one</Button>
    </p>
  );
}

/** Whether differences are counted for the shown subject. For others, they are counted for the whole organization. */
function countsSubject({ view }: Address): boolean {
  return view === "space" || view === "collection" || view === "member";
}

/** The banner that says which past revision is shown; nothing at the current one. */
function PastBanner() {
  const { client, navigation, announcement, choosingRevision } = useSession();
  const at = useValue(navigation.at);
  const shown = useValue(client.shown);
  const lost = useValue(client.unreadable) !== undefined;
  const when = shown && fullMoment(shown.importedAt);
  useEffect(() => {
    if (at !== undefined && when) announcement.set(`This is as of ${when}.`);
  }, [at, when]);
  if (at === undefined) return null;
  return (
    <p class="past">
      <span>
        {lost ? (
          "This time cannot be shown."
        ) : shown && when ? (
          <>
            As of <strong>{when}</strong> (revision {figure(shown.revision)}){lasting(at)}.
          </>
        ) : (
          "Reading the past."
        )}
      </span>
      <RevisionLink at={undefined} class="link">
        Show today
      </RevisionLink>
      <Button aria-haspopup="dialog" onClick={() => choosingRevision.set("at")}>
        Another time
      </Button>
    </p>
  );
}

/** For a revision that was chosen by a day or a time: when it was the current one, in words. */
function lasting(at: string): string {
  if (/^\d+$/.test(at)) return "";
  return /^\d{4}-\d\d-\d\d$/.test(at)
    ? `, which was current when ${at} ended in UTC`
    : `, which was current at ${fullMoment(at)}`;
}
