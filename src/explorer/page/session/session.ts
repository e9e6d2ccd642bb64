/** The state of the page from sign-in to sign-out. It holds all data, so dropping it drops them. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SiteNode } from "../../wire/subjects.ts";
import type { CountsAnswer } from "../../wire/counts.ts";
import type { Hit } from "../../wire/search.ts";
import type { OverviewAnswer } from "../../wire/home/overview.ts";
import type { PlaceAnswer } from "../../wire/tree.ts";
import type { RulesAnswer } from "../../wire/home/rules.ts";
import type { WhyAnswer } from "../../wire/why.ts";
import type { WithoutAnswer } from "../../wire/differences.ts";
import type { SinceAnswer } from "../../wire/past.ts";
import { createWalk, type Walk } from "./address/history.ts";
import { Answers } from "./ask/answers.ts";
import { createClient, type Client } from "./ask/client.ts";
import { GroupedRows } from "./ask/groupedRows.ts";
import { Lists } from "./ask/lists.ts";
import type { RowList } from "./ask/rowList.ts";
import { createExporter, type Exporter } from "../files/csv/exporter.ts";
import { Cell } from "../parts/cell.ts";
import type { Printable } from "../files/print/Sheet.tsx";
import { Tree } from "../frame/side/tree.ts";
import { DecidedReport } from "../views/checks/decided.ts";
import { Drafts } from "../views/review/draft.ts";

/**
 * What the reader looks for: any subject, a member to check on the shown subject, a content or site to check the shown
 * member on, or a member to compare.
 */
export type Finding = "anything" | "member" | "content" | "other";

export interface Session {
  readonly client: Client;
  readonly walk: Walk;
  readonly tree: Tree;
  readonly exporter: Exporter;
  readonly places: Answers<PlaceAnswer>;
  readonly counts: Answers<CountsAnswer>;
  readonly overviews: Answers<OverviewAnswer>;
  readonly whys: Answers<WhyAnswer>;
  readonly rules: Answers<RulesAnswer>;
  readonly tidy: GroupedRows;
  /** The breaches of one rule. */
  readonly breaches: GroupedRows;
  readonly decided: DecidedReport;
  readonly drafts: Drafts;
  readonly lists: Lists;
  readonly sites: Lists;
  readonly withouts: Answers<WithoutAnswer>;
  readonly sinces: Answers<SinceAnswer>;
  /** The text that screen readers announce. */
  readonly said: Cell<string>;
  /** What the open search dialog looks for; `undefined` if it is closed. */
  readonly finding: Cell<Finding | undefined>;
  readonly choosing: Cell<boolean>;
  /** The shown list, for print; `undefined` if there is none. */
  printable: Printable | undefined;
  /** The subjects that the reader opened, last one first. */
  readonly recent: Hit[];
  end(): void;
}

/** `cause` is `choose` after signing in, and `load` if the page was opened with a stored token. */
export function createSession(token: string, cause: "load" | "choose", onSignedOut: () => void): Session {
  const walk = createWalk(cause);
  const client = createClient(token, walk.at, onSignedOut);
  const said = new Cell("");
  const exporter = createExporter(client, said);
  const drafts = new Drafts();
  const decided = new DecidedReport(client);
  if (cause === "load") void decided.restore();
  return {
    client,
    walk,
    said,
    tree: new Tree(client),
    exporter,
    drafts,
    places: new Answers(client, "tree"),
    counts: new Answers(client, "counts"),
    overviews: new Answers(client, "overview"),
    whys: new Answers(client, "why"),
    rules: new Answers(client, "rules"),
    tidy: new GroupedRows(client, "tidy", "finding"),
    breaches: new GroupedRows(client, "breaches", "rule"),
    decided,
    lists: new Lists(client, "access"),
    sites: new Lists(client, "tree"),
    withouts: new Answers(client, "without"),
    sinces: new Answers(client, "since"),
    finding: new Cell<Finding | undefined>(undefined),
    choosing: new Cell(false),
    printable: undefined,
    recent: [],
    end() {
      exporter.cancel();
      decided.end();
      drafts.end();
      client.stop();
      walk.stop();
    },
  };
}

export function sitesOf({ sites }: Session): RowList<SiteNode> {
  return sites.get({ kind: "site" });
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session around this component.");
  return session;
}
