import type { Ref } from "../../../domain/reason.ts";
import { nameOf } from "../words/names.ts";
import { Link } from "./Link.tsx";
import { addressOf } from "./Words.tsx";

interface Props {
  readonly of: Ref & ({ readonly title: string } | { readonly displayName: string });
  readonly class?: string;
  readonly id?: string;
}

/** The name of a subject as a link to its view. `bdi` isolates a name from the text direction around it. */
export function NameLink({ of, ...rest }: Props) {
  return (
    <Link to={addressOf(of)} {...rest}>
      <bdi>{nameOf(of)}</bdi>
    </Link>
  );
}
