/** How the browser keeps drafts of reviews: as they are typed, through a crash, for each member, and if it keeps nothing. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createToken, listTokens, revokeToken } from "../../../../../src/store/tokens.ts";
import { rolebook } from "../../../../crash/program.ts";
import { temporaryFolder } from "../../../../folder.ts";
import { type Page, launchOn } from "../../../../parts/browser.ts";
import { deskOver, rowsOf, signIn } from "../../desk.ts";
import { ADDRESS, BEFORE, keptMarks, look, marks, review, rowOf, save } from "./reviewing.ts";

const desk = deskOver(BEFORE, "o");
const summaries = temporaryFolder();

test("a comment is kept as it is typed", async () => {
  const page = await review(desk);
  await rowOf(page, /Bo/).comment.pressSequentially("half a sen");
  await page.reload();
  await rowsOf(page);
  await marks(page).toEqual(["Bo Lee, admin on Space one: , half a sen"]);
  // The page hangs right after the key press, until it is closed.
  await page.evaluate(`(() => {
    const field = document.querySelector("[aria-label^='Comment on Bo']");
    field.value += "t";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => { for (const end = Date.now() + 10_000; Date.now() < end; ); });
  })()`);
  await page.close();
  const again = await page.context().newPage();
  await again.goto(`${desk.address}${ADDRESS}`);
  await signIn(again, await desk.token());
  await rowsOf(again);
  await marks(again).toEqual(["Bo Lee, admin on Space one: , half a sent"]);
});

test("a draft is there when the browser was killed", async () => {
  await desk.world.import(BEFORE);
  const folder = mkdtempSync(join(tmpdir(), "rolebook-profile-"));
  async function begin() {
    const started = await launchOn(folder);
    onTestFinished(() => void started.process.kill("SIGKILL"));
    const page = await started.browser.contexts()[0]?.newPage();
    if (page === undefined) throw new Error("The browser has no window.");
    await page.goto(`${desk.address}${ADDRESS}`);
    await signIn(page, await desk.token());
    await rowsOf(page);
    return { ...started, page };
  }
  async function kill({ process }: { process: ChildProcess }): Promise<void> {
    const exit = once(process, "exit");
    process.kill("SIGKILL");
    await exit;
  }
  const first = await begin();
  await rowOf(first.page, /Ann/).decision.selectOption("keep");
  await rowOf(first.page, /Bo/).comment.fill("half a sen");
  // A mark is shown at once, and written right after it.
  await expect.poll(() => keptMarks(first.page)).toHaveLength(2);
  await kill(first);
  const second = await begin();
  await marks(second.page).toEqual([
    "Ann Lee, admin on Space one: keep, ",
    "Bo Lee, admin on Space one: , half a sen",
  ]);
  await kill(second);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a draft belongs to a member, whichever token they use", async () => {
  const page = await review(desk, ADDRESS, { member: "ann" });
  await rowOf(page, /Cleo/).decision.selectOption("keep");
  await save(page);
  const ann = await createToken(desk.world.store, { organization: "o", member: "ann", name: "again" });
  for (const [token, kept] of [
    [await desk.token("bo"), []],
    [ann, ["Cleo Lee, edit on Space one: keep, "]],
  ] as const) {
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByLabel("Access token").waitFor();
    await page.goto(`${desk.address}${ADDRESS}`);
    await signIn(page, token);
    await rowsOf(page);
    await marks(page).toEqual(kept);
  }
});

/** Opens the review with a new token of the organization. */
async function reviewWithToken(name: string): Promise<Page> {
  await desk.world.import(BEFORE);
  const token = await createToken(desk.world.store, { organization: "o", name });
  const page = await desk.tab(`${desk.address}${ADDRESS}`, { acceptDownloads: true }, token);
  await rowsOf(page);
  return page;
}

/** Revokes the token of a page, and signs in with a new one of the organization. */
async function replaceToken(page: Page, was: string, name: string): Promise<void> {
  const { engine } = desk.world.store;
  const [old] = (await listTokens(engine)).filter((each) => each.name === was);
  await revokeToken(engine, old?.id ?? "");
  await look(page);
  await page.getByText("Your token expired or was revoked. Sign in again to go on where you were.").waitFor();
  await signIn(page, await createToken(desk.world.store, { organization: "o", name }));
  await rowsOf(page);
}

