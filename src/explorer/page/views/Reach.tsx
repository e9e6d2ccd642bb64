import { writeWithout } from "../../../domain/without.ts";
import { FilterBar } from "../list/FilterBar.tsx";
import { Link, SubjectLink } from "../parts/Link.tsx";
import { of, subjectParts, withoutSource } from "../session/address.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { nameOf } from "../words/names.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { ListPage, type ViewProps } from "./Page.tsx";

/** The spaces to which a team gives access, or the roles of its members on one content. */
export function ReachView({ address, listed }: ViewProps) {
  const { id, on } = address;
  const place = on === undefined ? undefined : subjectParts(on);
  const team = useAnswer("subject", { team: id });
  const there = useAnswer("subject", place && { [place.kind]: place.id });
  const name = nameOf(team.answer?.subject) || id;
  const where = there.answer?.subject;
  const failure = team.failure ?? there.failure;
  const source = withoutSource(writeWithout({ of: "team", team: id }), on);
  return (
    <ListPage
      address={address}
      of={`reach ${id} ${on ?? ""}`}
      way={[{ title: name, to: of("team", id) }]}
      icon="team"
      ready={team.answer !== undefined || failure !== undefined}
      heading={
        where ? (
          <>
            Members of <bdi>{name}</bdi> on <SubjectLink of={where} />
          </>
        ) : (
          <>
            Reach through <bdi>{name}</bdi>
          </>
        )
      }
      title={team.answer && `${name} – what the team opens`}
      failure={failure}
      again={team.again}
      tools={
        <Link to={source} class="btn">
          Without this team
        </Link>
      }
      bar={<FilterBar address={address} />}
      file={{ title: name }}
    >
      <DifferenceList address={listed} names={{ one: "", other: "" }} />
    </ListPage>
  );
}
