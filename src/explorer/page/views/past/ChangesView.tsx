import { HOME } from "../../session/address/address.ts";
import { CsvButton } from "../../files/csv/CsvButton.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { PrintButton } from "../../files/print/PrintButton.tsx";
import { Crumbs } from "../Crumbs.tsx";
import { Heading } from "../Heading.tsx";
import type { ViewProps } from "../subject/SubjectView.tsx";
import { useDocumentTitle } from "../title.ts";
import { Things } from "./Changed.tsx";

/** The differences between two revisions in the whole organization. */
export function ChangesView({ address, listed }: ViewProps) {
  const { earlier = "", later = "" } = address;
  const title = `Changes from revision ${earlier} to ${later}`;
  useDocumentTitle(title);
  return (
    <>
      <Crumbs way={[{ title: "Overview", to: HOME }]} />
      <Heading of={`changes ${earlier} ${later}`} ready>
        <Icon name="clock" />
        {title}
      </Heading>
      <div class="bar">
        <div class="tools">
          <PrintButton />
          <CsvButton address={address} title="Changes" total={undefined} />
        </div>
      </div>
      <div class="tall">
        <Things address={listed} earlier={earlier} later={later} tabbed={false} />
      </div>
    </>
  );
}
