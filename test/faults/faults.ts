/**
 * Seeded faults: edits that each put one kind of error into the program, with the test that must see it. `run.ts` tries
 * them; whoever adds a kind of rule, list or guard adds one for it. A fault stands for a kind, so none is like another.
 */
export interface Fault {
  readonly name: string;
  /** The effect of the fault. */
  readonly what: string;
  readonly edits: readonly Edit[];
  /** The file of the test that must fail, and after it the full name of the test. */
  readonly test: string;
  /** The message of the failure: a test that fails for another reason proves nothing. */
  readonly says: RegExp;
}

/** The text occurs once in the file, and gives way to the replacement. White space does not count. */
export type Edit = readonly [file: string, text: string, replacement: string];

/** Where a text lies in a source, as pairs of its first place and the place behind it. White space does not count. */
export function places(source: string, text: string): readonly (readonly [from: number, to: number])[] {
  const bare = [...source.matchAll(/\S/g)];
  const within = bare.join("");
  const wanted = text.replaceAll(/\s/g, "");
  const found: [number, number][] = [];
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    found.push([bare[at]?.index ?? 0, (bare[at + wanted.length - 1]?.index ?? 0) + 1]);
  }
  return found;
}

export const FAULTS: readonly Fault[] = [
  {
    name: "byte-order",
    what: "ids are compared as UTF-16, not as bytes",
    edits: [
      ["src/domain/id.ts", "if (x !== y) return sortKey(x) - sortKey(y);", "if (x !== y) return x - y;"],
    ],
    test: "test/domain/id.test.ts > ids compare as their UTF-8 bytes do",
    says: /Property failed/,
  },
  {
    name: "tie-team",
    what: "of two teams with the same role the later one is named",
    edits: [
      [
        "src/domain/ladder.ts",
        "if (best === undefined || ahead > 0 || (ahead === 0 && id < best.id)) best = { id, role };",
        "if (best === undefined || ahead > 0 || (ahead === 0 && id > best.id)) best = { id, role };",
      ],
    ],
    test: "test/domain/ladder.test.ts > the ladder > of several teams the highest role counts; of equal ones the smallest id is named",
    says: /AssertionError: expected \{ role: 'review'/,
  },
  {
    name: "far-collection",
    what: "in a member's spaces, the collection around a content decides before the content itself",
    edits: [
      [
        "src/model/spaces.ts",
        "const given = own[x] ?? NOTHING;",
        "const given = (own[contents.parents[x] ?? -1] ?? NOTHING) || (own[x] ?? NOTHING);",
      ],
    ],
    test: "test/model/model.test.ts > the spaces of a member, in both orders",
    says: /Property failed/,
  },
  {
    name: "stroke-stays",
    what: "what a content paints is not undone behind it, and its neighbours seem to have it, too",
    edits: [
      ["src/model/everybody.ts", "while (this.#strokes > undo) {", "while (this.#strokes > undo + 1) {"],
    ],
    test: "test/model/everybody.test.ts > everybody has the roles of the oracle on every content, window by window",
    says: /Property failed/,
  },
  {
    name: "until-off-by-one",
    what: "a row holds one revision too long",
    edits: [
      [
        "src/store/rows/tables.ts",
        "(dialect) => `UPDATE ${name} SET until = $2 WHERE generation = $1 AND ${key(dialect)}`,",
        "(dialect) => `UPDATE ${name} SET until = $2 + 1 WHERE generation = $1 AND ${key(dialect)}`,",
      ],
    ],
    test: "test/store/rows/changes.test.ts > random changes, loaded as of each revision",
    says: /Error/,
  },
  {
    name: "part-left-behind",
    what: "a list that becomes too long for its row loses the entries of one part",
    edits: [
      [
        "src/store/rows/edit-rows.ts",
        "for (const stretch of rest) {",
        "for (const stretch of rest.slice(1)) {",
      ],
    ],
    test: "test/store/rows/changes.test.ts > lists that go on in parts, whatever comes and goes in them",
    says: /Error/,
  },
  {
    name: "window-end",
    what: "the last member of a window is not looked at",
    edits: [
      [
        "src/model/members.ts",
        "if (role === undefined ? code !== 0 : (code & ROLE) === role) found.push",
        "if (i < to - from - 1 && (role === undefined ? code !== 0 : (code & ROLE) === role)) found.push",
      ],
    ],
    test: "test/store/sqlite.test.ts > the embedded store > revisions > every list equals the oracle's, at every revision of a history",
    says: /AssertionError|Property failed/,
  },
  {
    name: "site-lowest",
    what: "of the roles on a site's spaces the lowest counts",
    edits: [
      [
        "src/model/members.ts",
        "if (word > (strongest[i] ?? 0)) strongest[i] = word;",
        "if (strongest[i] === 0 || word < (strongest[i] ?? 0)) strongest[i] = word;",
      ],
    ],
    test: "test/model/model.test.ts > the users of a site, each with the space from which the role comes",
    says: /Property failed/,
  },
  {
    name: "far-row",
    what: "on the way to a far row one row too few is counted of each stronger role",
    edits: [["src/explorer/server/listed.ts", "left -= here;", "left -= here - 1;"]],
    test: "test/explorer/server/far-rows.test.ts > a page can begin after any row of a list, by role, id or name, in any chunk",
    says: /&from=/,
  },
  {
    name: "foreign-page",
    what: "a page identifier of another listing is taken",
    edits: [
      [
        "src/http/page-identifier.ts",
        "let length = input.write(listing);",
        "let length = input.write(`${listing.length}`);",
      ],
    ],
    test: "test/http/requests.test.ts > pages > an identifier is valid for its listing: endpoint, path, filters and order, with defaults",
    says: /AssertionError: .*expected 200 to be 400/,
  },
  {
    name: "past-authorized-then",
    what: "who may list the past is asked of then",
    edits: [
      [
        "src/operations/authorize.ts",
        "if (member !== undefined && !isAdmin(now, member)) refuse(now, { organization, member }, asked, path);",
        "if (member !== undefined && !isAdmin(now, member)) refuse(then, { organization, member }, asked, path);",
      ],
    ],
    test: "test/http/past.test.ts > callers must be allowed to list now, and the subject must have existed then",
    says: /AssertionError: .*expected 200 to be 403/,
  },
  {
    name: "past-pruned-too-far",
    what: "a pruning deletes what ended one revision after the earliest",
    edits: [
      [
        "src/store/rows/prune.ts",
        "for (const table of ENDING_TABLES) await staging.erase(table, generation, { until: earliest });",
        "for (const table of ENDING_TABLES) await staging.erase(table, generation, { until: earliest + 1 });",
      ],
    ],
    test: "test/store/sqlite.test.ts > the embedded store > past > a pruning leaves the earliest revision complete, including rows that ended right after it",
    says: /AssertionError: expected .* to contain '"displayName":"two"'/,
  },
  {
    name: "verify-columns",
    what: "a default level that is not what the document says is not found",
    edits: [
      [
        "src/store/rows/verify.ts",
        "!isDeepStrictEqual(describedBy(content, document), [level, created, omitted])",
        "false",
      ],
    ],
    test: "test/cli/commands/verify.test.ts > verify says what is damaged, --repair what mends it, and an import of the file does",
    says: /AssertionError/,
  },
  {
    name: "verify-periods",
    what: "rows may name what ended before them",
    edits: [
      ["src/store/rows/verify.ts", "if (since > row.since || until < row.until)", "if (name === undefined)"],
    ],
    test: "test/store/sqlite.test.ts > the embedded store > verifying > DELETE FROM team_row WHERE until = 3",
    says: /AssertionError/,
  },
  {
    name: "mended-in-place",
    what: "an import keeps damaged rows that no record tells from whole ones",
    edits: [
      ["src/store/writing/file/difference.ts", "if (changes.length === 0) this.#isDamaged = true;", ""],
    ],
    test: "test/store/sqlite.test.ts > the embedded store > verifying > UPDATE content_row SET level = 6 WHERE id = 'space/s'",
    says: /AssertionError/,
  },
  {
    name: "forgotten-checksum",
    what: "the revisions of a forgotten person keep their checksums",
    edits: [["src/store/rows/forget.ts", "await connection.writeEach(RECOUNT, recounted);", ""]],
    test: "test/store/rows/past.test.ts > a former member is forgotten in every revision, which stay whole",
    says: /are not those that it had/,
  },
  {
    name: "sign-in-earlier",
    what: "an account is bound by who was a member a moment ago",
    edits: [["src/store/sign-ins.ts", "!isOf(current.at, candidates)", "candidates === undefined"]],
    test: "test/store/tokens/tokens.test.ts > on PostgreSQL > sessions > who joined a moment ago is found, in another process too, and makes an address ambiguous",
    says: /"several members"|several members/,
  },
  {
    name: "tenancy-unpublished",
    what: "a token is made for who is a member only in what is not published",
    edits: [
      [
        "src/store/rows/tables.ts",
        '`${holds("r")} AND r.id = given.value AND r.part = 0`',
        "`r.generation = $1 AND ($2 = 0 OR r.until = ${FOREVER}) AND r.id = given.value AND r.part = 0`",
      ],
    ],
    test: "test/tenancy/token-race.test.ts > a token is for a member of the current revision, whatever an import has written that is not published",
    says: /instead of rejecting/,
  },
  {
    name: "causes-undone",
    what: "a difference that is told from the later revision to the earlier one has other causes",
    edits: [
      [
        "src/model/comparison.ts",
        "return causesOf(changes, of, ...inTime(this.#comparison, had, has));",
        "return causesOf(changes, of, had, has);",
      ],
    ],
    test: "test/store/revisions/diff/agreement.test.ts > causes are those of the oracle wherever they are told, of one revision and of several",
    says: /Property failed/,
  },
  {
    name: "always-in",
    what: "whoever was in a list before counts as new in it",
    edits: [["src/model/newcomers.ts", "(p === ABSENT ? 0 : (then[p] ?? 0))", "0"]],
    test: "test/explorer/server/newcomers.test.ts > filtered by a time, every list has exactly its new rows, also in counts and files",
    says: /Property failed/,
  },
  {
    name: "difference-one-side",
    what: "a filter of a what-if or a comparison looks only at the first of the two roles",
    edits: [
      [
        "src/explorer/server/without.ts",
        "const lists = [whatIf.before, whatIf.after].map(",
        "const lists = [whatIf.before].map(",
      ],
    ],
    test: "test/explorer/server/difference-filters.test.ts > every filter of every list of differences selects the right rows",
    says: /AssertionError/,
  },
  {
    name: "difference-covered",
    what: "who is given something further down counts as changed by what is above",
    edits: [
      [
        "src/model/differences.ts",
        "if (before === after) this.#set(sheet, place, GIVEN[before * 4 + states] ?? KEEP);",
        "if (before === after) continue;",
      ],
    ],
    test: "test/store/revisions/diff/heirs.test.ts > a team's permission counts on every content below for whom nothing there decides, undone as well",
    says: /Property failed/,
  },
  {
    name: "cause-ignored",
    what: "of users with changed records of their own, differences with other causes than wanted count, too",
    edits: [["src/model/summary-causes.ts", "if (!isCounted) continue;", ""]],
    test: "test/explorer/server/changes.test.ts > a team's changes do not count people who differ on the same content for another reason",
    says: /to have a length of/,
  },
  {
    name: "changes-left-hanging",
    what: "the dependents of a removed record stay",
    edits: [
      [
        "src/store/writing/resolve/removals.ts",
        "else for (const owner of owners) countOn(owner, DEPENDENTS[dependent.kind] ?? dependent.kind);",
        "else if (owners.length > 2) for (const owner of owners) countOn(owner, DEPENDENTS[dependent.kind] ?? dependent.kind);",
      ],
    ],
    test: "test/snapshot/changes/file.test.ts > is refused with the reason: > dependents of a removed record",
    says: /expected \[\] to deeply equal/,
  },
  {
    name: "changes-stale-model",
    what: "what is in memory is believed after another process applied a change that touches it",
    edits: [
      [
        "src/store/model-memory.ts",
        "return `${organization} ${history}.${erasures}.${generation}.${revision}`;",
        "return `${organization} ${history}.${erasures}.${generation}.${revision > 0}`;",
      ],
    ],
    test: "test/snapshot/changes/served.test.ts > after each change by another process, every list equals the oracle's",
    says: /AssertionError: expected/,
  },
  {
    name: "guard-opening",
    what: "a space counts as closed if one of its sites closes it",
    edits: [["src/store/writing/guard.ts", "levels.every((level)", "levels.some((level)"]],
    test: "test/store/sqlite.test.ts > the embedded store > differences > opened contents are counted, however they open",
    says: /Property failed/,
  },
  {
    name: "crash-built-upon",
    what: "a change is made of what an import wrote in place before it was killed",
    edits: [["src/snapshot/changes/apply.ts", "await undoUnpublished(staging);", ""]],
    test: "test/store/rows/files.test.ts > a change after an import that died while it wrote in place is one of the state before it",
    says: /Error: The rows do not have what a changed record was/,
  },
  {
    name: "guard-short-memory",
    what: "what was closed and opened again within the hour counts as closed",
    edits: [
      [
        "src/store/writing/resolve/recent.ts",
        "return [...found.values()];",
        "return [...found.values()].filter(({ was, becomes }) => was !== becomes);",
      ],
    ],
    test: "test/snapshot/changes/follow.test.ts > openings add up, too, whatever was closed and opened again meanwhile",
    says: /AssertionError: expected .* to deeply equal/,
  },
  {
    name: "crash-half-undone",
    what: "of what an import wrote in place before it was killed, only the new rows are undone",
    edits: [
      [
        "src/store/rows/undo.ts",
        "await writeEach(connection, table.revive, [generation, revision], ids);",
        "",
      ],
    ],
    test: "test/crash/import.test.ts > killed while few rows change in place",
    says: /Error/,
  },
  {
    name: "form-of-file",
    what: "documents keep the order of fields of their file",
    edits: [
      [
        "src/snapshot/staging.ts",
        "for (const { name, form } of fields) { const value = given[name];",
        "for (const [name, value] of Object.entries(given)) { const form = fields.find((each) => each.name === name)?.form ?? ((same: unknown) => same);",
      ],
    ],
    test: "test/store/sqlite.test.ts > the embedded store > respelling > answers and exports do not depend on the spelling; each exported record has the order of the schema",
    says: /Property failed/,
  },
  {
    name: "crash-publish-apart",
    what: "each organization of an import is published by a transaction of its own",
    edits: [
      [
        "src/store/writing/publish.ts",
        "const one = await publishFile(connection, each, source, now);",
        'if (each !== written[0]) await connection.script("COMMIT; BEGIN IMMEDIATE"); const one = await publishFile(connection, each, source, now);',
      ],
    ],
    test: "test/crash/import.test.ts > killed before its first and last statement, and between",
    says: /Error: the organizations are in state-[01], state-[01]/,
  },
  {
    name: "plan-without-index",
    what: "all rows of a generation are read where those of some ids are asked for",
    edits: [
      [
        "src/store/rows/tables.ts",
        'FROM ${dialect.given(["text"], 2)} CROSS JOIN ${name} r',
        'FROM ${name} r CROSS JOIN ${dialect.given(["text"], 2)}',
      ],
    ],
    test: "test/store/engine/sqlite/plans.test.ts > every statement uses all index columns for which it has conditions",
    says: /AssertionError: expected .* to deeply equal/,
  },
  {
    name: "node-lost",
    what: "an error that a worker reports closes the connection to the coordinator",
    edits: [
      [
        "src/store/engine/postgres/connection.ts",
        'return !(error instanceof DatabaseError) || error.severity !== "ERROR" || error.code === READ_ONLY;',
        "return true;",
      ],
    ],
    test: "test/store/engine/postgres/node-lost.test.ts > a lost node: 503 for its organizations that are not in memory, over the same connections; others are served",
    says: /ArrayContaining|to deeply equal/,
  },
  {
    name: "tenancy-cache-key",
    what: "what was read of one revision is taken for another",
    edits: [
      [
        "src/store/cache.ts",
        "return `${name} ${history}.${erasures}.${generation}.${revision}:${key}`;",
        "return `${name} ${history}.${erasures}.${generation}.${revision > 0}:${key}`;",
      ],
    ],
    test: "test/store/cache.test.ts > repeatedly used values stay; kinds and revisions are separate",
    says: /promise resolved "\[ 'user 0', .* instead of rejecting/,
  },
  {
    name: "tenancy-late-token",
    what: "a token is made for who has just gone",
    edits: [
      [
        "src/store/tokens.ts",
        "return store.engine.transaction(async (connection) => {",
        'if ((await store.registry.organization(request.organization)) === undefined) throw new CommandError("There is none."); return store.engine.transaction(async (connection) => {',
      ],
      ["src/store/tokens.ts", "await mustBeThere(connection, organization, member);", ""],
    ],
    test: "test/tenancy/token-race.test.ts > a token that is created meanwhile for an organization that is removed",
    says: /Error: promise resolved .* instead of rejecting/,
  },
  {
    name: "revoked-token",
    what: "tokens stay in memory after they were revoked",
    edits: [
      [
        "src/store/revisions/registry.ts",
        "if (known !== undefined && this.#holds(known.token.organization, known.version)) return known;",
        "if (known !== undefined) return known;",
      ],
    ],
    test: "test/http/requests.test.ts > tokens > a revoked token is refused by the next request, cached pages or not",
    says: /AssertionError: expected 200 to be 401/,
  },
  {
    name: "organization-told",
    what: "a member who may not ask learns which id is that of the organization",
    edits: [
      [
        "src/http/listings.ts",
        "if (organizationId !== caller.organization && operation.further !== true)",
        "if (organizationId !== caller.organization)",
      ],
    ],
    test: "test/operations/asking.test.ts > who may ask, and what > in Acme, beside an organization with the same ids",
    says: /expected 404 to be 403/,
  },
  {
    name: "list-unchecked",
    what: "a list is sent to a caller who was not checked",
    edits: [
      [
        "src/http/listings.ts",
        "authorize(now, when === undefined ? now : then, caller, operation, path);",
        "authorize(now, when === undefined ? now : then, { ...caller, member: undefined }, operation, path);",
      ],
    ],
    test: "test/http/at-once.test.ts > an unauthorized caller does not get a page that others request at the same time",
    says: /to deeply equal/,
  },
  {
    name: "findings-shown-to-all",
    what: "everybody with a token sees what can be tidied up",
    edits: [["src/explorer/server/checks.ts", 'mustSeeAll(asking, "look for findings");', ""]],
    test: "test/explorer/server/callers.test.ts > the token of reader > tidy",
    says: /to be 403/,
  },
  {
    name: "sign-in-cross-site",
    what: "the session's cookie counts for requests of other sites",
    edits: [["src/http/sign-in/sessions.ts", "    mustBeOurPage(headers);\n", ""]],
    test: "test/http/sign-in/walk.test.ts > a request with the cookie and Sec-Fetch-Site cross-site gets 403",
    says: /to be 403/,
  },
  {
    name: "sign-in-white-space",
    what: "a cookie's name may have any white space before it",
    edits: [["src/http/sign-in/cookies.ts", ".map(trimmed)", ".map((pair) => pair.trim())"]],
    test: "test/http/sign-in/walk.test.ts > a name that begins with U+00A0, or a value that ends with it, is not ours",
    says: /to be 401/,
  },
  {
    name: "sign-in-unsealed",
    what: "nobody checks who wrote the cookie of a sign-in that has begun",
    edits: [["src/http/sign-in/attempt.ts", "|| !isEqual(hash, await this.#hash(sealed))", ""]],
    test: "test/http/sign-in/strangers.test.ts > a cookie without a hash sends nothing to the provider",
    says: /sign-in=again/,
  },
  {
    name: "sign-in-replayed",
    what: "an attempt is exchanged as often as it comes",
    edits: [["src/http/sign-in/attempt.ts", "if (this.#exchanged.has(state)) return false;", ""]],
    test: "test/http/sign-in/strangers.test.ts > an attempt is exchanged once a server, however many send it at once, and as long as it lasts",
    says: /to have a length of 1 /,
  },
  {
    name: "sign-in-crowded",
    what: "one address takes the turns of all who sign in",
    edits: [
      [
        "src/http/sign-in/exchanges.ts",
        "this.#running < MOST && running < MOST_OF_ADDRESS",
        "this.#running < MOST",
      ],
    ],
    test: "test/http/sign-in/exchanges.test.ts > two of one network at once, ten in all; of the others, those go first whose network began least",
    says: /to deeply equal \[ 'a1', 'a2' \]/,
  },
  {
    name: "sign-in-unsigned",
    what: "nobody checks the signature of ID tokens",
    edits: [["src/http/sign-in/provider.ts", "            client.enableNonRepudiationChecks,\n", ""]],
    test: "test/http/sign-in/walk.test.ts > an ID token with altered claims",
    says: /to be false/,
  },
  {
    name: "hostile-spelling",
    what: "a token is asked for only where /v1 is spelt out",
    edits: [
      [
        "src/http/admission.ts",
        'return name.includes("%") ? decodeURIComponent(name) : name;',
        "return name;",
      ],
    ],
    test: "test/hostile/wire.test.ts > targets > no spelling of /v1 avoids the token",
    says: /the message is not one that 500 may/,
  },
  {
    name: "load-never-let-go",
    what: "an answer whose caller has gone counts for ever",
    edits: [["src/http/exchange.ts", "load.send(this.#caller, -this.#unsent);", ""]],
    test: "test/hostile/load.test.ts > unread answers are limited in bytes, and released when their clients disconnect",
    says: /Error: expected 503 to be 200/,
  },
  {
    name: "files-left-open",
    what: "a file whose caller has gone keeps its consistent read open",
    edits: [["src/http/download.ts", "await parts.return();", ""]],
    test: "test/hostile/files.test.ts > of a caller who leaves before the file begins, nothing remains",
    says: /expected true to be false/,
  },
  {
    name: "input-cut-gzip",
    what: "a gzip that was cut counts as whole",
    edits: [
      [
        "src/snapshot/input.ts",
        "const gunzip = createGunzip({ chunkSize: CHUNK });",
        "const gunzip = createGunzip({ chunkSize: CHUNK, finishFlush: 2 });",
      ],
    ],
    test: "test/hostile/input/bytes.test.ts > a truncated or damaged gzip",
    says: /AssertionError: \d+ of \d+: expected /,
  },
  {
    name: "csv-lookalike",
    what: "a title in two Unicode forms becomes two contents that a person cannot tell apart",
    edits: [
      ["src/connectors/csv/kept.ts", "const text = nfc(reference);", "const text = reference;"],
      [
        "src/connectors/csv/kept.ts",
        "return this.#numbers.get(nfc(reference));",
        "return this.#numbers.get(reference);",
      ],
    ],
    test: "test/connectors/csv/lookalikes.test.ts > texts are compared in NFC > teams, sites, people and references are one",
    says: /Error/,
  },
  {
    name: "gitbook-opened",
    what: "a default level that is not understood lets everybody in, instead of nobody",
    edits: [
      [
        "src/connectors/gitbook/inventory.ts",
        "return roleIn(value, at, concerns) ?? null;",
        'return roleIn(value, at, concerns) ?? "inherit";',
      ],
    ],
    test: "test/connectors/gitbook/concerns.test.ts > role:everybody 2",
    says: /expected .* to deeply equal/,
  },
  {
    name: "gitbook-sites-uncompared",
    what: "what sites say is written, although GitBook has other roles on their spaces",
    edits: [["src/connectors/gitbook/verify.ts", ", ...spacesOfSpeakingSites(pulled)]", "]"]],
    test: "test/connectors/gitbook/sites.test.ts > a GitBook that takes the highest is refused, unless what sites say is left out",
    says: /expected .* to deeply equal/,
  },
  {
    name: "option-last-wins",
    what: "an option that is given twice silently keeps its last value, in commands of a group",
    edits: [
      [
        "src/cli/program.ts",
        "for (const option of command.options) if (!option.variadic) refuseTwice(command, option);",
        'for (const option of command.options) if (path.split(" ").length < 3 && !option.variadic) refuseTwice(command, option);',
      ],
    ],
    test: "test/cli/options.test.ts > token create --name is refused if it is given twice",
    says: /is given twice; accepted: once/,
  },
  {
    name: "review-own-hash",
    what: "a decided report with edited cells and a new hash in its head counts as unaltered",
    edits: [
      [
        "src/review/decided-report.ts",
        "if (before === undefined) return { altered: report.altered, named: [] };",
        "if (before === undefined || report.altered === undefined) return { altered: report.altered, named: [] };",
      ],
    ],
    test: "test/review/altered.test.ts > cells and rows that differ are named, and rows that were only sorted are not",
    says: /AssertionError/,
  },
  {
    name: "review-alone",
    what: "of proposals that are counted together, one permission of each content is taken away",
    edits: [
      [
        "src/model/without.ts",
        "const name = `${content} ${JSON.stringify(grantee)}`;",
        "const name = content;",
      ],
    ],
    test: "test/review/removals.test.ts > removes what affects nobody else, and previews its effect",
    says: /Property failed/,
  },
  {
    name: "tidy-changes-a-role",
    what: "two permissions that stand for each other both go",
    edits: [["src/review/redundant.ts", "    rest.remove(teamOf(g));\n", ""]],
    test: "test/review/tidy.test.ts > of permissions that replace each other, one remains, also in several chunks",
    says: /AssertionError: expected/,
  },
  {
    name: "rules-ended-exception",
    what: "an exception that ended still counts",
    edits: [["src/review/resolve.ts", "if (until < day) {", 'if (until < "") {']],
    test: "test/cli/commands/review.test.ts > a check prints the output of the page for its rules",
    says: /AssertionError: expected/,
  },
  {
    name: "draft-of-token",
    what: "a draft that an organization token made is gone with the token",
    edits: [
      [
        "src/explorer/page/views/review/marks.ts",
        "reviewer: BROWSER, tokens: [caller.token || tokenId] };",
        "reviewer: `token/${tokenId}`, tokens: [caller.token || tokenId] };",
      ],
    ],
    test: "test/explorer/page/views/review/kept-drafts.test.ts > a review goes on with the next token of the organization, and names all that decided",
    says: /Error: expected \[\] to deeply equal/,
  },
  {
    name: "sign-off-file",
    what: "the sign-off page names a file that was not saved",
    edits: [
      ["src/explorer/page/views/review/Afterwards.tsx", "{ by, file });", "{ by, file: `${name}.csv` });"],
    ],
    test: "test/explorer/page/views/review/sign-off.test.ts > the sign-off page names the saved sheet, and its commands count the rows of this file",
    says: /AssertionError: expected 'review of revision/,
  },
  {
    name: "formula-behind-space",
    what: "a formula behind white space stays one in a CSV file",
    edits: [["src/domain/cell.ts", "(?:[\\s\\p{White_Space}]*[=", "(?:[="]],
    test: "test/hostile/spreadsheet.test.ts > white space before the first sign of a formula changes nothing, and readers get every cell back",
    says: /AssertionError: expected/,
  },
  {
    name: "rules-misspelt",
    what: "a name that never was there is taken for somebody who left",
    edits: [
      [
        "src/review/resolve.ts",
        "const misspelt = anyName ? undefined : await names.misspeltAmong(absent);",
        "const misspelt = anyName ? await names.misspeltAmong(absent) : undefined;",
      ],
    ],
    test: "test/review/gone.test.ts > after somebody left > a name that never was there is misspelt, and stays so",
    says: /AssertionError: expected/,
  },
  {
    name: "review-below-fallen",
    what: "who fell, but not beneath what the report covers, counts as removed",
    edits: [
      [
        "src/review/decided-report.ts",
        "isRole(was) && atLeast(was, weakest) && !atLeast(now, weakest)",
        "isRole(was) && atLeast(was, weakest) && !atLeast(now, was)",
      ],
    ],
    test: "test/review/below.test.ts > a report with --least edit > afterwards > says who fell beneath edit; who rose, is a member now or has another source is not done",
    says: /AssertionError: expected/,
  },
  {
    name: "draft-of-row",
    what: "a page of an older revision overwrites what was decided on a newer one",
    edits: [
      [
        "src/explorer/page/views/review/marks.ts",
        'const KEY = ["organization", "reviewer", "covers", "row", "role", "reason"] as const;',
        'const KEY = ["organization", "reviewer", "covers", "row"] as const;',
      ],
    ],
    test: "test/explorer/page/views/review/drafts.test.ts > a tab that was opened before an import overwrites nothing that was decided after it",
    says: /to deeply equal/,
  },
  {
    name: "keys-of-fields",
    what: "a list takes the keys of a comment in its rows",
    edits: [
      [
        "src/explorer/page/parts/keys.ts",
        'const FIELDS = "input, select, textarea";',
        'const FIELDS = "select";',
      ],
    ],
    test: "test/accessibility/fields.test.ts > in a comment, Home and End go to its ends, and no arrow leaves it",
    says: /to deeply equal/,
  },
  {
    name: "removal-unmarked",
    what: "an interrupted removal leaves no mark",
    edits: [["src/store/revisions/organizations.ts", "await connection.write(BEGIN, removalOf(id));", ""]],
    test: "test/removal/removal.test.ts > killed at any moment, the next run completes it",
    says: /AssertionError: expected \[ \d+, \[\] \] to deeply equal \[ \+?0, \[\] \]/,
  },
  {
    name: "forgotten-in-memory",
    what: "a model with a forgotten person is used again",
    edits: [["src/store/model-memory.ts", "${history}.${erasures}.", "${history}."]],
    test: "test/removal/serving.test.ts > servers that have sent a person and an organization send nothing of them when they are gone",
    says: /AssertionError/,
  },
  {
    name: "alerts-no-contact",
    what: "an import that changes nothing leaves no trace",
    edits: [
      [
        "src/store/writing/publish.ts",
        "await confirm(connection, organization, source, new Date(now).toISOString());",
        "",
      ],
    ],
    test: "test/alerts/alerts.test.ts > imports that change nothing raise no alert, however old the directory is; missing imports do",
    says: /AssertionError: expected \d+/,
  },
  {
    name: "shipped-code-lost",
    what: "the build takes out a statement whose value nobody reads: only what ships is wrong, the sources are right",
    edits: [
      [
        "scripts/build.js",
        '.replaceAll(/(?<=\\b(?:from|import)[\\s(]*")(\\.{1,2}\\/[^"\\n]+)\\.ts(?=")/g, "$1.js");',
        '.replaceAll(/ decodeURIComponent\\(name\\);$/gm, " {}") .replaceAll(/(?<=\\b(?:from|import)[\\s(]*")(\\.{1,2}\\/[^"\\n]+)\\.ts(?=")/g, "$1.js");',
      ],
    ],
    test: "test/http/requests.test.ts > the order of refusals > 401 before 404, 405 and 400",
    says: /%zz.*expected 400 to be 401/,
  },
  {
    name: "mode-by-umask",
    what: "SQLite creates a file, so that the umask says who may read it",
    edits: [
      ["src/store/engine/sqlite/staging.ts", "createForSqlite(this.#file);", ""],
      ["src/store/engine/sqlite/staging.ts", 'import { createForSqlite } from "./file.ts";', ""],
    ],
    test: "test/hostile/umask.test.ts > umask 000 > a new database, its log, its lock and its temporary file",
    says: /expected \{ …\(2\) \} to deeply equal/,
  },
  {
    name: "device-replaced",
    what: "an output option replaces what is not a file",
    edits: [["src/snapshot/output.ts", "found === undefined || found.isFile()]", "true]"]],
    test: "test/hostile/output.test.ts > convert csv --output > writes into a named pipe, which stays",
    says: /expected false to be true/,
  },
  {
    name: "blank-without-end",
    what: "input that costs its sender nothing is read to its end",
    edits: [
      [
        "src/snapshot/input.ts",
        "else if ((blank += Buffer.byteLength(text) + 1) > MOST_BLANK) throw tooBlank(first);",
        "",
      ],
    ],
    test: "test/hostile/input/bytes.test.ts > a mebibyte of blank lines between two records, and no more",
    says: /it was imported/,
  },
  {
    name: "texts-written-over",
    what: "two next models of one model append to the same bytes",
    edits: [["src/model/texts.ts", "else written.set(bytes, to + length);", ""]],
    test: "test/model/patch.test.ts > what is appended twice to the same texts stays apart",
    says: /to deeply equal/,
  },
  {
    name: "taken-over",
    what: "the next model takes over a sheet that a changed permission touches",
    edits: [
      [
        "src/model/members.ts",
        ', "permission"],\n  () => new Map<number, Uint8Array>(),',
        "],\n  () => new Map<number, Uint8Array>(),",
      ],
    ],
    test: "test/model/next.test.ts > a rare role is looked for anew after a change of a permission",
    says: /to deeply equal/,
  },
];
