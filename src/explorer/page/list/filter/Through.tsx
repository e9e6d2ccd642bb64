import { withDetail, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { useSession } from "../../session/session.ts";
import { nameOf } from "../../words/names.ts";
import { Chip } from "./Chip.tsx";

/** The filter by team. It is set by links in lists of teams; here it can only be removed. */
export function Through({ address, team }: { address: Address; team: string }) {
  const { places } = useSession();
  const { answer } = useAnswer(places, { team });
  return (
    <Chip on to={withDetail(address, "through", undefined)}>
      through team <bdi>{answer ? nameOf(answer.subject) : team}</bdi>
    </Chip>
  );
}
