CREATE TABLE catalog (
      generation bigint NOT NULL,
      list text NOT NULL,
      position text NOT NULL,     -- by title and id; of team/ID by role, strongest first, and content
      thing text NOT NULL,        -- a content key, or site/ID
      until bigint NOT NULL,
      since bigint NOT NULL,
      own smallint NOT NULL,         -- 1: something is set on that very content, 0: nothing
      PRIMARY KEY (generation, list, position, until)
    ) WITHOUT ROWID;
CREATE TABLE chunk (
      generation bigint NOT NULL,
      universe smallint NOT NULL,
      chunk bigint NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      lowest text NOT NULL,       -- holds the keys from here up to the next chunk's; '' in the first
      slots blob,                -- the slots in the order of their keys; null while that is their own order
      used smallint NOT NULL,        -- how many slots were ever given: the first ones
      PRIMARY KEY (generation, universe, chunk, until)
    ) WITHOUT ROWID;
CREATE TABLE container (
      generation bigint NOT NULL,
      universe smallint NOT NULL,
      chunk bigint NOT NULL,
      name text NOT NULL,         -- see set-names.ts
      until bigint NOT NULL,
      since bigint NOT NULL,
      bits blob NOT NULL,
      PRIMARY KEY (generation, universe, chunk, name, until)
    ) WITHOUT ROWID;
CREATE TABLE content (
      generation bigint NOT NULL,
      id text NOT NULL,           -- a content key: space/ID or collection/ID
      until bigint NOT NULL,
      since bigint NOT NULL,
      parent text,
      title text NOT NULL,
      level smallint NOT NULL,       -- the default level: rank of a role, 0 closed, -1 inherit
      depth smallint NOT NULL,       -- of a collection: how many lie above it
      position bigint,               -- of a space
      doc text,                   -- of a collection: its record
      look text NOT NULL,         -- of a space, for the explorer: visibility and emoji, "private 🧭"
      PRIMARY KEY (generation, id, until)
    ) WITHOUT ROWID;
CREATE TABLE counter (name text PRIMARY KEY, value bigint NOT NULL);
CREATE TABLE generation (        -- the generations of which there may be rows
      generation bigint PRIMARY KEY,
      organization text NOT NULL
    );
CREATE TABLE line_hash (
      generation bigint NOT NULL,
      number bigint NOT NULL,
      revision bigint NOT NULL,      -- of which the lines are
      hashes blob NOT NULL,      -- of some lines, and of what names their records
      PRIMARY KEY (generation, number)
    ) WITHOUT ROWID;
CREATE TABLE member (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      id text NOT NULL,
      role smallint NOT NULL,        -- rank of the organization role, 0 for a guest
      teams text NOT NULL,        -- ids, separated by spaces; "*" where they are many
      grants text NOT NULL,       -- "space/docs 4,collection/it 1"; "*" where they are many
      doc text NOT NULL,          -- the user as sent, without what is filled in
      omitted smallint NOT NULL,     -- which fields are filled in, a bit each
      PRIMARY KEY (generation, position, until)
    ) WITHOUT ROWID;
CREATE TABLE migration (number integer PRIMARY KEY, applied_at text NOT NULL);
CREATE TABLE organization (
      id text PRIMARY KEY,
      revision bigint NOT NULL,      -- the current one
      earliest bigint NOT NULL,      -- the earliest that can be read
      pruned_at text,             -- when the earliest was last raised
      erasures bigint NOT NULL,      -- how often somebody was erased from its past
      file_at text,               -- when a whole file last went through, one that changed nothing too
      change_at text,             -- the same of a change file
      confirmed_at text           -- the later of the two
    );
CREATE TABLE place (
      generation bigint NOT NULL,
      universe smallint NOT NULL,
      key text NOT NULL,
      position bigint NOT NULL,
      PRIMARY KEY (generation, universe, key, position)
    ) WITHOUT ROWID;
