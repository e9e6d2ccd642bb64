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
  /** Identifies what the page shows; see {@link Heading}. */
  readonly of: string;
  readonly way?: readonly Crumb[];
  readonly icon?: IconName;
  readonly heading: ComponentChildren;
  readonly ready?: boolean;
  /** The title of the document; `undefined` until it is loaded. */
  readonly title: string | undefined;
  /** Why the list cannot be shown. `again` sends the request again. */
  readonly failure?: unknown;
  again?(): void;
  readonly lead?: ComponentChildren;
  /** Filters, or the progress of loading; stands before the actions. */
  readonly bar?: ComponentChildren;
  /** Stands before Print and CSV. `null` hides all actions. */
  readonly tools?: ComponentChildren;
  /** The name and the number of rows of the CSV file; absent if the list has none. */
  readonly file?: { readonly title: string | undefined; readonly total?: number | undefined };
  readonly children: ComponentChildren;
}

/** A view that consists of one list: path, heading, actions and rows, or the reason why there are none. */
export function ListPage(props: Props) {
  const { address, of, way = [], icon, heading, ready = true, title, failure, again } = props;
  const { lead, bar, tools, file, children } = props;
  useDocumentTitle(title);
  return (
    <>
      <Crumbs way={way} />
      <Heading of={of} ready={ready}>
        {icon && <Icon name={icon} />}
        <span class={ready ? undefined : "vh"}>{ready ? heading : "Loading"}</span>
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
