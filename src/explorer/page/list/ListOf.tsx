import { AccessList } from "./AccessList.tsx";
import { ContentList } from "./ContentList.tsx";
import { GivenList } from "./GivenList.tsx";
import { MemberList } from "./MemberList.tsx";
import { Review } from "../review/Review.tsx";
import type { ListProps } from "./props.ts";
import { ReachList } from "./ReachList.tsx";
import { SpaceList } from "./SpaceList.tsx";
import { TeamList } from "./TeamList.tsx";
import { TeamMemberList } from "./TeamMemberList.tsx";

/** The list that an address names. */
export function ListOf(props: ListProps) {
  const { view, tab } = props.address;
  if (tab === "review") return <Review {...props} />;
  if (view === "members") return <MemberList {...props} />;
  if (view === "teams" || tab === "teams") return <TeamList {...props} />;
  if (view === "member") return <ReachList {...props} />;
  if (view === "team") return tab === "members" ? <TeamMemberList {...props} /> : <GivenList {...props} />;
  if (tab === "contents") return <ContentList {...props} />;
  if (tab === "spaces") return <SpaceList {...props} />;
  return <AccessList {...props} />;
}
