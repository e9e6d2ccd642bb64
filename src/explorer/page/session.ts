/** What one signed-in page holds. Letting go of it is letting go of all data. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type {
  AccessRow,
  ContentNode,
  CountsAnswer,
  GivenRow,
  Hit,
  MemberRow,
  PlaceAnswer,
  ReachRow,
  SiteNode,
  SpaceRow,
  TeamMemberRow,
  TeamRow,
  WhyAnswer,
} from "../wire.ts";
import { createWalk, type Walk } from "./address/history.ts";
import { Answers } from "./ask/answers.ts";
import { createClient, type Client } from "./ask/client.ts";
import { Lists } from "./ask/lists.ts";
import { createExporter, type Exporter } from "./csv/exporter.ts";
import { Cell } from "./parts/cell.ts";
import type { Printable } from "./print/Sheet.tsx";
import { Tree } from "./side/tree.ts";

/** What a search box is for: anything, a person to check on what is shown, or content to check a person on. */
export type Finding = "anything" | "member" | "content";

export interface Session {
  readonly client: Client;
  readonly walk: Walk;
  readonly tree: Tree;
  readonly exporter: Exporter;
  readonly places: Answers<PlaceAnswer>;
  readonly counts: Answers<CountsAnswer>;
  readonly whys: Answers<WhyAnswer>;
  readonly access: Lists<AccessRow>;
  readonly reach: Lists<ReachRow>;
  readonly spaces: Lists<SpaceRow>;
  readonly given: Lists<GivenRow>;
  readonly members: Lists<MemberRow>;
  readonly teams: Lists<TeamRow>;
  readonly teamMembers: Lists<TeamMemberRow>;
  readonly sites: Lists<SiteNode>;
  /** What lies in collections. */
  readonly contents: Lists<ContentNode>;
  /** What the live region says. */
  readonly said: Cell<string>;
  /** Which search box is open. */
  readonly finding: Cell<Finding | undefined>;
  /** The list that is shown, where there is one. */
  printable: Printable | undefined;
  /** What was open last, newest first. */
  readonly recent: Hit[];
  end(): void;
}

/** `cause` tells whether the reader just signed in, or opened the page with a token that was kept. */
export function createSession(token: string, cause: "load" | "choose", onSignedOut: () => void): Session {
  const client = createClient(token, onSignedOut);
  const walk = createWalk(cause);
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
    whys: new Answers(client, "why"),
    access: new Lists(client, "access"),
    reach: new Lists(client, "access"),
    spaces: new Lists(client, "access"),
    given: new Lists(client, "access"),
    members: new Lists(client, "access"),
    teams: new Lists(client, "access"),
    teamMembers: new Lists(client, "access"),
    sites: new Lists(client, "tree"),
    contents: new Lists(client, "tree"),
    finding: new Cell<Finding | undefined>(undefined),
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

/** The session around the component. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session around this component.");
  return session;
}
