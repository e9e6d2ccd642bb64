import { FilterBar } from "../list/FilterBar.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Link, SubjectLink } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { of, subjectParts } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { nameOf } from "../words/names.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { ListPage, type ViewProps } from "./Page.tsx";

/**
 * Compares two people on each space, or one person's role on each space of a site or collection with their role on the
 * whole. Differences come first.
 */
export function CompareView({ address, listed }: ViewProps) {
  const { palette } = useSession();
  const { id, other, on } = address;
  const place = on === undefined ? undefined : subjectParts(on);
  const one = useAnswer("subject", { member: id });
  const two = useAnswer("subject", other === undefined ? undefined : { member: other });
  const scope = useAnswer("subject", place && { [place.kind]: place.id });
  const names = {
    one: nameOf(one.answer?.subject) || id,
    other: nameOf(two.answer?.subject) || (other ?? ""),
  };
  const where = scope.answer?.subject;
  const failure = one.failure ?? two.failure ?? scope.failure;
  const ready = one.answer && (other === undefined || two.answer) && (!place || scope.answer);
  const title = other === undefined ? names.one : `${names.one} and ${names.other}`;
  return (
    <ListPage
      address={address}
      of={`compare ${id} ${other ?? ""}`}
      icon="member"
      ready={ready !== undefined || failure !== undefined}
      heading={
        <>
          <Link to={of("member", id)}>
            <bdi>{names.one}</bdi>
          </Link>
          {other !== undefined && (
            <>
              {" and "}
              <Link to={of("member", other)}>
                <bdi>{names.other}</bdi>
              </Link>
            </>
          )}
        </>
      }
      title={ready && `${title} compared`}
      failure={failure}
      again={one.again}
      lead={
        <p class="say effect">
          {other === undefined ? "The role on " : "Both roles on "}
          {where ? (
            <>
              each space of {where.kind} <SubjectLink of={where} class="name" />
            </>
          ) : (
            "every space that either reaches"
          )}
          {other === undefined
            ? ". Spaces where it is not the role on the whole come first."
            : ". Differences come first."}
        </p>
      }
      tools={
        <Button class="btn" aria-haspopup="dialog" onClick={() => palette.set("other")}>
          <Icon name="member" />
          {other === undefined ? "Compare with a person" : "Compare with another person"}
        </Button>
      }
      bar={<FilterBar address={address} />}
      file={{ title }}
    >
      <DifferenceList address={listed} names={names} />
    </ListPage>
  );
}
