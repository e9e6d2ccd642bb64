import { writeWithout } from "../../../../domain/without.ts";
import { of } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { CsvButton } from "../../files/csv/CsvButton.tsx";
import { Progress } from "../../files/csv/Progress.tsx";
import { Failure } from "../../list/Failure.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { Link } from "../../parts/Link.tsx";
import { PrintButton } from "../../files/print/PrintButton.tsx";
import { useSession } from "../../session/session.ts";
import { Crumbs } from "../Crumbs.tsx";
import { Heading } from "../Heading.tsx";
import type { ViewProps } from "../subject/SubjectView.tsx";
import { useDocumentTitle } from "../title.ts";
import { nameOf } from "../../words/names.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { partsOf, withoutSource } from "./query.ts";

/** The spaces that a team opens, or its members' roles on one content. */
export function ReachView({ address, listed }: ViewProps) {
  const { places } = useSession();
  const { id, on } = address;
  const place = on === undefined ? undefined : partsOf(on);
  const team = useAnswer(places, { team: id });
  const there = useAnswer(places, place && { [place.kind]: place.id });
  const name = nameOf(team.answer?.subject) || id;
  const where = there.answer?.subject;
  const failure = team.failure ?? there.failure;
  useDocumentTitle(team.answer && `${name} – what the team opens`);
  const source = withoutSource(writeWithout({ of: "team", team: id }), on);
  return (
    <>
      <Crumbs way={[{ title: name, to: of("team", id) }]} />
      <Heading of={`reach ${id} ${on ?? ""}`} ready={team.answer !== undefined || failure !== undefined}>
        <Icon name="team" />
        <span>
          {where && where.kind !== "member" ? (
            <>
              Members of <bdi>{name}</bdi> on{" "}
              <Link to={of(where.kind, where.id)}>
                <bdi>{nameOf(where)}</bdi>
              </Link>
            </>
          ) : (
            <>
              Reach through <bdi>{name}</bdi>
            </>
          )}
        </span>
      </Heading>
      {failure === undefined ? (
        <>
          <div class="bar">
            <div class="tools">
              <Link to={source} class="btn">
                Without this team
              </Link>
              <PrintButton />
              <CsvButton address={address} title={name} total={undefined} />
            </div>
          </div>
          <Progress />
          <DifferenceList address={listed} names={{ one: "", other: "" }} />
        </>
      ) : (
        <Failure failure={failure} address={address} again={team.again} />
      )}
    </>
  );
}
