-- An organization as one would first write it down: a table a kind of record, each with the key that the query needs.
-- Roles are their ranks from 1 to 6; 0 is a guest, or closed; -1 is inherited.
CREATE TABLE member (id TEXT PRIMARY KEY, role INTEGER NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE content (id TEXT PRIMARY KEY, parent TEXT, default_level INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE user_permission (
  content TEXT NOT NULL, user TEXT NOT NULL, role INTEGER NOT NULL, PRIMARY KEY (content, user)
) WITHOUT ROWID;
CREATE TABLE team_permission (
  content TEXT NOT NULL, team TEXT NOT NULL, role INTEGER NOT NULL, PRIMARY KEY (content, team)
) WITHOUT ROWID;
CREATE TABLE team_member (team TEXT NOT NULL, user TEXT NOT NULL, PRIMARY KEY (team, user)) WITHOUT ROWID;
