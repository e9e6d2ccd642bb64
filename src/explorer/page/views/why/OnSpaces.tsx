import type { SpaceRole } from "../../../wire/why.ts";
import { of } from "../../session/address/address.ts";
import { Few } from "../../parts/Few.tsx";
import { Link } from "../../parts/Link.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { nameOf } from "../../words/names.ts";

const FEW = 12;

interface Props {
  readonly spaces: readonly SpaceRole[];
  readonly user: string;
  readonly under: "h1" | "h2";
}

export function OnSpaces({ spaces, user, under }: Props) {
  const Head = under === "h1" ? "h2" : "h3";
  if (spaces.length === 0) return null;
  return (
    <>
      <div class="lh">
        <Head>On each of its spaces</Head>
      </div>
      <Few
        items={spaces}
        first={FEW}
        noun="more space"
        item={(space) => (
          <li key={space.id}>
            <Link to={{ ...of("space", space.id), why: user }} class="name">
              <bdi>{nameOf(space)}</bdi>
            </Link>
            {space.role === null ? <span class="dim">no access</span> : <RoleLabel role={space.role} />}
          </li>
        )}
      />
    </>
  );
}
