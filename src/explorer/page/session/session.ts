/** The state of a signed-in page. Dropping it drops all data. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type {
  AccessRow,
  ContentRow,
  GivenRow,
  MemberRow,
  ReachRow,
  SpaceRow,
  TeamMemberRow,
  TeamRow,
} from "../../wire/rows.ts";
import type { SiteNode } from "../../wire/things.ts";
import type { CountsAnswer } from "../../wire/counts.ts";
import type { Hit } from "../../wire/search.ts";
import type { OverviewAnswer } from "../../wire/home/overview.ts";
import type { PlaceAnswer } from "../../wire/tree.ts";
import type { RulesAnswer } from "../../wire/home/rules.ts";
import type { WhyAnswer } from "../../wire/why.ts";
import type {
  CompareRow,
  ConcernedRow,
  OpenedRow,
  PairRow,
  WithoutAnswer,
  WithoutRow,
} from "../../wire/differences.ts";
import type { ChangedRow, ChangedThing, SinceAnswer } from "../../wire/past.ts";
import { createWalk, type Walk } from "./address/history.ts";
import { Answers } from "./ask/answers.ts";
import { createClient, type Client } from "./ask/client.ts";
import { GroupedRows } from "./ask/groupedRows.ts";
import { Lists } from "./ask/lists.ts";
import { createExporter, type Exporter } from "../files/csv/exporter.ts";
import { Cell } from "../parts/cell.ts";
import type { Printable } from "../files/print/Sheet.tsx";
import { Tree } from "../frame/side/tree.ts";
import { DecidedReport } from "../views/checks/decided.ts";

/**
 * The purpose of a search box: any subject, a person to check on the shown content, content to check the shown person
 * on, or a person to compare.
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
  /** The findings of `rolebook tidy`, and the outcomes of a decided report. */
  readonly tidy: GroupedRows;
  readonly decided: DecidedReport;
  readonly access: Lists<AccessRow>;
  readonly reach: Lists<ReachRow>;
  readonly spaces: Lists<SpaceRow>;
  readonly given: Lists<GivenRow>;
  /** Contents of the organization by setting. */
  readonly settled: Lists<ContentRow>;
  readonly found: Lists<Hit>;
  readonly members: Lists<MemberRow>;
  readonly teams: Lists<TeamRow>;
  readonly teamMembers: Lists<TeamMemberRow>;
  readonly sites: Lists<SiteNode>;
  /** Effects of removing a source, comparisons of people, spaces of a team. */
  readonly withouts: Answers<WithoutAnswer>;
  readonly changed: Lists<WithoutRow>;
  readonly pairs: Lists<PairRow>;
  readonly concerned: Lists<ConcernedRow>;
  readonly compared: Lists<CompareRow>;
  readonly opened: Lists<OpenedRow>;
  /** Differences between two revisions. */
  readonly sinces: Answers<SinceAnswer>;
  readonly changedRows: Lists<ChangedRow>;
  readonly changedThings: Lists<ChangedThing>;
  /** The text of the live region. */
  readonly said: Cell<string>;
  /** The open search box. */
  readonly finding: Cell<Finding | undefined>;
  /** Whether the chooser of past revisions is open. */
  readonly choosing: Cell<boolean>;
  /** The shown list, if there is one. */
  printable: Printable | undefined;
  /** Recent subjects, newest first. */
  readonly recent: Hit[];
  end(): void;
}

/** `cause` says whether the reader just signed in, or opened the page with a stored token. */
export function createSession(token: string, cause: "load" | "choose", onSignedOut: () => void): Session {
  const walk = createWalk(cause);
  const client = createClient(token, walk.at, onSignedOut);
  const said = new Cell("");
  const exporter = createExporter(client, said);
  return {
    client,
    walk,
    said,
    tree: new Tree(client),
    exporter,
    places: new Answers(client, "tree"),
    counts: new Answers(client, "counts"),
    overviews: new Answers(client, "overview"),
    whys: new Answers(client, "why"),
    rules: new Answers(client, "rules"),
    tidy: new GroupedRows(client, "tidy", "finding"),
    decided: new DecidedReport(client),
    access: new Lists(client, "access"),
    reach: new Lists(client, "access"),
    spaces: new Lists(client, "access"),
    settled: new Lists(client, "access"),
    given: new Lists(client, "access"),
    found: new Lists(client, "access"),
    members: new Lists(client, "access"),
    teams: new Lists(client, "access"),
    teamMembers: new Lists(client, "access"),
    sites: new Lists(client, "tree"),
    withouts: new Answers(client, "without"),
    changed: new Lists(client, "access"),
    pairs: new Lists(client, "access"),
    concerned: new Lists(client, "access"),
    compared: new Lists(client, "access"),
    opened: new Lists(client, "access"),
    sinces: new Answers(client, "since"),
    changedRows: new Lists(client, "access"),
    changedThings: new Lists(client, "access"),
    finding: new Cell<Finding | undefined>(undefined),
    choosing: new Cell(false),
    printable: undefined,
    recent: [],
    end() {
      exporter.cancel();
      client.stop();
      walk.stop();
    },
  };
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the component. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session around this component.");
  return session;
}
