import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { whyOf, withDetail, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { Failure } from "../../list/Failure.tsx";
import { Command } from "../../parts/controls/Command.tsx";
import { CopyButton } from "../../parts/controls/CopyButton.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { useLate } from "../../parts/late.ts";
import { NameLink } from "../../parts/NameLink.tsx";
import { Words } from "../../parts/Words.tsx";
import { useSession } from "../../session/session.ts";
import { nameOf, visible } from "../../words/names.ts";
import { OnSpaces } from "./OnSpaces.tsx";
import { evidence } from "./evidence.ts";
import { Ladder } from "./Ladder.tsx";
import { Button } from "../../parts/controls/Button.tsx";

/** Explains why a user has a role on a subject, or none. On a narrow screen it replaces the list. */
export function Why({ address, narrow }: { address: Address; narrow: boolean }) {
  const { whys, places, walk, client } = useSession();
  const { answer, failure, again } = useAnswer(whys, whyOf(address));
  const place = useAnswer(places, { [address.view]: address.id });
  const heading = useRef<HTMLHeadingElement>(null);
  const late = useLate(!answer && failure === undefined);
  const closed = withDetail(address, "why", undefined);
  const why = address.why ?? "";
  const link = () => new URL(walk.hrefOf(address), document.baseURI).href;

  // Why takes the focus when it opens, and returns it to the row when it closes.
  useLayoutEffect(() => {
    if (walk.move.value.cause === "choose" && (answer || failure !== undefined || !narrow))
      heading.current?.focus({ preventScroll: narrow });
    if (narrow && walk.move.value.cause === "choose") scrollTo(0, 0);
  }, [why, narrow && answer !== undefined]);
  useEffect(() => () => giveBack(why, walk.move.value.position?.focus), [why]);

  const about = address.view === "member" ? answer?.subject : undefined;
  const title = answer ? (
    about ? (
      <>
        <NameLink of={about} />
        <span>
          for <bdi>{nameOf(answer.user)}</bdi>
        </span>
      </>
    ) : (
      <>
        <NameLink of={{ ...answer.user, kind: "member" }} />
        {answer.user.guest && <span class="tag">guest</span>}
        {answer.user.email !== undefined && <span class="mail">{answer.user.email}</span>}
      </>
    )
  ) : failure === undefined ? (
    <span class="vh">Loading</span>
  ) : (
    <bdi>{visible(why)}</bdi>
  );

  return (
    <>
      <header>
        {narrow ? (
          <Button class="quiet back" onClick={() => walk.leaveTo(closed)}>
            <Icon name="back" />
            <bdi>{place.answer ? nameOf(place.answer.subject) : "Back"}</bdi>
          </Button>
        ) : (
          <>
            <h2 id="why-heading" ref={heading} tabIndex={-1}>
              Why
            </h2>
            <Button class="quiet x" aria-label="Close" onClick={() => walk.leaveTo(closed)}>
              <Icon name="close" />
            </Button>
          </>
        )}
      </header>
      <div class="wbody" data-scroll>
        {narrow ? (
          <h1 class="who" id="why-heading" ref={heading} tabIndex={-1}>
            {title}
          </h1>
        ) : (
          <p class="who">{title}</p>
        )}
        {/* On a wide screen, the view beside already shows that the subject cannot be loaded. */}
        {failure !== undefined && (narrow || place.failure === undefined) && (
          <Failure failure={failure} address={address} again={again} />
        )}
        {late && <WhyGhost />}
        {answer && (
          <>
            <p class="say">
              <Words phrase={answer.sentence} />
            </p>
            <p class="acts">
              <CopyButton class="link" text={() => evidence(answer, client.me.value?.organization, link())}>
                Copy sentence
              </CopyButton>
              <CopyButton class="link" text={link}>
                Copy link
              </CopyButton>
            </p>
            <Ladder why={answer} under={narrow ? "h1" : "h2"} />
            <OnSpaces spaces={answer.spaces ?? []} user={answer.user.id} under={narrow ? "h1" : "h2"} />
            <Command text={answer.command} />
          </>
        )}
      </div>
    </>
  );
}

function WhyGhost() {
  return (
    <div class="whyghost" aria-hidden="true">
      <span class="ghost" style={{ width: "92%" }} />
      <span class="ghost" style={{ width: "78%" }} />
      <span class="ghost" style={{ width: "40%" }} />
    </div>
  );
}

/** Returns the focus to the row or element that opened Why, unless something else has the focus. */
function giveBack(id: string, before: string | undefined): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body) return;
    for (const wanted of [`reason-${id}`, before, "heading"]) {
      const target = wanted === undefined ? null : document.getElementById(wanted);
      if (target) return target.focus({ preventScroll: true });
    }
  });
}
