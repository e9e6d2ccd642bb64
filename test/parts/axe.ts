import axe from "axe-core";
import type { Page } from "playwright-core";

/** A violated rule of WCAG 2.2 (A or AA), with the HTML of each violating element. */
export interface Barrier {
  readonly rule: string;
  readonly help: string;
  readonly places: readonly string[];
}

interface Results {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

const options = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  resultTypes: ["violations"],
};

/**
 * The third and later ones of equal siblings, such as rows of a table: elements that differ only in their texts, names
 * and addresses. What axe says of the second one it says of them, and contrast takes time for each.
 */
const ALIKE = `[...document.querySelectorAll("tr, li, [role=treeitem], [role=option]")].filter((element) => {
  const form = (each) => each.outerHTML.replaceAll(/>[^<]+</g, "><")
    .replaceAll(/ (?:id|href|title|alt|src|data-[\\w-]+|aria-(?:label|labelledby|controls|rowindex|posinset))="[^"]*"/g, "");
  const before = (each) => each?.previousElementSibling;
  const own = form(element);
  let equal = 0;
  for (let each = before(element); each && equal < 2; each = before(each)) if (form(each) === own) equal++;
  return equal === 2;
})`;

/**
 * The violations of WCAG 2.2 A and AA on the shown page; without those of contrast, which take most of the time, if
 * `colours` is false. Works with a strict Content-Security-Policy, because it adds no element to the page.
 */
export async function findBarriers(page: Page, colours = true): Promise<Barrier[]> {
  if (await page.evaluate<boolean>(`typeof axe === "undefined"`)) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<Results>(
    `axe.run({ include: document, exclude: ${ALIKE} }, ${JSON.stringify({ ...options, rules: { "color-contrast": { enabled: colours } } })})`,
  );
  return violations.map(({ id, help, nodes }) => ({ rule: id, help, places: nodes.map(({ html }) => html) }));
}
