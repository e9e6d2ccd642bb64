/** Two people compared, or one person's role on each space with the role on the whole. */
import type { CompareRow } from "../../wire/lists.ts";
import { FilterBar } from "../list/FilterBar.tsx";
import { List } from "../list/List.tsx";
import { column } from "../list/Table.tsx";
import { SPACE, heldColumn } from "../list/columns.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Link, SubjectLink } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { type Address, addressOf, subjectQuery } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { filterPhrase } from "../words/filters.ts";
import { nameOf } from "../words/names.ts";
import { count } from "../words/numbers.ts";
import { Page, type ViewProps } from "./Page.tsx";

/**
 * Compares two people on each space, or one person's role on each space of a site or collection with their role on the
 * whole. Differences come first.
 */
export function CompareView({ address, listed }: ViewProps) {
  const { palette } = useSession();
  const { id, other, on } = address;
  const content = on === undefined ? undefined : subjectQuery(on);
  const one = useAnswer("tree", { member: id });
  const two = useAnswer("tree", other === undefined ? undefined : { member: other });
  const scope = useAnswer("tree", content);
  const names = {
    one: nameOf(one.answer?.subject) || id,
    other: nameOf(two.answer?.subject) || (other ?? ""),
  };
  const where = scope.answer?.subject;
  const failure = one.failure ?? two.failure ?? scope.failure;
  const ready = one.answer && (other === undefined || two.answer) && (!content || scope.answer);
  const title = other === undefined ? names.one : `${names.one} and ${names.other}`;
  return (
    <Page
      address={address}
      of={`compare ${id} ${other ?? ""}`}
      icon={<Icon name="member" />}
      ready={ready !== undefined || failure !== undefined}
      heading={
        <>
          <Link to={addressOf("member", id)}>
            <bdi>{names.one}</bdi>
          </Link>
          {other !== undefined && (
            <>
              {" and "}
              <Link to={addressOf("member", other)}>
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
        failure === undefined && (
          <p class="lead">
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
        )
      }
      actions={
        <Button class="btn" aria-haspopup="dialog" onClick={() => palette.set("other")}>
          <Icon name="member" />
          {other === undefined ? "Compare with a person" : "Compare with another person"}
        </Button>
      }
      file={{ title }}
    >
      <FilterBar address={address} />
      <ComparedSpaces address={listed} names={names} />
    </Page>
  );
}

type PairNames = { readonly one: string; readonly other: string };

function ComparedSpaces({ address, names }: { address: Address; names: PairNames }) {
  const two = address.other !== undefined;
  return (
    <List<CompareRow>
      address={address}
      caption={`Spaces of ${names.one}${two ? ` and ${names.other}` : ""}, differences first`}
      columns={[
        SPACE,
        column(two ? "Alike" : "As on the whole", "c-role", (row) =>
          row.differs ? <b>differs</b> : <span class="dim">alike</span>,
        ),
        heldColumn(names.one, (row) => row.one),
        ...(two ? [heldColumn(names.other, (row: CompareRow) => row.other)] : []),
      ]}
      rowId={(row) => row.space.id}
      step={(row) => String(row.differs)}
      foot={(total) =>
        `${count(total, "space")}${filterPhrase(address)}, differences first, then by creation`
      }
      empty="Neither reaches a space here."
    />
  );
}
