import { withDetail, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { useSession } from "../../session/session.ts";
import { KINDS } from "../../words/filters.ts";
import { figure } from "../../words/number.ts";
import { Chip } from "./Chip.tsx";

export function Kinds({ address }: { address: Address }) {
  const { counts } = useSession();
  const { kind: chosen, q } = address;
  const { answer } = useAnswer(counts, q === undefined ? undefined : { list: "found", q });
  const kinds: Readonly<Record<string, number>> = answer?.filtered?.kinds ?? {};
  return (
    <div role="group" aria-label="Filter by kind">
      {Object.entries(KINDS).map(([kind, label]) => (
        <Chip
          key={kind}
          on={kind === chosen}
          to={withDetail(address, "kind", kind === chosen ? undefined : kind)}
        >
          {label} {kinds[kind] === undefined ? "–" : figure(kinds[kind])}
        </Chip>
      ))}
    </div>
  );
}
