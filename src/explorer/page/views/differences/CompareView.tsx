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
import { partsOf } from "./query.ts";

/** Compares two people on the same spaces, or one on those of a site or collection; differences first. */
export function CompareView({ address, listed }: ViewProps) {
  const { places, finding } = useSession();
  const { id, other, on } = address;
  const place = on === undefined ? undefined : partsOf(on);
  const one = useAnswer(places, { member: id });
  const two = useAnswer(places, other === undefined ? undefined : { member: other });
  const scope = useAnswer(places, place && { [place.kind]: place.id });
  const names = {
    one: nameOf(one.answer?.subject) || id,
    other: nameOf(two.answer?.subject) || (other ?? ""),
  };
  const where = scope.answer?.subject;
  const failure = one.failure ?? two.failure ?? scope.failure;
  const ready = one.answer && (other === undefined || two.answer) && (!place || scope.answer);
  const title = other === undefined ? names.one : `${names.one} and ${names.other}`;
  useDocumentTitle(ready && `${title} compared`);
  return (
    <>
      <Crumbs way={[]} />
      <Heading of={`compare ${id} ${other ?? ""}`} ready={ready !== undefined || failure !== undefined}>
        <Icon name="member" />
        <span>
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
        </span>
      </Heading>
      {failure === undefined ? (
        <>
          <p class="say effect">
            {other === undefined
              ? "One person on each space; those unlike the role on the whole come first."
              : "Two people on the same spaces; differences come first."}
            {where && where.kind !== "member" && (
              <>
                {" "}
                Spaces of {where.kind}{" "}
                <Link to={of(where.kind, where.id)} class="name">
                  <bdi>{nameOf(where)}</bdi>
                </Link>{" "}
                alone.
              </>
            )}
          </p>
          <div class="bar">
            <div class="tools">
              <button type="button" class="btn" aria-haspopup="dialog" onClick={() => finding.set("other")}>
                <Icon name="member" />
                {other === undefined ? "Compare with a person" : "Compare with another person"}
              </button>
              <PrintButton />
              <CsvButton address={address} title={title} total={undefined} />
            </div>
          </div>
          <Progress />
          <DifferenceList address={listed} names={names} />
        </>
      ) : (
        <Failure failure={failure} address={address} again={one.again} />
      )}
    </>
  );
}
