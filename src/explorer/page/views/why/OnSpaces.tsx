import { useState } from "preact/hooks";
import type { SpaceRole } from "../../../wire/why.ts";
import { of } from "../../session/address/address.ts";
import { Link } from "../../parts/Link.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";

/** The number of spaces shown at first. */
const FEW = 12;

/** The role on each space of a site, strongest first, with links to Why. */
export function OnSpaces({
  spaces,
  user,
  under,
}: {
  spaces: readonly SpaceRole[];
  user: string;
  under: "h1" | "h2";
}) {
  const [whole, setWhole] = useState(false);
  const Head = under === "h1" ? "h2" : "h3";
  const shown = whole ? spaces : spaces.slice(0, FEW);
  if (spaces.length === 0) return null;
  return (
    <>
      <div class="lh">
        <Head>On each of its spaces</Head>
      </div>
      <ul class="src">
        {shown.map((space) => (
          <li key={space.id}>
            <Link to={{ ...of("space", space.id), why: user }} class="name">
              <bdi>{nameOf(space)}</bdi>
            </Link>
            {space.role === null ? <span class="dim">no access</span> : <RoleLabel role={space.role} />}
          </li>
        ))}
      </ul>
      {shown.length < spaces.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {count(spaces.length - shown.length, "more space")}
        </button>
      )}
    </>
  );
}
