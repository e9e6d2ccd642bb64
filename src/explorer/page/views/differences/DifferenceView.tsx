import type { ViewProps } from "../subject/SubjectView.tsx";
import { CompareView } from "./CompareView.tsx";
import { ReachView } from "./ReachView.tsx";
import { WithoutView } from "./WithoutView.tsx";

export function DifferenceView(props: ViewProps) {
  const { view } = props.address;
  if (view === "without") return <WithoutView {...props} />;
  return view === "compare" ? <CompareView {...props} /> : <ReachView {...props} />;
}
