import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Program, rolebook } from "../../crash/program.ts";
import { Line } from "../../hostile/ask.ts";
import { usePostgres } from "../../postgres/use.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { type OpenPlace, sqlitePlace, World } from "../../world.ts";

const WORKERS = 3;
const TARGET = "/v1/spaces/a/permissions/aggregate";

/** A server with three workers, and a token for it. */
async function serving(world: World) {
  const token = await world.token(YEARLY);
  const program = new Program([
    "serve",
    "--port",
    "0",
    "--workers",
    String(WORKERS),
    "--database",
    world.url,
  ]);
  // Kills the server if the test fails; its workers end with it.
  onTestFinished(() => program.kill("SIGKILL"));
  const [, port = ""] = await program.says(/ at http:\S+:(\d+), with 3 workers"\}\n/);
  const ask = async (target: string, line = new Line(Number(port), 1)) => {
    try {
      return await line.ask({ method: "GET", target, headers: { authorization: `Bearer ${token}` } });
    } finally {
      line.close();
    }
  };
  return { program, port: Number(port), token, ask };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

function exercise(open: OpenPlace): void {
  let world: World;
  beforeAll(async () => {
    world = await World.open(open);
    await world.import(yearly(1));
  });
  afterAll(() => world.close());

  test("all processes answer, metrics are aggregated, and a process that dies is replaced", async () => {
    const { program, ask } = await serving(world);
    const { body } = await world.get(TARGET, await world.token(YEARLY));
    const answers = (text: string) =>
      [...text.matchAll(/^rolebook_http_request_duration_seconds_count\{route="\/v1\S+ (\d+)$/gm)]
        .map(([, count]) => Number(count))
        .reduce((sum, count) => sum + count, 0);
    for (let request = 0; request < 12; request++) {
      const { status, body: found } = await ask(TARGET);
      expect(status).toBe(200);
      expect(JSON.parse(found).items).toEqual(
        JSON.parse(
          JSON.stringify(JSON.parse(body).items).replaceAll("https://docs.example/api", ownUrl(found)),
        ),
      );
    }
    const { body: figures } = await ask("/metrics");
    expect(answers(figures)).toBe(12);
    // The number of organizations is not summed over the workers. Memory is: each process has at least 30 MB.
    expect(figures).toMatch(/^rolebook_organizations 1$/m);
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(figures)?.[1])).toBeGreaterThan(
      WORKERS * 30e6,
    );

    const before = childrenOf(program.pid);
    expect(before).toHaveLength(WORKERS);
    const [dying = 0] = before;
    process.kill(dying, "SIGKILL");
    await program.says(/A worker ended \(SIGKILL\) and will be replaced\."\}\n/);
    // The other workers still answer, because the port was never closed.
    for (let request = 0; request < 6; request++) expect((await ask(TARGET)).status).toBe(200);
    await program.says(/A new worker has replaced it/);
    expect(childrenOf(program.pid).filter((pid) => !before.includes(pid))).toHaveLength(1);

    program.kill("SIGTERM");
    const { status, stderr } = await program.ended;
    expect(status).toBe(0);
    const said = stderr
      .trimEnd()
      .split("\n")
      .map((line): { time: string; msg: string } => JSON.parse(line));
    expect(said.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^Rolebook serves .* with 3 workers$/),
      "A worker ended (SIGKILL) and will be replaced.",
      "A new worker has replaced it.",
      "Rolebook is stopping; it answers the accepted requests first",
      "Rolebook has stopped",
    ]);
  });

  test("SIGTERM: every accepted request gets a complete answer, then all processes end", async () => {
    const { program, port, token } = await serving(world);
    const workers = childrenOf(program.pid);
    const answers = new Map<number, number>();
    const callers = Array.from({ length: 9 }, async () => {
      const line = new Line(port, 1);
      try {
        for (;;) {
          const answer = await line
            .ask({ method: "GET", target: TARGET, headers: { authorization: `Bearer ${token}` } })
            .catch(unanswered);
          // Whoever asks later than the last call finds the connection closed: test/hostile/stop.test.ts has who does not.
          if (answer === undefined) return;
          const { status, headers, body } = answer;
          answers.set(status, (answers.get(status) ?? 0) + 1);
          expect(Buffer.byteLength(body)).toBe(Number(headers["content-length"]));
          if (status === 200) continue;
          expect([status, headers["retry-after"], headers.connection]).toEqual([503, "1", "close"]);
          return;
        }
      } finally {
        line.close();
      }
    });
    // Until every caller has received an answer and sent another request.
    await expect.poll(() => answers.get(200) ?? 0).toBeGreaterThan(9);
    program.kill("SIGTERM");
    await Promise.all(callers);
    expect((await program.ended).status).toBe(0);
    expect(answers.get(200)).toBeGreaterThan(9);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
}

/** Nothing, for a request whose connection was closed before an answer began. Throws any other error. */
function unanswered(error: unknown): undefined {
  const isClosed = error instanceof Error && "code" in error && CLOSED.includes(String(error.code));
  // Part of an answer was there.
  if (!isClosed || error.message === "aborted") throw error;
}

const CLOSED = ["ECONNRESET", "EPIPE", "ECONNREFUSED"];

function ownUrl(body: string): string {
  return /"(http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(body)?.[1] ?? "";
}

describe("on SQLite", () => exercise(sqlitePlace));

describe("on PostgreSQL", () => {
  const postgres = usePostgres();
  exercise(() => postgres.places.open());
});

test("why a server does not start is reported once", async () => {
  const failing = await rolebook(["serve", "--workers", "3", "--database", "postgres://127.0.0.1:1/none"]);
  expect([failing.status, failing.stderr.trim().split("\n").length]).toEqual([1, 1]);
  const wrong = await rolebook(["serve", "--workers", "0"]);
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    '--workers is "0"; accepted: a whole number from 1 to 128.\n',
  ]);
});
