import type { Notes } from "./sheet/notes.ts";
import type { People } from "./people.ts";
import type { Roles } from "./cells/roles.ts";
import type { Table } from "./sheet/table.ts";
import type { Teams } from "./teams.ts";

const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface Into {
  readonly people: People;
  readonly teams: Teams;
  readonly roles: Roles;
  readonly notes: Notes;
  /** Whether there are effective roles. Without them, the people table must have a column of roles. */
  readonly isEffective: boolean;
}

/** Reads the people table. A person has one row, or a row for each team. */
export async function loadPeople(
  table: Table<"people">,
  { people, teams, roles, notes, isEffective }: Into,
): Promise<void> {
  await table.read([["id", "email"], ...(isEffective ? [] : [["role"] as const])], (row) => {
    const role = row.has("role") ? roles.read(row.get("role")) : "guest";
    if (role === undefined) {
      table.wrong(row.number, "role", row.get("role"), roles.accepts("people"));
      return;
    }
    const person = people.add(table, row, role);
    if (person === undefined) return;
    const email = row.get("email");
    if (email !== "" && !EMAIL.test(email))
      notes.warn(`E-mail addresses of ${table.file} that are none`, email);
    if (!row.has("role"))
      notes.add(
        `People of ${table.file}, which has no roles, made guests`,
        row.get("id") || row.get("email"),
      );
    teams.join(person, table, row);
  });
}
