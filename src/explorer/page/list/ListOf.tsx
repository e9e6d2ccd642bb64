import { AccessList } from "./rows/AccessList.tsx";
import { ContentList } from "./rows/ContentList.tsx";
import { Changes } from "../views/past/Changes.tsx";
import { FoundList } from "./rows/FoundList.tsx";
import { GivenList } from "./rows/GivenList.tsx";
import { MemberList } from "./rows/MemberList.tsx";
import { Review } from "../views/review/Review.tsx";
import type { ListProps } from "./props.ts";
import { ReachList } from "./rows/ReachList.tsx";
import { SettledList } from "./rows/SettledList.tsx";
import { SpaceList } from "./rows/SpaceList.tsx";
import { TeamList } from "./rows/TeamList.tsx";
import { TeamMemberList } from "./rows/TeamMemberList.tsx";

export function ListOf(props: ListProps) {
  const { view, tab } = props.address;
  if (tab === "changes") return <Changes {...props} />;
  if (tab === "review") return <Review {...props} />;
  if (view === "members") return <MemberList {...props} />;
  if (view === "contents") return <SettledList {...props} />;
  if (view === "found") return <FoundList {...props} />;
  if (view === "teams" || tab === "teams") return <TeamList {...props} />;
  if (view === "member") return <ReachList {...props} />;
  if (view === "team") return tab === "members" ? <TeamMemberList {...props} /> : <GivenList {...props} />;
  if (tab === "contents") return <ContentList {...props} />;
  if (tab === "spaces") return <SpaceList {...props} />;
  return <AccessList {...props} />;
}
