import { DatabaseSync, type StatementSync } from "node:sqlite";

declare module "node:sqlite" {
  interface StatementSync {
    stat(counter: "vmStep"): number;
  }
}

/** Counts what SQLite does, also for rows that it looks at and does not return. */
export interface Steps {
  /** The steps of all statements so far, of databases that are open. */
  taken(): number;
  stop(): void;
}

/** Counts from now on the steps of statements that this process prepares. */
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
