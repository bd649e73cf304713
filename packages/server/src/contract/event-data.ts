import Type from 'typebox';
import { AccessToken } from './access-token.ts';
import { AppUpdate } from './app-update.ts';
import { ReviewStatus } from './review.ts';
import { DateTime, nullable } from './text.ts';

const text = Type.String();
const clearable = Type.Optional(nullable(text));
const revision = Type.Integer({ minimum: 1 });

/** Fields of an app's content, as updates name them; null where there is no value. */
const content = withoutBounds(AppUpdate.properties);

const AppSnapshot = Type.Object({ developerId: text, reviewStatus: ReviewStatus, revision, ...content });

/** What an update or an import can change of an app: the members that have changed. */
const AppEventData = Type.Object({
  ...content,
  developerId: Type.Optional(text),
  revision: Type.Optional(revision),
  reviewStatus: Type.Optional(ReviewStatus),
  submittedAt: Type.Optional(DateTime),
  reason: clearable,
  approvedRevision: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
  createdAt: Type.Optional(DateTime),
  updatedAt: Type.Optional(DateTime),
  deletedAt: Type.Optional(DateTime),
});

const Owner = Type.Object({ developerId: text, logoId: clearable, revision: Type.Optional(revision) });

const untilApproved = Type.Optional(
  Type.Boolean({ description: 'Whether the next approval of the app enables it again.' }),
);
const WholeInstallation = Type.Object({ workspaceId: text, userId: text, enabled: Type.Boolean(), untilApproved });
const InstallationSwitch = Type.Object({ enabled: Type.Boolean(), untilApproved });
const InstallationEventData = Type.Object({
  userId: Type.Optional(text),
  createdAt: Type.Optional(DateTime),
  enabled: Type.Optional(Type.Boolean()),
  untilApproved,
});

/** Its name may be that of a person. */
const { id: _id, name: _name, ...issuedToken } = AccessToken.properties;

/** Its address may hold a secret, and anybody who reads events would see it. */
const WebhookEventData = Type.Object({
  name: clearable,
  types: Type.Optional(Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: text })),
  enabled: Type.Optional(Type.Boolean()),
  disabledReason: Type.Optional(text),
});

const changed = Type.Array(text, {
  description: 'The names of the members that have changed. What they hold is not told.',
});

const reviewStep = {
  before: Type.Object({ reviewStatus: ReviewStatus }),
  after: Type.Object({ reviewStatus: ReviewStatus, revision, reason: Type.Optional(text) }),
};

/** What an event of each type tells, beside whose change it is. Each may get more members. */
export const eventData = {
  'developer.created': told('A developer was created.', { after: Type.Object({ userId: text }) }),
  'developer.updated': told('What is known of a developer has changed.', { changed }),
  'developer.erased': told('The person was taken out of the record of a developer.', {}),
  'app.created': told('An app was created.', {
    after: Type.Object({
      developerId: text,
      reviewStatus: Type.Optional(ReviewStatus),
      reason: Type.Optional(text),
      ...content,
    }),
  }),
  'app.updated': told('An app has changed.', {
    before: AppEventData,
    after: AppEventData,
    changedSinceApproval: Type.Optional(
      Type.Array(text, {
        description:
          'The names of the content members, such as `oauthInfo.callbackUrl`, that are not as they were approved. Empty when all are; absent when the app was never approved.',
      }),
    ),
  }),
  'app.submitted': told('An app was submitted for review.', reviewStep),
  'app.withdrawn': told('An app was taken out of review.', reviewStep),
  'app.approved': told('An app was approved.', reviewStep),
  'app.rejected': told('An app was rejected.', reviewStep),
  'app.revoked': told('The approval of an app was taken back.', reviewStep),
  'app.transferred': told('An app was given to another developer.', { before: Owner, after: Owner }),
  'app.deleted': told('An app was deleted.', {
    before: AppSnapshot,
    after: Type.Optional(Type.Object({ deletedAt: DateTime })),
  }),
  'app.restored': told('A deleted app was restored.', { after: AppSnapshot }),
  'app.purged': told('A deleted app can be restored no more.', {}),
  'installation.created': told('An app was installed into a workspace.', { after: WholeInstallation }),
  'installation.updated': told('An import has changed an installation.', {
    before: InstallationEventData,
    after: InstallationEventData,
  }),
  'installation.enabled': told('An installation was enabled.', {
    before: InstallationSwitch,
    after: InstallationSwitch,
  }),
  'installation.disabled': told('An installation was disabled.', {
    before: InstallationSwitch,
    after: InstallationSwitch,
  }),
  'installation.deleted': told('An app was removed from a workspace.', { before: WholeInstallation }),
  'logo.created': told('A logo was stored.', {
    after: Type.Object({ developerId: text, copyOf: Type.Optional(text) }),
  }),
  'token.issued': told('A token was issued.', { after: Type.Object(issuedToken) }),
  'token.revoked': told('A token was revoked.', { after: Type.Object({ revokedAt: DateTime }) }),
  'webhook.created': told('A webhook was created.', { after: WebhookEventData }),
  'webhook.updated': told('A webhook has changed.', {
    changed,
    before: Type.Optional(WebhookEventData),
    after: Type.Optional(WebhookEventData),
  }),
  'webhook.deleted': told('A webhook was deleted.', { before: Type.Optional(WebhookEventData) }),
  'webhook.tested': told('A webhook is tried: this event goes to it alone.', {}),
};

function told<Members extends Type.TProperties>(description: string, members: Members) {
  return Type.Object(members, { description });
}

/** The same fields with nothing but their types: an event of today may hold what a later release would refuse. */
function withoutBounds<Properties extends Type.TProperties>(properties: Properties): Properties {
  const plain = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(plainSchema(schema))]);
  return Object.fromEntries(plain);
}

function plainSchema(schema: Type.TSchema & { type?: unknown; properties?: Type.TProperties }): Type.TSchema {
  return schema.properties ? Type.Object(withoutBounds(schema.properties)) : Type.Unsafe({ type: schema.type });
}
