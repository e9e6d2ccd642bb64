import { HOME } from "../../session/address/address.ts";
import { FilterBar } from "../../list/filter/FilterBar.tsx";
import { ListPage } from "../ListPage.tsx";
import type { ViewProps } from "../subject/SubjectView.tsx";
import { Things } from "./Changed.tsx";

export function ChangesView({ address, listed }: ViewProps) {
  const { earlier = "", later = "" } = address;
  const title = `Changes from revision ${earlier} to ${later}`;
  return (
    <ListPage
      address={address}
      of={`changes ${earlier} ${later}`}
      way={[{ title: "Overview", to: HOME }]}
      icon="clock"
      heading={title}
      title={title}
      bar={<FilterBar address={address} />}
      file={{ title: "Changes" }}
    >
      <div class="tall">
        <Things address={listed} earlier={earlier} later={later} />
      </div>
    </ListPage>
  );
}
