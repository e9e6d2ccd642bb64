/** A model of an organization, from the records of an import. */
import { contentKey } from "../../src/domain/content.ts";
import { spaceDocument, userDocument } from "../../src/domain/document.ts";
import { build, type ContentRow, type MemberRow } from "../../src/model/builder.ts";
import type { Model } from "../../src/model/model.ts";
import { utc } from "../oracle/date.ts";
import { levelOf } from "../oracle/effective.ts";
import type { Content, Facts } from "../oracle/facts.ts";
import { byBytes } from "../oracle/order.ts";

/** `reversed` gives teams and contents other stored numbers, which no answer may show. */
export function modelOf(facts: Facts, reversed = false): Model {
  const teams = [...facts.teams.values()].sort((a, b) => byBytes(a.id, b.id));
  const contents = [...facts.collections.values(), ...facts.spaces.values()].sort((a, b) =>
    byBytes(keyOf(a), keyOf(b)),
  );
  const number = <Row>(rows: readonly Row[], row: Row) => {
    const at = rows.indexOf(row);
    return reversed ? 3 * (rows.length - at) : at;
  };
  const teamNumber = (id: string) =>
    number(
      teams.map((team) => team.id),
      id,
    );
  const contentNumber = ({ kind, id }: Content) => number(contents.map(keyOf), contentKey(kind, id));
  const rows = {
    teams: teams.map((team) => ({ number: number(teams, team), id: team.id, text: JSON.stringify(team) })),
    contents: contents.map((record): ContentRow => {
      const { object, ...fields } = record;
      const parent = record.parent;
      return {
        number: number(contents, record),
        key: keyOf(record),
        parent: parent === undefined ? undefined : contentNumber({ kind: "collection", id: parent }),
        level: levelOf(record),
        created: record.object === "space" ? Date.parse(utc(record.createdAt)) : 0,
        document: spaceDocument({ object, ...fields }),
        teams: facts
          .permissionsOn({ kind: object, id: record.id })
          .flatMap(({ team, permission }) =>
            team === undefined ? [] : [{ team: teamNumber(team), role: permission }],
          ),
      };
    }),
    members: [...facts.members]
      .sort(([a], [b]) => byBytes(a, b))
      .map(([id, role]): MemberRow => ({
        id,
        role,
        document: userDocument({ ...facts.users.get(id) }),
        teams: facts.teamMembers.flatMap(({ team, user, role: membership }) =>
          user === id ? [{ team: teamNumber(team), isOwner: membership === "owner" }] : [],
        ),
        permissions: contents.flatMap((record) =>
          facts
            .permissionsOn({ kind: record.object, id: record.id })
            .flatMap(({ user, permission }) =>
              user === id ? [{ content: number(contents, record), role: permission }] : [],
            ),
        ),
      })),
    sites: [...facts.sites]
      .sort(([a], [b]) => byBytes(a, b))
      .map(([id, spaces]) => ({
        id,
        title: id,
        spaces: spaces.toSorted(byBytes).map((space) => contentNumber({ kind: "space", id: space })),
      })),
  };
  const building = build({ id: facts.organization, title: facts.organization }, rows);
  for (;;) {
    const step = building.next();
    if (step.done === true) return step.value;
  }
}

function keyOf({ object, id }: { readonly object: "space" | "collection"; readonly id: string }) {
  return contentKey(object, id);
}
