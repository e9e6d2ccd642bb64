import { useEffect } from "preact/hooks";
import type { Revision } from "../../wire/answer.ts";
import type { Client } from "../session/ask/client.ts";
import type { Trouble } from "../session/ask/connection.ts";
import { useCell } from "../parts/cell.ts";
import { useSeconds } from "../parts/late.ts";
import { Newer } from "../views/past/Newer.tsx";
import { PastLine } from "../views/past/PastLine.tsx";
import { useSession } from "../session/session.ts";
import { clock } from "../words/date.ts";
import { count } from "../words/number.ts";
import { Button } from "../parts/controls/Button.tsx";

/** The bar below the header: a past revision is shown, the server does not answer, or it has a newer revision. */
export function Notice() {
  const { client, walk, said } = useSession();
  const trouble = useCell(client.connection.trouble);
  const newer = useCell(client.newer);
  const shown = useCell(client.shown);
  const past = useCell(walk.at) !== undefined;
  const kind = trouble?.kind;

  // Screen readers announce the notice once, without the countdown.
  useEffect(() => {
    if (kind === "away") said.set("The server is not answering. What you see stays readable.");
    if (kind === "limited") said.set("Too many requests. Going on in a moment.");
    if (kind === "back") said.set("The server is back.");
  }, [kind]);

  const bar = barOf(trouble, past ? undefined : newer, shown, client);
  return (
    (past || bar) && (
      <section class="notice" aria-label="Notice">
        <PastLine />
        {bar}
      </section>
    )
  );
}

function barOf(
  trouble: Trouble | undefined,
  newer: Revision | undefined,
  shown: Revision | undefined,
  client: Client,
) {
  if (trouble?.kind === "away") return <Away trouble={trouble} tryNow={() => client.connection.tryNow()} />;
  if (trouble?.kind === "limited")
    return (
      <p>
        Too many requests. Going on in <Seconds until={trouble.nextAt} />.
      </p>
    );
  if (trouble?.kind === "back") return <p>The server is back.</p>;
  if (!newer || !shown) return null;
  return <Newer key={newer.revision} newer={newer} shown={shown} />;
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
  return <>{count(useSeconds(until), "second")}</>;
}
