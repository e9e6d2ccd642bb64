/** Documents name only existing files, and link only to existing headings. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";
import { DOCUMENTS, ROOT } from "./reading/documents.ts";

/** The anchor of a heading, as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

test.each(DOCUMENTS)("%s links only to existing targets", (document) => {
  const text = textOf(document).replaceAll(/^```.*?^```$/gms, "");
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? document : join(dirname(document), path);
      if (!existsSync(ROOT + target)) return true;
      return anchor !== undefined && !anchorsIn(textOf(target)).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test("CONTRIBUTING names only existing files and commands", () => {
  const text = textOf("CONTRIBUTING.md");
  const named = [...text.matchAll(/\b((?:src|test|docs|scripts|examples|bench)\/[\w./-]*\w)/g)].map(
    ([, path]) => path,
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(ROOT + path))).toEqual([]);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf("package.json"));
  const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test("the architecture and the decisions name only existing files", () => {
  const files = ["src", "test", "scripts"].flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
      .filter((file) => !file.includes("node_modules"))
      .map((file) => `${folder}/${file}`),
  );
  const documents = DOCUMENTS.filter((name) => /architecture|decisions/.test(name));
  const named = documents.flatMap((name) =>
    [...textOf(name).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
});
