import { pathText } from "../words/names.ts";

/** The path of a content, shortened in the middle if necessary, so that the nearest collections remain. */
export function Path({ path }: { path: readonly string[] }) {
  const [top, ...near] = path;
  if (top === undefined) return null;
  return (
    <>
      <bdi class="far">{pathText([top])}</bdi>
      {near.length > 0 && (
        <span class="near">
          <bdi>{`\u00a0/ ${pathText(near)}`}</bdi>
        </span>
      )}
    </>
  );
}
