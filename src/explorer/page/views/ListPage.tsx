import type { ComponentChildren } from "preact";
import { CsvButton } from "../files/csv/CsvButton.tsx";
import { Progress } from "../files/csv/Progress.tsx";
import { PrintButton } from "../files/print/PrintButton.tsx";
import { Failure } from "../list/Failure.tsx";
import { Icon, type IconName } from "../parts/Icon.tsx";
import type { Address } from "../session/address/address.ts";
import { Crumbs, type Crumb } from "./Crumbs.tsx";
import { Heading } from "./Heading.tsx";
import { useDocumentTitle } from "./title.ts";

interface Props {
  readonly address: Address;
  /** The key of the heading's subject. */
  readonly of: string;
  readonly way?: readonly Crumb[];
  readonly icon?: IconName;
  readonly heading: ComponentChildren;
  /** Whether the text of the heading is loaded. */
  readonly ready?: boolean;
  /** The title of the document, once it is known. */
  readonly title: string | undefined;
  /** Why the page cannot be shown; `again` retries. */
  readonly failure?: unknown;
  again?(): void;
  /** The text above the list. */
  readonly lead?: ComponentChildren;
  /** The content before the actions: filters, or the progress of reading. */
  readonly bar?: ComponentChildren;
  /** The actions before Print and CSV; `null` for a list without actions. */
  readonly tools?: ComponentChildren;
  /** The name and the length of the CSV; absent for a list without one. */
  readonly file?: { readonly title: string | undefined; readonly total?: number | undefined };
  readonly children: ComponentChildren;
}

/** A page that is a list: its path, heading, words, actions and rows, or why there are none. */
export function ListPage(props: Props) {
  const { address, of, way = [], icon, heading, ready = true, title, failure, again } = props;
  const { lead, bar, tools, file, children } = props;
  useDocumentTitle(title);
  return (
    <>
      <Crumbs way={way} />
      <Heading of={of} ready={ready}>
        {icon && <Icon name={icon} />}
        <span>{heading}</span>
      </Heading>
      {failure === undefined ? (
        <>
          {lead}
          {tools !== null && (
            <div class="bar">
              {bar}
              <div class="tools">
                {tools}
                <PrintButton />
                {file && <CsvButton address={address} title={file.title} total={file.total} />}
              </div>
            </div>
          )}
          <Progress />
          {children}
        </>
      ) : (
        <Failure failure={failure} address={address} again={again ?? (() => {})} />
      )}
    </>
  );
}
