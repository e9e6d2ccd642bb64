/**
 * Every field that GitBook documents for what a pull reads, also if a snapshot cannot represent it. A pull stops at any
 * other field, because it may affect access. A test compares this list with both versions of the official OpenAPI file.
 */
export const KNOWN_FIELDS = {
  organization:
    "object id title createdAt emailDomains hostname type useCase communityType defaultRole defaultContent sso ai inviteLinks auditLogs plan billing mergeRules urls trial trialDecision customHostname blocked internal_billingMigration internal_isOnNewTrial internal_isUsingSnippets permissions",
  member: "object id role user disabled joinedAt lastSeenAt sso spaces teams sites",
  user: "object id displayName email photoURL urls",
  team: "object id title members spaces createdAt permissions",
  teamMember: "organization team permissions",
  collection: "object id title description organization parent defaultLevel urls permissions",
  space:
    "object id title emoji visibility createdAt updatedAt deletedAt editMode type mergeRules urls organization parent language gitSync imports visitorAuth revision defaultLevel comments changeRequests changeRequestsOpen changeRequestsDraft internal_poweredByV2 internal_singleWebsocket permissions",
  site: "object id type appliedType title icon hostname basename proxy visibility defaultLevel permissions published siteSpaces defaultSpace gitSync createdAt lastScanAt adaptiveContent ads styleguide features urls",
  siteSpace:
    "object id path section space title localizedTitle default condition pageId draft hasAdvancedCustomizationFeature urls hidden",
  permission: "permission user team",
} as const;

export type Known = keyof typeof KNOWN_FIELDS;

const names = new Map(
  Object.entries(KNOWN_FIELDS).map(([kind, fields]) => [kind, new Set<string>(fields.split(" "))]),
);

export function unknownFields(kind: Known, item: object): string[] {
  return Object.keys(item).filter((name) => names.get(kind)?.has(name) !== true);
}