test("a review goes on with the next token of the organization, and names all that decided", async () => {
  const page = await reviewWithToken("audit, 2025");
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await replaceToken(page, "audit, 2025", '=the "next"');
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, "]);
  await rowOf(page, /Bo/).decision.selectOption("remove");
  await rowOf(page, /Ann/).comment.fill("x");
  const text = await save(page);
  expect(text.replace("\uFEFF", "").split("\r\n")[0]).toBe(
    `Rolebook report,decided with,"'=the ""next""","audit, 2025"`,
  );
  await replaceToken(page, '=the "next"', "");
  await marks(page).toHaveLength(2);
  // The file says it wherever it is read.
  const file = desk.world.file(text, "decided.csv");
  const said = await rolebook(["review", file, "--database", desk.world.url]);
  const decided =
    'The file says that whoever decided had the organization tokens "=the \\"next\\"" and "audit, 2025".';
  expect(said.stderr).toContain(decided);
  expect(said.status).toBe(0);
  const signed = join(summaries, "summary.html");
  const summary = ["--summary", signed, "--by", "Ann", "--database", desk.world.url];
  expect((await rolebook(["review", file, ...summary])).status).toBe(0);
  expect(readFileSync(signed, "utf8")).toContain(
    "organization token =the &quot;next&quot;, organization token audit, 2025",
  );
  await page.goto(desk.address);
  await page.getByLabel("A decided report", { exact: true }).setInputFiles(file);
  await page.getByText(decided).waitFor();
});

test("a mark that is changed names the token that changed it, and a token without a name is named by its id", async () => {
  const page = await reviewWithToken("first");
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await replaceToken(page, "first", "");
  const ids = (await listTokens(desk.world.store.engine)).filter(({ name }) => name === "");
  await rowOf(page, /Ann/).decision.selectOption("remove");
  const [head] = (await save(page)).replace("\uFEFF", "").split("\r\n");
  expect(head).toBe(`Rolebook report,decided with,${ids.at(-1)?.id}`);
});

test("the draft of a browser that stores nothing outlives its token", async () => {
  const page = await reviewWithToken("short");
  await page.addInitScript(BLOCKED);
  await page.reload();
  await rowsOf(page);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await replaceToken(page, "short", "long");
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, "]);
  await page.getByRole("alert").getByText("This browser does not keep the draft").waitFor();
  // Another member has no part in it.
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByRole("button", { name: "Discard and sign out" }).click();
  await signIn(page, await desk.token("bo"));
  await page.goto(`${desk.address}${ADDRESS}`);
  await rowsOf(page);
  await marks(page).toEqual([]);
});

