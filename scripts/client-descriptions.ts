import type { JSONSchema } from 'json-schema-to-typescript';
import { fullName, type OperatorMethod } from './operator-methods.ts';

/**
 * What an editor shows for a field that its schema does not describe, because the page of its resource does. By the name of the
 * field, which is preceded by that of its type, or of the field around it, if it means something else there.
 */
const fields: Record<string, string> = {
  id: 'A TypeID. Its prefix says what it identifies.',
  appId: 'The app: `app_…`.',
  developerId: 'The user id of the developer, as the platform assigned it.',
  workspaceId: 'The workspace, as the platform assigned its id.',
  userId: 'The user, as the platform assigned the id.',
  'NewInstallation.userId': 'The user who installs the app.',
  webhookId: 'The webhook: `webhook_…`.',
  eventId: 'The event: `event_…`.',
  eventType: 'The type of the event, such as `app.approved`.',
  email: '3 to 254 characters with one `@`.',
  name: 'For people. It does not have to be unique.',
  'growingApps.name': 'The current name of the app.',
  'ProtectedName.name': 'The name, which is compared as look-alikes are. Absent: a host is protected.',
  'NewProtectedName.name': 'The name to protect. Either it or `host` is required.',
  'ProtectedNameUpdate.name': 'The name to protect. It replaces a host.',
  'HeaderField.name': 'In lower case.',
  value: 'As it was sent.',
  host: 'A domain with its subdomains, or an IP address.',
  type: 'The type of the event, such as `app.approved`.',
  'SearchHit.type': 'What was found.',
  kind: 'Which operations the token is good for.',
  reviewStatus: 'Where the app is in review. Only an `APPROVED` app is effective.',
  installationCount: 'How many workspaces have the app installed, enabled or not: each has it at most once.',
  listingInfo: 'How it is shown in a marketplace.',
  oauthInfo: 'The URLs of its sign-in flow; `{}` if it has none.',
  rejectionReason: 'The message of the last rejection or revocation. Present while the app is `REJECTED`.',
  suspensionReason: 'Why the developer is suspended; absent when they are not.',
  blockedReason: 'Why it was blocked; absent when it is not.',
  changedSinceApproval:
    'Whether the current content differs from the approved content. Absent if the app was never approved.',
  approved: 'The last approved content, where it differs from the current one. `approvedContent` returns all of it.',
  effective: 'Which content a platform may act on. `effectiveContent` returns it. Null unless the app is `APPROVED`.',
  revision: 'The number of the revision. It grows with each change.',
  pointer: 'A JSON Pointer (RFC 6901) to the field, such as `/oauthInfo/callbackUrl`.',
  message: 'The message for the developer about this field.',
  text: 'What the reviewers should know. It is not in events.',
  enabled: 'Whether it is switched on.',
  'OperatorInstallation.enabled': 'Whether the workspace can use the app.',
  'OperatorInstallationOrDryRun.enabled': 'Whether the workspace can use the app.',
  'Webhook.enabled': 'Whether events are sent to it.',
  'WebhookWithSecret.enabled': 'Whether events are sent to it.',
  logoUrl: 'The image: a PNG of 512 by 512 pixels that never changes.',
  status: 'Whether requests with it are accepted now.',
  updatesPerMinute: 'Its quota of updates. Absent: the default of the server; 0: no limit.',
  readsPerMinute: 'Its quota of reads. Absent: the default of the server; 0: no limit.',
  requestsPerMinute: 'Its quota of requests to the operator API. Absent: the default of the server; 0: no limit.',
  scopes: 'What the caller may do.',
  claim: 'Whom the app is assigned to; absent if it is assigned to no one.',
  presence: 'Who looks at the app now, the caller included; absent if no one does.',
  app: 'The app to decide on, with its approved and its current content.',
  decision: 'The last decision.',
  'DeveloperRecord.developer': 'The developer that the record is about.',
  developer: 'The developer of the app. After a transfer, the new one.',
  developerCounts: 'What became of the apps of the developer, each counted up to 100.',
  'weeks.decisions': 'How the reviewers decided in this week.',
  actors: 'The names of the actors of this page. Present if the query has `actors`.',
  archived: 'The archives with events that the search did not read; absent if there are none.',
  searched: 'How far the search of this page got.',
  'EventPageFields.apps': 'The apps of this page with their workspaces. Present if the query has `workspaces`.',
  'EventPageFields.searched': 'How far the search of this page got. Present if the query has a filter.',
  'ChangedObject.type': 'What was changed.',
  firstArchive: 'The number of the first archive.',
  lastArchive: 'The number of the last archive.',
  changes: 'How many events changed it.',
  'types.changes': 'How many events are of this type.',
  draft: 'Apps that are `DRAFT`.',
  awaitingReview: 'Apps that are `AWAITING_REVIEW`.',
  'apps.approved': 'Apps that are `APPROVED`.',
  rejected: 'Apps that are `REJECTED`.',
  awaiting: 'How many items await a decision.',
  'days.installations': 'Installations of all apps, enabled and disabled.',
  'Affected.apps': 'The apps that change.',
  'Affected.installations': 'The installations that change.',
  'Affected.workspaces': 'The workspaces that have these installations.',
  'Affected.tokens': 'The tokens that change.',
  count: 'How many there are.',
  created: 'Installations that were created.',
  deleted: 'Installations that were deleted.',
  tokensRevoked: 'How many tokens were revoked.',
  installationsDeleted: 'How many installations were deleted.',
  deliveriesRedelivered: 'How many deliveries are sent again.',
  dryRun: 'True if the operation was only tried, with `dryRun`; absent if it was done.',
  affected: 'What the operation would affect. Present with `dryRun`.',
  items: 'In the order in which the changes were made.',
  response: 'The response to the last attempt, or why there was none.',
  request: 'The request of the last attempt.',
  'blocked.delivery': 'The failed delivery.',
  'ImportResult.developers': 'The outcome for developers.',
  'ImportResult.logos': 'The outcome for logos.',
  'ImportResult.apps': 'The outcome for apps, also deleted ones.',
  'ImportResult.installations': 'The outcome for installations.',
};