CREATE TABLE record_change (
      generation bigint NOT NULL,
      revision bigint NOT NULL,      -- 0: the first one of the generation
      number bigint NOT NULL,
      kind smallint NOT NULL,        -- its place in KINDS
      member text,
      team text,
      content text,
      site text,
      was text,                   -- what the record said beside what names it; null where there was none
      becomes text,
      PRIMARY KEY (generation, revision, number)
    ) WITHOUT ROWID;
CREATE TABLE revision (          -- published ones; a revision is the state of an organization after a change
      revision bigint PRIMARY KEY,
      organization text NOT NULL,
      generation bigint NOT NULL,    -- its rows lie there
      title text NOT NULL,
      counts text NOT NULL,       -- JSON: records of each kind
      imported_at text NOT NULL,
      command text NOT NULL,      -- which made it
      note text,
      input text,                 -- SHA-256 of what was read, hexadecimal
      change text                 -- the id of the change file
    );
CREATE TABLE rule_result (       -- how the rules of an organization stood when they were last checked
      organization text NOT NULL,
      place integer NOT NULL,        -- in the order of their file
      rule text NOT NULL,         -- in its own words
      breaches bigint,               -- null where it could not be asked
      revision bigint NOT NULL,
      checked_at text NOT NULL,
      PRIMARY KEY (organization, place)
    );
CREATE TABLE search (
      generation bigint NOT NULL,
      entry text NOT NULL,
      thing text NOT NULL,        -- a content key, site/ID, member/ID or team/ID
      PRIMARY KEY (generation, entry, thing)
    ) WITHOUT ROWID;
CREATE TABLE site (
      generation bigint NOT NULL,
      id text NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      title text NOT NULL,
      PRIMARY KEY (generation, id, until)
    ) WITHOUT ROWID;
CREATE TABLE site_space (
      generation bigint NOT NULL,
      site text NOT NULL,
      space text NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      PRIMARY KEY (generation, site, space, until)
    ) WITHOUT ROWID;
CREATE TABLE space (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      key text NOT NULL,          -- creation and id as one text that sorts by both
      doc text NOT NULL,          -- the space as sent, without what is filled in
      omitted smallint NOT NULL, parent text, level smallint NOT NULL DEFAULT 0, teams text NOT NULL DEFAULT '',     -- which fields are filled in, a bit each
      PRIMARY KEY (generation, position, until)
    ) WITHOUT ROWID;
CREATE TABLE team (
      generation bigint NOT NULL,
      id text NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      title text NOT NULL,
      folded text NOT NULL,       -- the title, folded for search
      doc text NOT NULL,
      members bigint NOT NULL,
      spaces bigint NOT NULL,
      PRIMARY KEY (generation, id, until)
    ) WITHOUT ROWID;
CREATE TABLE team_grant (
      generation bigint NOT NULL,
      content text NOT NULL,
      team text NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      role smallint NOT NULL,
      PRIMARY KEY (generation, content, team, until)
    ) WITHOUT ROWID;
CREATE TABLE team_member (
      generation bigint NOT NULL,
      position bigint NOT NULL,      -- of the member
      team text NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      role text NOT NULL,         -- owner or member
      PRIMARY KEY (generation, position, team, until)
    ) WITHOUT ROWID;
CREATE TABLE token (
      id text PRIMARY KEY,
      hash text NOT NULL UNIQUE,  -- SHA-256 of the token, hexadecimal
      organization text NOT NULL,
      member text,                -- null: an organization token
      name text NOT NULL,
      created_at text NOT NULL,
      expires_at text,
      lifetime bigint,               -- milliseconds from creation to expiry, when it was made
      replaced_by text,           -- id of the token that takes its place
      last_used_at text           -- the beginning of that hour
    );
CREATE TABLE user_grant (
      generation bigint NOT NULL,
      position bigint NOT NULL,      -- of the member
      content text NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      role smallint NOT NULL,
      PRIMARY KEY (generation, position, content, until)
    ) WITHOUT ROWID;
