export const FINDINGS = {
  redundant: "permission that changes nothing",
  "redundant-alone": "permission that changes nothing alone",
  "less-than-team": "permission that gives less than a team",
  deleted: "permission on a deleted space",
  "empty-team": "team without members",
  "no-access": "member without access",
  unreached: "content that only admins reach",
} as const;

export type FindingKind = keyof typeof FINDINGS;
