import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { type Address, withDetail, withoutFilters } from "../session/address.ts";
import { Outdated, Refusal, SignedOut } from "../session/client.ts";
import { useSession } from "../session/session.ts";
import { fullMoment } from "../words/dates.ts";

/** Says why something cannot be shown, and what the reader can do. */
export function Failure({ failure, address, again }: { failure: unknown; address: Address; again(): void }) {
  const { client, navigation } = useSession();
  if (failure instanceof SignedOut) return null;
  if (failure instanceof Outdated)
    return (
      <p class="empty">
        The directory was imported again, and what this page shows is no longer kept.{" "}
        <Button onClick={() => client.reload()}>Show the new one</Button>
      </p>
    );
  const status = failure instanceof Refusal ? failure.status : 0;
  if (status === 403) return <p class="empty">{forbidden(address)}</p>;
  if (status === 404)
    return (
      <p class="empty">
        {navigation.at.value === undefined
          ? "There is nothing here that your token can see. It may have been removed, or the address may be wrong."
          : "There was nothing here then that your token can see. It may have been added later, or removed before."}
      </p>
    );
  if (status === 400) {
    const { sort: _, order: __, ...all } = withoutFilters(withDetail(address, "why", undefined));
    return (
      <p class="empty">
        {failure instanceof Error && inWords(failure.message)}{" "}
        <Link to={all} class="link">
          Show all
        </Link>
      </p>
    );
  }
  return (
    <p class="empty">
      {failure instanceof Refusal ? failure.message : "This could not be read."}{" "}
      <Button onClick={again}>Try again</Button>
    </p>
  );
}

/** Replaces the times in a server's message by times in the reader's format and time zone. */
function inWords(message: string): string {
  return message.replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/gu, fullMoment);
}

function forbidden({ view }: Address): string {
  if (view === "space" || view === "collection")
    return "Your token may see this but not list who has access. That takes create or admin here, or an organization token.";
  if (view === "member")
    return "Your token may not list what this member can reach. That takes an organization admin, or an organization token.";
  return "Your token may not list this. That takes an organization admin, or an organization token.";
}
