import { describe, expect } from "vitest";
import { usePostgres } from "../../postgres/use.ts";
import { sqlitePlace } from "../../world.ts";
import { exerciseLastUsed } from "./last-used.ts";
import { exerciseRotation } from "./rotate.ts";
import { exerciseSessions } from "./sessions.ts";

describe("on SQLite", () => {
  describe("last used", () => exerciseLastUsed(sqlitePlace));
  describe("rotation", () => exerciseRotation(sqlitePlace));
  describe("sessions", () => exerciseSessions(sqlitePlace));
});

describe("on PostgreSQL", () => {
  const postgres = usePostgres();
  // The URL of a place ends with its options, so another option can be appended.
  const readOnly = (url: string) => url + encodeURIComponent(" -c default_transaction_read_only=on");
  const waiting = () => postgres.server.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  describe("last used", () => exerciseLastUsed(() => postgres.places.open(), readOnly));
  describe("rotation", () => exerciseRotation(() => postgres.places.open()));
  describe("sessions", () =>
    exerciseSessions(
      () => postgres.places.open(),
      () => expect.poll(waiting).not.toEqual([]),
    ));
});
