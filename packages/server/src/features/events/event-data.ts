import Type from 'typebox';
import { DateTime, nullable } from '../../kernel/text.ts';
import { AccessToken, RotatedAccessToken } from '../access/access-token.ts';
import { AppUpdate } from '../apps/app-schemas.ts';
import { ReviewStatus } from '../apps/review/review-status.ts';
import { DisabledBy } from '../installations/installation.ts';
import { StoredSettings } from '../settings/settings.ts';

const text = Type.String();
const clearable = Type.Optional(nullable(text));
const revision = Type.Integer({ minimum: 1 });

/** Fields of an app's content under the paths of an update; null where there is no value. */
const content = withoutBounds(AppUpdate.properties);

const effective = Type.Optional(
  nullable(
    Type.Object(content, {
      description:
        'Present if the change altered what platforms may act on: the effective content, which is the current content of an `APPROVED` app or, while changes are held, its approved content. The fields that changed; all fields if the app has become effective; null if it is not effective any more.',
    }),
  ),
);

const AppSnapshot = Type.Object({ developerId: text, reviewStatus: ReviewStatus, revision, ...content });

/** A revision of the content, such as a change has made. */
const madeRevision = {
  revision: { ...revision, description: 'The revision of the content.' },
  revisionNonce: Type.String({
    description:
      'The random part of the `ETag` of the revision, which distinguishes it from another revision with the same number.',
  }),
};

/** The fields of an app that an update or an import changed. */
const AppEventData = Type.Object({
  ...content,
  revision: Type.Optional({
    ...revision,
    description:
      'The new revision of the content, if that changed. In `before`, the previous one; absent if its number is one less.',
  }),
  revisionNonce: Type.Optional(madeRevision.revisionNonce),
  developerId: Type.Optional(text),
  reviewStatus: Type.Optional(ReviewStatus),
  submittedAt: Type.Optional(DateTime),
  reason: clearable,
  approvedRevision: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
  createdAt: Type.Optional(DateTime),
  updatedAt: Type.Optional(DateTime),
  deletedAt: Type.Optional(DateTime),
});

const Owner = Type.Object({
  developerId: text,
  logoId: nullable(text),
  approvedLogoId: Type.Optional(
    Type.String({ description: 'The logo of the approved content, if it is not the current one.' }),
  ),
  ...madeRevision,
});

const untilApproved = Type.Optional(
  Type.Boolean({ description: 'Whether the next approval of the app enables it again.' }),
);
const InstallationSnapshot = Type.Object({ workspaceId: text, userId: text, enabled: Type.Boolean(), untilApproved });
const disabledBy = Type.Optional(DisabledBy);
const InstallationState = Type.Object({ enabled: Type.Boolean(), disabledBy, untilApproved });
const InstallationEventData = Type.Object({
  userId: Type.Optional(text),
  createdAt: Type.Optional(DateTime),
  enabled: Type.Optional(Type.Boolean()),
  untilApproved,
});

/** Without the name, which may be that of a person. */
const { id: _, name: __, replacedBy: ___, updatedAt: ____, etag: _____, ...issuedToken } = AccessToken.properties;

/** Without the URL, which may contain a secret: anyone who reads events would see it. */
const WebhookEventData = Type.Object({
  name: clearable,
  types: Type.Optional(Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: text })),
  effectiveOnly: Type.Optional(Type.Boolean()),
  batch: Type.Optional(Type.Boolean()),
  requestsAtOnce: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
  enabled: Type.Optional(Type.Boolean()),
  disabledReason: Type.Optional(text),
});

const ProtectedNameInEvent = Type.Object({
  name: Type.Optional(text),
  host: Type.Optional(text),
  developerIds: Type.Array(text),
  note: Type.Optional(text),
});

const ReasonTemplateInEvent = Type.Object({ title: text, message: text, code: Type.Optional(text) });

const changed = Type.Array(text, {
  description: 'The names of the changed fields, without their values.',
});

/** The settings that a change concerns. */
const ChangedSettings = Type.Object(withoutBounds(StoredSettings.properties));

const reviewStep = {
  before: Type.Object({ reviewStatus: ReviewStatus }),
  after: Type.Object({
    reviewStatus: ReviewStatus,
    revision,
    developerSuspended: Type.Optional(
      Type.Boolean({
        description:
          'With `app.revoked`: whether its developer was suspended. With `app.approved`: false if the suspension ended.',
      }),
    ),
  }),
};

/** Without the note, which is only for reviewers. */
const decision = {
  before: reviewStep.before,
  after: Type.Object({
    ...reviewStep.after.properties,
    revision: Type.Integer({ minimum: 1, description: 'The revision that was decided on.' }),
    code: Type.Optional(Type.String({ description: 'The reason code.' })),
    message: Type.Optional(Type.String({ description: 'The message for the developer.' })),
    fields: Type.Optional(
      Type.Array(Type.Object({ pointer: text, message: text }), {
        description: 'Messages for the developer about individual fields.',
      }),
    ),
  }),
};

const suspensionCounts = {
  tokens: Type.Integer({ minimum: 0, description: 'Valid tokens.' }),
  apps: Type.Integer({ minimum: 0 }),
  approvedApps: Type.Integer({ minimum: 0, description: 'The number of these apps that were APPROVED, or are again.' }),
  installations: Type.Integer({ minimum: 0 }),
};

