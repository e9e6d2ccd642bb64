import { expect, test } from "vitest";
import { rolebook } from "../../../command.ts";

const NOT_UNDERSTOOD =
  "ROLEBOOK_DATABASE_URL: The database URL has a host that is not understood; accepted: HOST or HOST:PORT, an IPv6 address in brackets, an @ in a password as %40.";

test.each([
  [
    "db1,db2:5433",
    "ROLEBOOK_DATABASE_URL: The database URL has 2 hosts; accepted: one, such as that of a proxy in front of several servers (docs/scale.md).",
  ],
  ["db1:port", NOT_UNDERSTOOD],
  // A password with an @ that is not encoded.
  ["cret@db1", NOT_UNDERSTOOD],
  [
    "db1:70000",
    "ROLEBOOK_DATABASE_URL: The database URL has the port 70000; accepted: a whole number from 1 to 65535.",
  ],
])("a URL with %s is refused in one line, without credentials", async (hosts, message) => {
  for (const command of [["status"], ["database", "migrate"]]) {
    const ROLEBOOK_DATABASE_URL = `postgres://who:secret@${hosts}/rolebook`;
    const { status, stdout, stderr } = await rolebook(command, { ROLEBOOK_DATABASE_URL });
    expect([status, stdout, stderr]).toEqual([2, "", `${message}\n`]);
  }
});

test("parameters that choose among hosts are refused, with those that are accepted", async () => {
  const ROLEBOOK_DATABASE_URL = "postgres://who:secret@db1/rolebook?target_session_attrs=any";
  const { status, stderr } = await rolebook(["status"], { ROLEBOOK_DATABASE_URL });
  expect([status, stderr]).toEqual([
    2,
    'ROLEBOOK_DATABASE_URL: The database URL has the parameter "target_session_attrs"; accepted: connect_timeout, statement_timeout, pool_size, application_name, options, sslmode, sslrootcert, sslcert, sslkey, sslpassword.\n',
  ]);
});
