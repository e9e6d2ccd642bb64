import { DatabaseSync, type StatementSync } from "node:sqlite";

declare module "node:sqlite" {
  interface StatementSync {
    stat(counter: "vmStep"): number;
  }
}

/** Counts the steps of SQLite's virtual machine. They include reading rows that are not returned. */
export interface Steps {
  /** The number of steps so far of all statements of open databases. */
  taken(): number;
  stop(): void;
}

/** Begins to count the steps of all statements that this process prepares from now on. */
export function countSteps(): Steps {
  const prepared = new Map<DatabaseSync, StatementSync[]>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...asked: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, asked);
    const known = prepared.get(this) ?? [];
    known.push(statement);
    prepared.set(this, known);
    return statement;
  };
  return {
    taken() {
      const open = [...prepared].flatMap(([database, statements]) => (database.isOpen ? statements : []));
      return open.reduce((sum, statement) => sum + statement.stat("vmStep"), 0);
    },
    stop() {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}
