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
 * The violations of WCAG 2.2 A and AA on the shown page. Works with a strict Content-Security-Policy, because it adds
 * no element to the page.
 */
export async function findBarriers(page: Page): Promise<Barrier[]> {
  if (await page.evaluate<boolean>(`typeof axe === "undefined"`)) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<Results>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, help, nodes }) => ({ rule: id, help, places: nodes.map(({ html }) => html) }));
}
