import Type from 'typebox';

// Where responses contain ids. A request may have the bare UUID instead (decision 5), and any other text finds nothing.
export const AppId = idOf('app', '01jq3v9y6ae0xv5m6b7k8c9d0e');
export const InstallationId = idOf('installation', '01jq3w3k1hf5tr8z0v6n2m9c4d');
export const LogoFileId = idOf('logo', '01jq3va2c8f0ntb5m6b7k8c9d0');
export const TokenId = idOf('token', '01jq3w4m2je6vs9a1w7p3n0d5e');
export const EventId = idOf('event', '01jq3w3k1hf5tr8z0v6n2m9c4d');
export const WebhookId = idOf('webhook', '01jq3w5n3kf7wt0b2x8q4p1e6f');
export const DeliveryId = idOf('delivery', '01jq3w6p4me8xv1c3y9r5q2f7g');
export const ProtectedNameId = idOf('protected', '01jq3w5n3kf7wt0b2x8q4p1e6f');
export const NoteId = idOf('note', '01jq3w6p4me8xv1c3y9r5q2f7g');
export const ReasonTemplateId = idOf('template', '01jq3w6p4me8xv1c3y9r5q2f7g');
export const UserId = platformIdLike('user_01jq3v8nbtf4mrk6d2m3wz5x7c');
export const WorkspaceId = platformIdLike('workspace_01jq3w2r5sfh8tn4m6b7k8c9d0');

function idOf(prefix: string, suffix: string) {
  return typeIdString(prefix, `${prefix}_${suffix}`);
}

/** The platform chooses the prefix of these. */
function platformIdLike(example: string) {
  return typeIdString('[a-z](?:[a-z_]{0,61}[a-z])?', example);
}

/** A TypeID (interface 2.1). */
function typeIdString(prefix: string, example: string) {
  return Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, examples: [example] });
}