/** What an editor shows for a type that its schema does not describe. */
const types: Record<string, string> = {
  AppWithWarnings: 'An app as reviewers see it, with what they should check.',
  DecisionSummary: 'A decision of a reviewer, without the content that was decided on.',
  EndedClaim: 'The end of a claim.',
  ListedRevision: 'A revision of an app in a list, without its content.',
  ListedAccessToken: 'A token in a list, without the token itself.',
  AccessTokenWithSecret: 'A new token, with the token itself.',
  InstalledApp: 'The workspaces that have installed an app.',
  WebhookWithSecret: 'A new webhook, or one with a new secret.',
};

/** The schemas of types with a description of each type and of each of their fields. Throws if one has none. */
export function described(
  definitions: Record<string, JSONSchema>,
  methods: OperatorMethod[],
): Record<string, JSONSchema> {
  const missing: string[] = [];
  const all = Object.entries(definitions).map(([name, schema]) => {
    const description = schema.description ?? types[name] ?? bodyDescription(name, methods);
    if (description === undefined) missing.push(name);
    return [name, { ...withFields(schema, [name], missing), description }];
  });
  if (missing.length > 0)
    throw new Error(`Describe these in their schemas, or in ${import.meta.filename}:\n${missing.join('\n')}`);
  return Object.fromEntries(all);
}

function withFields(schema: JSONSchema, path: string[], missing: string[]): JSONSchema {
  const inner = (each: JSONSchema) => withFields(each, path, missing);
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const at = [...path, name];
    const description = field.description ?? fields[at.slice(-2).join('.')] ?? fields[name];
    if (description === undefined) missing.push(at.join('.'));
    return [name, { ...withFields(field, at, missing), description }];
  });
  return {
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
    ...(schema.items && !Array.isArray(schema.items) && { items: inner(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.allOf && { allOf: schema.allOf.map(inner) }),
  };
}

function bodyDescription(name: string, methods: OperatorMethod[]): string | undefined {
  const callers = methods.filter(({ body }) => body?.type === name).map((method) => `\`${fullName(method)}\``);
  return callers.length > 0 ? `What ${callers.join(' and ')} sends.` : undefined;
}
