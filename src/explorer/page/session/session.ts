/** The state of the page from sign-in to sign-out. It holds all data, so dropping it drops them. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Me } from "../../wire/answers.ts";
import type { SearchHit } from "../../wire/lists.ts";
import type { SiteNode } from "../../wire/protocol.ts";
import { Exporter } from "../files/exporter.ts";
import { Observable, useValue } from "../parts/observable.ts";
import type { Drafts } from "../views/review/drafts.ts";
import { DecidedReport } from "../views/review/outcomes.ts";
import { Answers } from "./answers.ts";
import { Client } from "./client.ts";
import { GroupedRows } from "./groupedRows.ts";
import { Navigation } from "./navigation.ts";
import { Lists, type RowList } from "./rows.ts";
import { Tree } from "./tree.ts";

/**
 * What the reader looks for: any subject, a member to check on the shown subject, a content or site to check the shown
 * member on, or a member to compare.
 */
export type PalettePurpose = "anything" | "member" | "content" | "other";

export class Session {
  readonly navigation: Navigation;
  readonly client: Client;
  readonly answers: Answers;
  readonly lists: Lists;
  readonly tree: Tree;
  readonly tidy: GroupedRows;
  /** The breaches of one rule. */
  readonly breaches: GroupedRows;
  readonly decided: DecidedReport;
  readonly drafts: Drafts;
  readonly exporter: Exporter;
  /** The text that screen readers announce. */
  readonly announcement = new Observable("");
  /** What the open search dialog looks for; `undefined` if it is closed. */
  readonly palette = new Observable<PalettePurpose | undefined>(undefined);
  /** What the open chooser of revisions chooses; `undefined` if it is closed. */
  readonly choosingRevision = new Observable<"at" | "earlier" | "later" | undefined>(undefined);
  /** The subjects that the reader opened, last one first. */
  readonly recent: SearchHit[] = [];

  /** Whether the session is that of the browser's cookie, and not of a token. */
  readonly isOfCookie: boolean;
  /** What else ends with the session. */
  readonly ending: (() => void)[] = [];

  /**
   * `cause` is `choose` after signing in, and `load` if the page was opened with a stored token or a cookie. Without
   * `token`, the session is that of the cookie. The `drafts` outlive a session whose token ends.
   */
  constructor(token: string | undefined, cause: "load" | "choose", drafts: Drafts, onSignedOut: () => void) {
    this.drafts = drafts;
    this.isOfCookie = token === undefined;
    this.navigation = new Navigation(cause);
    const client = new Client(token, this.navigation.at, onSignedOut);
    this.client = client;
    this.answers = new Answers(client);
    this.lists = new Lists(client);
    this.tree = new Tree(client);
    this.tidy = new GroupedRows(client, "tidy", "finding");
    this.breaches = new GroupedRows(client, "breaches", "rule");
    this.decided = new DecidedReport(client);
    this.exporter = new Exporter(client, this.announcement);
    if (cause === "load") this.decided.restore();
  }

  end(): void {
    for (const end of this.ending) end();
    this.exporter.cancel();
    this.decided.end();
    this.client.connection.stop();
    this.navigation.stop();
  }
}

export function sitesOf({ lists }: Session): RowList<SiteNode> {
  return lists.get({ kind: "site" }, "tree");
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session around this component.");
  return session;
}

/** {@link seesAll} of the caller; `meanwhile` until the caller is known. */
export function useSeesAll(meanwhile = false): boolean {
  const me = useValue(useSession().client.me);
  return me === undefined ? meanwhile : seesAll(me);
}

/** Whether the caller sees everything: an organization token or an organization admin. */
export function seesAll({ caller }: Me): boolean {
  return caller.kind === "organization" || caller.role === "admin";
}
