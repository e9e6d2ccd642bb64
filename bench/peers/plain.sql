-- The plain way: one page of an aggregate as one query on the tables of plain-tables.sql, UNION, GROUP BY and OFFSET.
-- $content (`space/ID` or `collection/ID`), $limit, $offset.
-- A source's place is its level on the chain, then direct before teams before the default, then the higher role
-- first; so the least place of a user decides, and its last digit is the role (contract, section 3).
WITH RECURSIVE
chain (level, id, parent, default_level) AS (
  SELECT 0, id, parent, default_level FROM content WHERE id = $content
  UNION ALL
  SELECT level + 1, content.id, content.parent, content.default_level
    FROM chain CROSS JOIN content ON content.id = chain.parent
   WHERE chain.default_level = -1
),
source (user, place) AS (
  -- rule 1: organization admins
  SELECT id, 0 FROM member WHERE role = 6
  UNION
  -- rule 2a: direct permissions
  SELECT user_permission.user, 1000 * level + 100 + 6 - user_permission.role
    FROM chain CROSS JOIN user_permission ON user_permission.content = chain.id
  UNION
  -- rule 2b: permissions of teams
  SELECT team_member.user, 1000 * level + 200 + 6 - team_permission.role
    FROM chain
    CROSS JOIN team_permission ON team_permission.content = chain.id
    CROSS JOIN team_member ON team_member.team = team_permission.team
  UNION
  -- rule 2c: the default level, for those who are not guests
  SELECT member.id, 1000 * level + 300 + 6 - chain.default_level
    FROM chain CROSS JOIN member ON member.role > 0
   WHERE chain.default_level > 0
  UNION
  -- rule 3: the organization role
  SELECT member.id, 1000 * level + 400 + 6 - member.role
    FROM chain CROSS JOIN member ON member.role > 0
   WHERE chain.default_level = -1 AND chain.parent IS NULL
),
page (user, place) AS (
  SELECT user, min(place) FROM source GROUP BY user ORDER BY user LIMIT $limit OFFSET $offset
)
SELECT page.user AS user, 6 - page.place % 100 AS rank, member.doc AS document
  FROM page JOIN member ON member.id = page.user
 ORDER BY page.user