/** Gives all marks, and the one earlier report, to another reviewer, as an earlier version of the page kept them. */
function giveTo(page: Page, ...reviewers: string[]): Promise<void> {
  return page.evaluate<void>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("rolebook");
    opening.addEventListener("success", () => {
      const transaction = opening.result.transaction(["marks", "earlier"], "readwrite");
      const marks = transaction.objectStore("marks");
      const reading = marks.getAll();
      reading.addEventListener("success", () => {
        marks.clear();
        for (const [at, reviewer] of ${JSON.stringify(reviewers)}.entries())
          for (const { tokens, ...mark } of reading.result)
            marks.put({ ...mark, reviewer, at: mark.at + at, comment: "of " + reviewer });
      });
      const earlier = transaction.objectStore("earlier");
      const cursors = earlier.openCursor();
      cursors.addEventListener("success", () => {
        const { result } = cursors;
        earlier.put(result.value, result.key.with(1, ${JSON.stringify(reviewers[0])}));
        result.delete();
      });
      transaction.addEventListener("complete", () => { opening.result.close(); resolve(); });
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
  })`);
}

test("drafts that belonged to single tokens are taken over, each row as it was decided last", async () => {
  const page = await reviewWithToken("now");
  const now = (await listTokens(desk.world.store.engine)).find(({ name }) => name === "now")?.id ?? "";
  await rowOf(page, /Ann/).decision.selectOption("keep");
  const text = await save(page);
  await page
    .getByLabel("An earlier report")
    .setInputFiles({ name: "last.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByText("Last time is revision").waitFor();
  await giveTo(page, `token/${now}`, "token/0123456789ab", "member/ann");
  await page.reload();
  await rowsOf(page);
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, of token/0123456789ab"]);
  await page.getByText("Last time is revision").waitFor();
  expect((await keptMarks(page)).map(({ reviewer, tokens }) => [reviewer, tokens])).toEqual([
    ["browser", ["0123456789ab"]],
    ["member/ann", undefined],
  ]);
});

test("drafts in local storage, where earlier versions kept them, are taken over", async () => {
  const page = await review(desk);
  const me = await desk.world.get("/explorer/me", await desk.token());
  const { tokenId }: { tokenId: string } = JSON.parse(me.body);
  const sheet = await desk.world.get("/explorer/report?space=one", await desk.token());
  const [, sha256] = /^sha256,(\w+)/m.exec(sheet.body) ?? [];
  const keep = (covers: string, draft: object) => {
    const key = ["rolebook.draft", "o", tokenId, covers].map(encodeURIComponent).join("/");
    const item = [key, JSON.stringify(draft)].map((text) => JSON.stringify(text));
    return page.evaluate(`localStorage.setItem(${item.join()})`);
  };
  const draft = {
    address: "?",
    saved: false,
    marks: { "space/one ann": { decision: "keep", comment: "x" } },
  };
  await keep("space one, members and guests, every role", { ...draft, sha256 });
  await keep("space two, members and guests, every role", {
    ...draft,
    sha256: "of other rows",
    marks: { "space/two ann": { decision: "keep", comment: "x" } },
  });
  await page.reload();
  await rowsOf(page);
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, x"]);
  expect(await page.evaluate<number>("localStorage.length")).toBe(0);
  // It cannot be told whether the row is as it was.
  await page.goto(`${desk.address}?space=two&tab=review`);
  await page.getByText("You decided keep on an earlier revision.").waitFor();
  await marks(page).toEqual(["Ann Lee, admin on Space two: , x"]);
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByText("2 decisions of a review are not saved to a file yet.").waitFor();
  await page.getByRole("button", { name: "Discard and sign out" }).click();
  await page.getByLabel("Access token").waitFor();
  expect(await keptMarks(page)).toEqual([]);
});

/** Has IndexedDB and local storage refuse, as they do where the reader blocks all cookies. */
const BLOCKED = `
  const refuse = () => { throw new DOMException("Access is denied for this document.", "SecurityError"); };
  Object.defineProperty(window, "localStorage", { get: refuse });
  IDBFactory.prototype.open = refuse;
`;

test("a browser that stores nothing says so, keeps the draft until it is saved, and asks before it closes", async () => {
  await desk.world.import(BEFORE);
  const page = await desk.visit("", { acceptDownloads: true });
  await page.addInitScript(BLOCKED);
  await page.goto(`${desk.address}${ADDRESS}`);
  await rowsOf(page);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await rowOf(page, /Ann/).comment.fill("x");
  await page.getByRole("alert").getByText("This browser does not keep the draft").waitFor();
  await page.getByRole("tab", { name: /Everyone/ }).click();
  await page.getByRole("tab", { name: "Review" }).click();
  await rowsOf(page);
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, x"]);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByText("1 decision of a review is not saved to a file yet.").waitFor();
  await page.getByRole("button", { name: "Stay signed in" }).click();
  expect(await save(page)).toContain(",keep,x\r\n");
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
});

test("a browser without room says so, and keeps all marks once there is room", async () => {
  await desk.world.import(BEFORE);
  const page = await desk.visit();
  const devtools = await page.context().newCDPSession(page);
  const room = (bytes?: number) =>
    devtools.send("Storage.overrideQuotaForOrigin", {
      origin: new URL(desk.address).origin,
      ...(bytes !== undefined && { quotaSize: bytes }),
    });
  await room(1);
  await page.goto(`${desk.address}${ADDRESS}`);
  await rowsOf(page);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await rowOf(page, /Bo/).decision.selectOption("ask");
  const full = page.getByRole("alert").getByText("This browser does not keep the draft");
  await full.waitFor();
  await room();
  await rowOf(page, /Cleo/).decision.selectOption("remove");
  await full.waitFor({ state: "hidden" });
  await page.reload();
  await rowsOf(page);
  await marks(page).toHaveLength(3);
});