CREATE INDEX catalog_ended ON catalog (generation, until) WHERE until < 9007199254740991;
CREATE INDEX chunk_ended ON chunk (generation, until) WHERE until < 9007199254740991;
CREATE INDEX chunk_of_key ON chunk (generation, universe, lowest);
CREATE INDEX container_ended ON container (generation, until) WHERE until < 9007199254740991;
CREATE INDEX content_ended ON content (generation, until) WHERE until < 9007199254740991;
CREATE INDEX member_ended ON member (generation, until) WHERE until < 9007199254740991;
CREATE INDEX record_change_of_content ON record_change (generation, content, revision) WHERE content IS NOT NULL;
CREATE INDEX record_change_of_member ON record_change (generation, member, revision) WHERE member IS NOT NULL;
CREATE INDEX record_change_of_team ON record_change (generation, team, revision) WHERE team IS NOT NULL;
CREATE INDEX revision_by_time ON revision (organization, imported_at);
CREATE INDEX revision_of_change ON revision (organization, change) WHERE change IS NOT NULL;
CREATE INDEX revision_of_generation ON revision (generation);
CREATE INDEX revision_of_organization ON revision (organization, revision);
CREATE INDEX site_ended ON site (generation, until) WHERE until < 9007199254740991;
CREATE INDEX site_space_ended ON site_space (generation, until) WHERE until < 9007199254740991;
CREATE INDEX space_ended ON space (generation, until) WHERE until < 9007199254740991;
CREATE INDEX team_ended ON team (generation, until) WHERE until < 9007199254740991;
CREATE INDEX team_grant_ended ON team_grant (generation, until) WHERE until < 9007199254740991;
CREATE INDEX team_grant_of_team ON team_grant (generation, team, content);
CREATE INDEX team_member_ended ON team_member (generation, until) WHERE until < 9007199254740991;
CREATE INDEX user_grant_ended ON user_grant (generation, until) WHERE until < 9007199254740991;
INSERT INTO catalog VALUES (1, 'in/', '0handbookc', 'collection/c', 2, 0, 0);
INSERT INTO catalog VALUES (1, 'in/', '0handbookc', 'collection/c', 3, 2, 0);
INSERT INTO catalog VALUES (1, 'in/', '0handbookc', 'collection/c', 6, 3, 0);
INSERT INTO catalog VALUES (1, 'in/', '0handbookc', 'collection/c', 9007199254740991, 6, 0);
INSERT INTO catalog VALUES (1, 'in/', '1plainplain', 'space/plain', 9007199254740991, 0, 0);
INSERT INTO catalog VALUES (1, 'in/c', '1docss', 'space/s', 2, 0, 1);
INSERT INTO catalog VALUES (1, 'in/c', '1docss', 'space/s', 3, 2, 1);
INSERT INTO catalog VALUES (1, 'in/c', '1docss', 'space/s', 4, 3, 1);
INSERT INTO catalog VALUES (1, 'in/c', '1docs, news', 'space/s', 9007199254740991, 4, 1);
INSERT INTO catalog VALUES (1, 'loose', '0handbookc', 'collection/c', 2, 0, 0);
INSERT INTO catalog VALUES (1, 'loose', '0handbookc', 'collection/c', 3, 2, 0);
INSERT INTO catalog VALUES (1, 'loose', '0handbookc', 'collection/c', 6, 3, 0);
INSERT INTO catalog VALUES (1, 'loose', '0handbookc', 'collection/c', 9007199254740991, 6, 0);
INSERT INTO catalog VALUES (1, 'loose', '1docss', 'space/s', 2, 0, 1);
INSERT INTO catalog VALUES (1, 'loose', '1docss', 'space/s', 3, 2, 1);
INSERT INTO catalog VALUES (1, 'loose', '1docss', 'space/s', 4, 3, 1);
INSERT INTO catalog VALUES (1, 'loose', '1docs, news', 'space/s', 9007199254740991, 4, 1);
INSERT INTO catalog VALUES (1, 'loose', '1plainplain', 'space/plain', 9007199254740991, 0, 0);
INSERT INTO catalog VALUES (1, 'team/t', '3/space/s', 'space/s', 9007199254740991, 0, 0);
INSERT INTO chunk VALUES (1, 0, 0, 9007199254740991, 0, '', NULL, 4);
INSERT INTO chunk VALUES (1, 1, 0, 9007199254740991, 0, '', NULL, 2);
INSERT INTO container VALUES (1, 0, -1, 'role/admin', 9007199254740991, 0, X'0000000000000000');
INSERT INTO container VALUES (1, 0, -1, 'role/comment', 5, 0, X'0000000003000000');
INSERT INTO container VALUES (1, 0, -1, 'role/read', 9007199254740991, 0, X'000000000100000002000000');
INSERT INTO container VALUES (1, 0, -1, 'team/t/', 9007199254740991, 0, X'0000000001000000');
INSERT INTO container VALUES (1, 1, -1, 'end/organization', 9007199254740991, 0, X'000000000000000001000000');
INSERT INTO container VALUES (1, 1, -1, 'team/t/edit', 9007199254740991, 0, X'0000000001000000');
INSERT INTO container VALUES (1, 1, -1, 'under/c/', 9007199254740991, 0, X'0000000001000000');
INSERT INTO content VALUES (1, 'collection/c', 2, 0, NULL, 'Handbook', -1, 0, NULL, '{"object":"collection","id":"c","organization":"o","title":"Handbook"}', '');
INSERT INTO content VALUES (1, 'collection/c', 3, 2, NULL, 'Handbook', -1, 0, NULL, '{"object":"collection","defaultLevel":"inherit","title":"Handbook","organization":"o","id":"c"}', '');
INSERT INTO content VALUES (1, 'collection/c', 6, 3, NULL, 'Handbook', -1, 0, NULL, '{"object":"collection","id":"c","organization":"o","title":"Handbook"}', '');
INSERT INTO content VALUES (1, 'collection/c', 9007199254740991, 6, NULL, 'Handbook', -1, 0, NULL, '{"title":"Handbook","id":"c","object":"collection","organization":"o"}', '');
INSERT INTO content VALUES (1, 'space/plain', 9007199254740991, 0, NULL, 'Plain', -1, 0, 0, NULL, 'private');
INSERT INTO content VALUES (1, 'space/s', 2, 0, 'collection/c', 'Docs', -1, 0, 1, NULL, 'private');
INSERT INTO content VALUES (1, 'space/s', 3, 2, 'collection/c', 'Docs', -1, 0, 1, NULL, 'private');
INSERT INTO content VALUES (1, 'space/s', 4, 3, 'collection/c', 'Docs', -1, 0, 1, NULL, 'private');
INSERT INTO content VALUES (1, 'space/s', 9007199254740991, 4, 'collection/c', 'Docs, new', -1, 0, 1, NULL, 'private');
INSERT INTO counter VALUES ('revision', 6);
INSERT INTO counter VALUES ('generation', 1);
INSERT INTO counter VALUES ('history', 9007199254740991);
INSERT INTO counter VALUES ('change', 72406496017762);
INSERT INTO counter VALUES ('reset', 155689301359394);
INSERT INTO generation VALUES (1, 'o');
INSERT INTO member VALUES (1, 0, 2, 0, 'ana', 6, '', '', '{"object":"user","id":"ana","displayName":"ANA","email":"ana@o.example"}', 768);
INSERT INTO member VALUES (1, 0, 9007199254740991, 2, 'ana', 6, '', '', '{"object":"user","email":"ana@o.example","id":"ana","displayName":"ANA"}', 768);
INSERT INTO member VALUES (1, 1, 2, 0, 'ben', 1, 't', '', '{"object":"user","id":"ben","displayName":"BEN","email":"ben@o.example"}', 768);
INSERT INTO member VALUES (1, 1, 6, 2, 'ben', 1, 't', '', '{"object":"user","email":"ben@o.example","id":"ben","displayName":"BEN"}', 768);
INSERT INTO member VALUES (1, 1, 9007199254740991, 6, 'ben', 1, 't', '', '{"object":"user","displayName":"BEN","email":"ben@o.example","id":"ben"}', 768);
INSERT INTO member VALUES (1, 2, 2, 0, 'cleo', 1, '', '', '{"object":"user","id":"cleo","displayName":"CLEO","email":"cleo@o.example"}', 768);
INSERT INTO member VALUES (1, 2, 9007199254740991, 2, 'cleo', 1, '', '', '{"object":"user","email":"cleo@o.example","id":"cleo","displayName":"CLEO"}', 768);
INSERT INTO member VALUES (1, 3, 4, 0, 'dora', 2, '', '', '{"object":"user","id":"dora","displayName":"dora"}', 768);
INSERT INTO member VALUES (1, 3, 5, 4, 'dora', 2, '', '', '{"object":"user","id":"dora","displayName":"dora"}', 768);
INSERT INTO migration VALUES (3, '2026-11-23T07:00:04.047Z');
INSERT INTO migration VALUES (4, '2026-11-23T07:00:04.048Z');
INSERT INTO migration VALUES (5, '2026-11-23T07:00:04.057Z');
INSERT INTO organization VALUES ('o', 6, 1, NULL, 1, '2026-11-23T07:00:08.571Z', '2026-11-23T07:00:15.184Z', '2026-11-23T07:00:15.184Z');
INSERT INTO place VALUES (1, 0, 'ana', 0);
INSERT INTO place VALUES (1, 0, 'ben', 1);
INSERT INTO place VALUES (1, 0, 'cleo', 2);
INSERT INTO place VALUES (1, 0, 'dora', 3);
INSERT INTO place VALUES (1, 1, '063934477200000/plain', 0);
INSERT INTO place VALUES (1, 1, '063934477200000/s', 1);
INSERT INTO record_change VALUES (1, 2, 1, 1, 'ana', NULL, NULL, NULL, '{"object":"user","id":"ana","displayName":"ANA","email":"ana@o.example"}', '{"object":"user","email":"ana@o.example","id":"ana","displayName":"ANA"}');
INSERT INTO record_change VALUES (1, 2, 2, 1, 'ben', NULL, NULL, NULL, '{"object":"user","id":"ben","displayName":"BEN","email":"ben@o.example"}', '{"object":"user","email":"ben@o.example","id":"ben","displayName":"BEN"}');
INSERT INTO record_change VALUES (1, 2, 3, 1, 'cleo', NULL, NULL, NULL, '{"object":"user","id":"cleo","displayName":"CLEO","email":"cleo@o.example"}', '{"object":"user","email":"cleo@o.example","id":"cleo","displayName":"CLEO"}');
INSERT INTO record_change VALUES (1, 2, 4, 3, NULL, 't', NULL, NULL, '{"object":"team","id":"t","title":"Team","createdAt":"2026-01-01T09:00:00.000Z"}', '{"createdAt":"2026-01-01T09:00:00.000Z","object":"team","title":"Team","id":"t"}');
INSERT INTO record_change VALUES (1, 2, 5, 5, NULL, NULL, 'collection/c', NULL, '{"object":"collection","id":"c","organization":"o","title":"Handbook"}', '{"object":"collection","defaultLevel":"inherit","title":"Handbook","organization":"o","id":"c"}');
INSERT INTO record_change VALUES (1, 2, 6, 6, NULL, NULL, 'space/s', NULL, '{"object":"space","id":"s","organization":"o","title":"Docs","createdAt":"2026-01-01T09:00:00.000Z","updatedAt":"2026-01-01T09:00:00.000Z","parent":"c","gitSync":{"repoName":"r/s","updatedAt":"2026-01-01T09:00:00.000Z"},"urls":{"location":"https://o.example/s","published":"https://o.example/p"}}', '{"object":"space","comments":0,"visibility":"private","emoji":"","updatedAt":"2026-01-01T09:00:00.000Z","createdAt":"2026-01-01T09:00:00.000Z","gitSync":{"updatedAt":"2026-01-01T09:00:00.000Z","repoName":"r/s"},"title":"Docs","organization":"o","parent":"c","defaultLevel":"inherit","id":"s","urls":{"published":"https://o.example/p","location":"https://o.example/s"}}');
INSERT INTO record_change VALUES (1, 3, 1, 3, NULL, 't', NULL, NULL, '{"createdAt":"2026-01-01T09:00:00.000Z","object":"team","title":"Team","id":"t"}', '{"object":"team","id":"t","title":"Team","createdAt":"2026-01-01T09:00:00.000Z"}');
INSERT INTO record_change VALUES (1, 3, 2, 5, NULL, NULL, 'collection/c', NULL, '{"object":"collection","defaultLevel":"inherit","title":"Handbook","organization":"o","id":"c"}', '{"object":"collection","id":"c","organization":"o","title":"Handbook"}');
INSERT INTO record_change VALUES (1, 3, 3, 6, NULL, NULL, 'space/s', NULL, '{"object":"space","comments":0,"visibility":"private","emoji":"","updatedAt":"2026-01-01T09:00:00.000Z","createdAt":"2026-01-01T09:00:00.000Z","gitSync":{"updatedAt":"2026-01-01T09:00:00.000Z","repoName":"r/s"},"title":"Docs","organization":"o","parent":"c","defaultLevel":"inherit","id":"s","urls":{"published":"https://o.example/p","location":"https://o.example/s"}}', '{"object":"space","id":"s","organization":"o","title":"Docs","createdAt":"2026-01-01T09:00:00.000Z","updatedAt":"2026-01-01T09:00:00.000Z","parent":"c","gitSync":{"repoName":"r/s","updatedAt":"2026-01-01T09:00:00.000Z"},"comments":7,"urls":{"location":"https://o.example/s","published":"https://o.example/p"}}');
INSERT INTO record_change VALUES (1, 4, 1, 1, 'dora', NULL, NULL, NULL, '{"object":"user","id":"dora","displayName":"dora"}', '{"object":"user","id":"dora","displayName":"dora"}');
INSERT INTO record_change VALUES (1, 4, 2, 6, NULL, NULL, 'space/s', NULL, '{"object":"space","id":"s","organization":"o","title":"Docs","createdAt":"2026-01-01T09:00:00.000Z","updatedAt":"2026-01-01T09:00:00.000Z","parent":"c","gitSync":{"repoName":"r/s","updatedAt":"2026-01-01T09:00:00.000Z"},"comments":7,"urls":{"location":"https://o.example/s","published":"https://o.example/p"}}', '{"object":"space","comments":7,"visibility":"private","emoji":"","updatedAt":"2026-01-01T09:00:00.000Z","createdAt":"2026-01-01T09:00:00.000Z","gitSync":{"updatedAt":"2026-01-01T09:00:00.000Z","repoName":"r/s"},"title":"Docs, new","organization":"o","parent":"c","defaultLevel":"inherit","id":"s","urls":{"published":"https://o.example/p","location":"https://o.example/s"}}');
INSERT INTO record_change VALUES (1, 5, 1, 1, 'dora', NULL, NULL, NULL, '{"object":"user","id":"dora","displayName":"dora"}', NULL);
INSERT INTO record_change VALUES (1, 5, 2, 2, 'dora', NULL, NULL, NULL, '2', NULL);
INSERT INTO record_change VALUES (1, 6, 1, 1, 'ben', NULL, NULL, NULL, '{"object":"user","email":"ben@o.example","id":"ben","displayName":"BEN"}', '{"object":"user","displayName":"BEN","email":"ben@o.example","id":"ben"}');
INSERT INTO record_change VALUES (1, 6, 2, 5, NULL, NULL, 'collection/c', NULL, '{"object":"collection","id":"c","organization":"o","title":"Handbook"}', '{"title":"Handbook","id":"c","object":"collection","organization":"o"}');
INSERT INTO revision VALUES (1, 'o', 1, 'O', '{"members":4,"roles":{"guest":0,"read":2,"comment":1,"edit":0,"review":0,"create":0,"admin":1},"teams":1,"teamMembers":1,"collections":1,"spaces":2,"sites":0,"siteSpaces":0,"permissions":1}', '2026-11-23T07:00:04.368Z', 'import', 'first', 'f8fa062dc99ad88d0edb4f84713288cca37a93789e6a0231d9963da198b101d2', NULL);
INSERT INTO revision VALUES (2, 'o', 1, 'O', '{"members":4,"roles":{"guest":0,"read":2,"comment":1,"edit":0,"review":0,"create":0,"admin":1},"teams":1,"teamMembers":1,"collections":1,"spaces":2,"sites":0,"siteSpaces":0,"permissions":1}', '2026-11-23T07:00:06.465Z', 'import', 'another order of fields', '2ef74646d507062542a1835054e8c1f6090b5c0e18b930d756a826291d87fa76', NULL);
INSERT INTO revision VALUES (3, 'o', 1, 'O', '{"members":4,"roles":{"guest":0,"read":2,"comment":1,"edit":0,"review":0,"create":0,"admin":1},"teams":1,"teamMembers":1,"collections":1,"spaces":2,"sites":0,"siteSpaces":0,"permissions":1}', '2026-11-23T07:00:08.571Z', 'import', 'comments, and the first order in what is no person', 'c3f63e00ca5db2b8ab8a6bbf0eeb2bdc82188e1be8e320ac30bdc81f891e30a9', NULL);
INSERT INTO revision VALUES (4, 'o', 1, 'O', '{"members":4,"roles":{"guest":0,"read":2,"comment":1,"edit":0,"review":0,"create":0,"admin":1},"teams":1,"teamMembers":1,"collections":1,"spaces":2,"sites":0,"siteSpaces":0,"permissions":1}', '2026-11-23T07:00:11.045Z', 'apply', 'two titles', '5bd3ed709be2d87b4518d9b1192f4d5802086b7538256f977513ea0a28fd7437', NULL);
INSERT INTO revision VALUES (5, 'o', 1, 'O', '{"members":3,"roles":{"guest":0,"read":2,"comment":0,"edit":0,"review":0,"create":0,"admin":1},"teams":1,"teamMembers":1,"collections":1,"spaces":2,"sites":0,"siteSpaces":0,"permissions":1}', '2026-11-23T07:00:12.775Z', 'apply', NULL, '90f3134c3c81bfe4b31e7e4291117d7dbe5c9e4fb535c63ba9ea657026938da4', NULL);
INSERT INTO revision VALUES (6, 'o', 1, 'O', '{"members":3,"roles":{"guest":0,"read":2,"comment":0,"edit":0,"review":0,"create":0,"admin":1},"teams":1,"teamMembers":1,"collections":1,"spaces":2,"sites":0,"siteSpaces":0,"permissions":1}', '2026-11-23T07:00:15.184Z', 'apply', 'another order of fields', '4823e8406c7ed883d5a0771247fbbcac71e91eb5b43f8494994156dd831bfd60', NULL);
INSERT INTO rule_result VALUES ('o', 0, 'At most 5 organization admins', 0, 3, '2026-11-23T07:00:08.661Z');
INSERT INTO search VALUES (1, '1+new', 'space/s');
INSERT INTO search VALUES (1, '1^docs, new', 'space/s');
INSERT INTO search VALUES (1, '1^handbook', 'collection/c');
INSERT INTO search VALUES (1, '1^plain', 'space/plain');
INSERT INTO search VALUES (1, '3^ana', 'member/ana');
INSERT INTO search VALUES (1, '3^ana@o.example', 'member/ana');
INSERT INTO search VALUES (1, '3^ben', 'member/ben');
INSERT INTO search VALUES (1, '3^ben@o.example', 'member/ben');
INSERT INTO search VALUES (1, '3^cleo', 'member/cleo');
INSERT INTO search VALUES (1, '3^cleo@o.example', 'member/cleo');
INSERT INTO search VALUES (1, '4^team', 'team/t');
INSERT INTO space VALUES (1, 0, 9007199254740991, 0, '063934477200000/plain', '{"object":"space","id":"plain","organization":"o","title":"Plain","createdAt":"2026-01-01T09:00:00.000Z","updatedAt":"2026-01-01T09:00:00.000Z"}', 2047, NULL, -1, '');
INSERT INTO space VALUES (1, 1, 2, 0, '063934477200000/s', '{"object":"space","id":"s","organization":"o","title":"Docs","createdAt":"2026-01-01T09:00:00.000Z","updatedAt":"2026-01-01T09:00:00.000Z","parent":"c","gitSync":{"repoName":"r/s","updatedAt":"2026-01-01T09:00:00.000Z"},"urls":{"location":"https://o.example/s","published":"https://o.example/p"}}', 1279, 'collection/c', -1, 't 3');
INSERT INTO space VALUES (1, 1, 3, 2, '063934477200000/s', '{"object":"space","comments":0,"visibility":"private","emoji":"","updatedAt":"2026-01-01T09:00:00.000Z","createdAt":"2026-01-01T09:00:00.000Z","gitSync":{"updatedAt":"2026-01-01T09:00:00.000Z","repoName":"r/s"},"title":"Docs","organization":"o","parent":"c","defaultLevel":"inherit","id":"s","urls":{"published":"https://o.example/p","location":"https://o.example/s"}}', 1140, 'collection/c', -1, 't 3');
INSERT INTO space VALUES (1, 1, 4, 3, '063934477200000/s', '{"object":"space","id":"s","organization":"o","title":"Docs","createdAt":"2026-01-01T09:00:00.000Z","updatedAt":"2026-01-01T09:00:00.000Z","parent":"c","gitSync":{"repoName":"r/s","updatedAt":"2026-01-01T09:00:00.000Z"},"comments":7,"urls":{"location":"https://o.example/s","published":"https://o.example/p"}}', 1271, 'collection/c', -1, 't 3');
INSERT INTO space VALUES (1, 1, 9007199254740991, 4, '063934477200000/s', '{"object":"space","comments":7,"visibility":"private","emoji":"","updatedAt":"2026-01-01T09:00:00.000Z","createdAt":"2026-01-01T09:00:00.000Z","gitSync":{"updatedAt":"2026-01-01T09:00:00.000Z","repoName":"r/s"},"title":"Docs, new","organization":"o","parent":"c","defaultLevel":"inherit","id":"s","urls":{"published":"https://o.example/p","location":"https://o.example/s"}}', 1140, 'collection/c', -1, 't 3');
INSERT INTO team VALUES (1, 't', 2, 0, 'Team', 'team', '{"object":"team","id":"t","title":"Team","createdAt":"2026-01-01T09:00:00.000Z"}', 1, 1);
INSERT INTO team VALUES (1, 't', 3, 2, 'Team', 'team', '{"createdAt":"2026-01-01T09:00:00.000Z","object":"team","title":"Team","id":"t"}', 1, 1);
INSERT INTO team VALUES (1, 't', 9007199254740991, 3, 'Team', 'team', '{"object":"team","id":"t","title":"Team","createdAt":"2026-01-01T09:00:00.000Z"}', 1, 1);
INSERT INTO team_grant VALUES (1, 'space/s', 't', 9007199254740991, 0, 3);
INSERT INTO team_member VALUES (1, 1, 't', 9007199254740991, 0, 'member');
INSERT INTO token VALUES ('b4e19b9f715a', '2a5bd5b2ddc959074d5826218a46ba3c2d7837221a7008e5dc36c63463cb53ea', 'o', NULL, '', '2026-11-23T07:00:16.088Z', NULL, NULL, NULL, NULL);
INSERT INTO token VALUES ('54c4a6884a67', '3ce1cf69a74e91cc97bbab91fc036971e5b16f285cf7ea9afa9b643d8715a890', 'o', 'ana', '', '2026-11-23T07:00:17.031Z', NULL, NULL, NULL, NULL);