/** The data of each type of event. More fields may be added to each. */
export const eventData = {
  'developer.created': describedData('A developer was created.', { after: Type.Object({ userId: text }) }),
  'developer.updated': describedData('A developer was changed.', { changed }),
  'developer.suspended': describedData('A developer was suspended, with their tokens, apps and installations.', {
    after: Type.Object({ suspendedAt: DateTime, reason: text, ...suspensionCounts }),
  }),
  'developer.unsuspended': describedData('The suspension of a developer was ended.', {
    before: Type.Object({ suspendedAt: DateTime, reason: text }),
    after: Type.Object(suspensionCounts),
  }),
  'developer.erased': describedData('The personal data of a developer was erased.', {}),
  'app.created': describedData('An app was created.', {
    after: Type.Object({
      developerId: text,
      reviewStatus: Type.Optional(ReviewStatus),
      reason: Type.Optional(text),
      ...madeRevision,
      ...content,
    }),
    effective,
  }),
  'app.updated': describedData('An app was changed, or a change of the settings altered its effective content.', {
    before: AppEventData,
    after: AppEventData,
    changedSinceApproval: Type.Optional(
      Type.Array(text, {
        description:
          'The content fields, such as `oauthInfo.callbackUrl`, that differ from the approved content. Empty when none does; absent when the app was never approved.',
      }),
    ),
    restoredRevision: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The earlier revision whose content was restored.' }),
    ),
    effective,
  }),
  'app.submitted': describedData('An app was submitted for review.', reviewStep),
  'app.withdrawn': describedData('An app was withdrawn from review.', reviewStep),
  'app.approved': describedData('An app was approved.', { ...decision, effective }),
  'app.rejected': describedData('An app was rejected.', decision),
  'app.revoked': describedData('The approval of an app was revoked.', { ...decision, effective }),
  'app.change_approved': describedData('A change or a transfer of an approved app was approved.', {
    ...decision,
    effective,
  }),
  'app.change_rejected': describedData(
    'A change to an approved app was rejected: its approved content stays in effect.',
    decision,
  ),
  'app.transferred': describedData('An app was transferred to another developer.', {
    before: Owner,
    after: Owner,
    effective,
  }),
  'app.deleted': describedData('An app was deleted.', {
    before: AppSnapshot,
    after: Type.Optional(Type.Object({ deletedAt: DateTime })),
    effective,
  }),
  'app.restored': describedData('A deleted app was restored.', { after: AppSnapshot, effective }),
  'app.purged': describedData('A deleted app can no longer be restored.', {}),
  'installation.created': describedData('An app was installed into a workspace.', { after: InstallationSnapshot }),
  'installation.updated': describedData('An import changed an installation.', {
    before: InstallationEventData,
    after: InstallationEventData,
  }),
  'installation.enabled': describedData('An installation was enabled.', {
    before: InstallationState,
    after: InstallationState,
  }),
  'installation.disabled': describedData('An installation was disabled, or remains disabled for different causes.', {
    before: InstallationState,
    after: InstallationState,
  }),
  'installation.deleted': describedData('An app was removed from a workspace.', { before: InstallationSnapshot }),
  'logo.created': describedData('A logo was stored.', {
    after: Type.Object({ developerId: text, copyOf: Type.Optional(text) }),
  }),
  'logo.blocked': describedData('A logo was blocked: its image returns 404, and no app can set it.', {
    after: Type.Object({ developerId: text, reason: text }),
  }),
  'logo.unblocked': describedData('A logo was unblocked.', {
    before: Type.Object({ developerId: text, reason: text }),
  }),
  'logo.deleted': describedData('A logo was deleted.', { before: Type.Object({ developerId: text }) }),
  'token.created': describedData('A token was created, or one was rotated.', {
    after: Type.Object({ ...issuedToken, replaces: Type.Optional(RotatedAccessToken.properties.replaces) }),
  }),
  'token.revoked': describedData('A token was revoked.', { after: Type.Object({ revokedAt: DateTime }) }),
  'webhook.created': describedData('A webhook was created.', { after: WebhookEventData }),
  'webhook.updated': describedData('A webhook was changed.', {
    changed,
    before: Type.Optional(WebhookEventData),
    after: Type.Optional(WebhookEventData),
  }),
  'webhook.deleted': describedData('A webhook was deleted.', { before: Type.Optional(WebhookEventData) }),
  'protected_name.created': describedData('A name or a host was protected.', { after: ProtectedNameInEvent }),
  'protected_name.updated': describedData('A protected name or host was changed.', {
    before: ProtectedNameInEvent,
    after: ProtectedNameInEvent,
  }),
  'protected_name.deleted': describedData('A name or a host is no longer protected.', { before: ProtectedNameInEvent }),
  'reason_template.created': describedData('A reason template was created.', { after: ReasonTemplateInEvent }),
  'reason_template.updated': describedData('A reason template was changed.', {
    before: ReasonTemplateInEvent,
    after: ReasonTemplateInEvent,
  }),
  'reason_template.deleted': describedData('A reason template was deleted.', { before: ReasonTemplateInEvent }),
  'settings.updated': describedData('Settings of the registry were changed.', {
    before: ChangedSettings,
    after: ChangedSettings,
  }),
  'webhook.tested': describedData('A test event, sent to one webhook only.', {}),
};

function describedData<Properties extends Type.TProperties>(description: string, properties: Properties) {
  return Object.assign(Type.Object(properties), { description });
}

/** The same fields with their types only: a later release may refuse values that events contain today. */
function withoutBounds<Properties extends Type.TProperties>(properties: Properties): Properties {
  const plain = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(plainSchema(schema))]);
  return Object.fromEntries(plain);
}

function plainSchema(schema: Type.TSchema & { type?: unknown; properties?: Type.TProperties }): Type.TSchema {
  return schema.properties ? Type.Object(withoutBounds(schema.properties)) : Type.Unsafe({ type: schema.type });
}
