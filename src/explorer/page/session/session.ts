/** The state of the page from sign-in to sign-out. It holds all data, so dropping it drops them. */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import type {
  CountsAnswer,
  Me,
  OverviewAnswer,
  PlaceAnswer,
  RulesAnswer,
  SinceAnswer,
  WhyAnswer,
  WithoutAnswer,
} from "../../wire/answers.ts";
import type { Hit } from "../../wire/lists.ts";
import type { SiteNode } from "../../wire/protocol.ts";
import { type Exporter, createExporter } from "../files/exporter.ts";
import { Cell } from "../parts/observable.ts";
import { Drafts } from "../views/review/drafts.ts";
import { DecidedReport } from "../views/review/outcomes.ts";
import { Answers } from "./answers.ts";
import { type Client, createClient } from "./client.ts";
import { GroupedRows } from "./groupedRows.ts";
import { type Walk, createWalk } from "./navigation.ts";
import { Lists, type RowList } from "./rows.ts";
import { Tree } from "./tree.ts";

/**
 * What the reader looks for: any subject, a member to check on the shown subject, a content or site to check the shown
 * member on, or a member to compare.
 */
export type Finding = "anything" | "member" | "content" | "other";

/** The list that the page offers to {@link lay}, which prints it. */
export interface Printable {
  readonly list: Pick<RowList<unknown>, "read" | "readTo">;
  readonly caption: string;
  readonly heads: readonly ComponentChildren[];
  /** `undefined` until the number of rows is known. */
  readonly total: number | undefined;
  /** Describes the list with `total` rows and its filters, such as "1,275 members, strongest role first". */
  foot(total: number): string;
  /** `undefined` if the row is not loaded yet. */
  cells(at: number): readonly ComponentChildren[] | undefined;
}

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

/** Whether the caller sees everything: an organization token or an organization admin. */
export function seesAll(me: Me | undefined): boolean {
  return me !== undefined && (me.caller.kind === "organization" || me.caller.role === "admin");
}
