import Type from 'typebox';
import { AppId, UserId } from '../../kernel/ids.ts';
import { pageParameters, sortParameter, totalParameter } from '../../kernel/page-parameters.ts';
import { openString } from '../../kernel/problem-details.ts';
import { DateTime, nullable } from '../../kernel/text.ts';

const PersonName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, format: 'single-line', description });

const Email = Type.String({ minLength: 3, maxLength: 254, format: 'email', examples: ['ada@example.com'] });

/** Interface 2.6. */
export const Developer = Type.Object(
  {
    userId: Type.String({ ...UserId, description: 'The TypeID that the platform assigned to this user.' }),
    email: Email,
    firstName: Type.Optional(PersonName('First name.')),
    lastName: Type.Optional(PersonName('Last name.')),
  },
  { $id: 'Developer', description: 'The developer who publishes an app.' },
);
export type Developer = Type.Static<typeof Developer>;

/** A developer as operators see them. */
export const OperatorDeveloper = Type.Object(
  {
    ...Developer.properties,
    suspendedAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When an operator suspended the developer; absent when none has.' }),
    ),
    suspensionReason: Type.Optional(Type.String()),
  },
  { $id: 'OperatorDeveloper', description: 'A developer as operators see them.' },
);
export type OperatorDeveloper = Type.Static<typeof OperatorDeveloper>;

/** The request to create a developer. Without a `userId` the registry generates one. */
export const NewDeveloper = Type.Object(
  {
    userId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    email: Email,
    firstName: Type.Optional(PersonName('First name.')),
    lastName: Type.Optional(PersonName('Last name.')),
  },
  { $id: 'NewDeveloper', additionalProperties: false },
);
export type NewDeveloper = Type.Static<typeof NewDeveloper>;

/** An absent field stays unchanged; null clears an optional one. */
export const DeveloperUpdate = Type.Object(
  {
    email: Type.Optional(Email),
    firstName: Type.Optional(nullable(PersonName('First name.'))),
    lastName: Type.Optional(nullable(PersonName('Last name.'))),
  },
  { $id: 'DeveloperUpdate', additionalProperties: false },
);
export type DeveloperUpdate = Type.Static<typeof DeveloperUpdate>;

/** A developer after erasure. */
export const ErasedDeveloper = Type.Object(
  { ...Developer.properties, tokensRevoked: Type.Integer({ minimum: 0 }) },
  { $id: 'ErasedDeveloper', description: 'A developer whose personal data was erased.' },
);
export type ErasedDeveloper = Type.Static<typeof ErasedDeveloper>;

/** The address of an erased developer. No mail reaches it: `.invalid` is a reserved domain (RFC 2606). */
export const erasedEmail = 'erased@developer.invalid';

/** The query of a page of developers. */
export const developerSorts = ['userId', 'email', 'createdAt'] as const;
export const DeveloperQuery = Type.Object(
  { ...sortParameter(developerSorts), ...totalParameter, ...pageParameters },
  { additionalProperties: false },
);
export type DeveloperQuery = Type.Static<typeof DeveloperQuery>;

/** Why a developer is suspended. */
export const Suspension = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2000,
      format: 'reason',
      description: 'The reason, shared with the developer and shown with their apps.',
      examples: ['The apps send customer data elsewhere.'],
    }),
  },
  { $id: 'Suspension', additionalProperties: false },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const suspensionCounts = {
  tokens: count('The number of valid tokens that changed.'),
  apps: count('The number of apps that changed.'),
  approvedApps: count('The number of these apps that were APPROVED, or are again.'),
  installations: count('The number of installations whose `disabledBy` changed.'),
};

/** A developer after suspension, and how much it has changed. */
export const SuspendedDeveloper = Type.Object(
  { ...OperatorDeveloper.properties, ...suspensionCounts },
  { $id: 'SuspendedDeveloper', description: 'A suspended developer, with counts of what the suspension changed.' },
);
export type SuspendedDeveloper = Type.Static<typeof SuspendedDeveloper>;

/** An app that the end of a suspension leaves as it is. */
const SkippedApp = Type.Object({
  appId: AppId,
  reason: openString(['decided', 'deleted', 'transferred'], {
    description: 'What happened to the app while its developer was suspended. Later releases may add reasons.',
  }),
});
export type SkippedApp = Type.Static<typeof SkippedApp>;

/** A developer after the end of a suspension. */
export const UnsuspendedDeveloper = Type.Object(
  {
    ...OperatorDeveloper.properties,
    ...suspensionCounts,
    skippedApps: count('The number of apps whose status was not restored, because they changed in the meantime.'),
    skipped: Type.Array(SkippedApp, { maxItems: 100, description: 'The first 100.' }),
  },
  {
    $id: 'UnsuspendedDeveloper',
    description: 'A developer who is no longer suspended, with counts of what that changed.',
  },
);
export type UnsuspendedDeveloper = Type.Static<typeof UnsuspendedDeveloper>;

/** What of a developer's history is counted, so that no request works for long. */
export const developerRecordLimits = { each: 10_000, appsWithDecisions: 1_000 };

const counted = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: developerRecordLimits.each,
    description: `${description} 10000 means at least 10000.`,
  });

/** What a reviewer should know of a developer. */
export const DeveloperRecord = Type.Object(
  {
    developer: OperatorDeveloper,
    apps: Type.Object(
      {
        draft: counted('Apps that are `DRAFT`.'),
        awaitingReview: counted('Apps that are `AWAITING_REVIEW`.'),
        approved: counted('Apps that are `APPROVED`.'),
        rejected: counted('Apps that are `REJECTED`.'),
        deleted: counted('Deleted apps that can be restored.'),
      },
      { description: 'The apps that belong to the developer, or did when they were deleted.' },
    ),
    decisions: Type.Object(
      {
        approved: counted('Approvals of apps and of changes.'),
        rejected: counted('Rejections of apps.'),
        changesRejected: counted('Rejections of changes.'),
        revoked: counted('Revocations.'),
      },
      {
        description:
          'The stored decisions about those apps; with more than 1,000 apps, only those about the 1,000 newest and up to 1,000 deleted ones.',
      },
    ),
    suspensions: counted('How often the developer was suspended, according to events that are not archived.'),
    firstAppAt: Type.Optional(Type.String({ ...DateTime, description: 'When the first of those apps was created.' })),
    lastDecisionAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When the last of those decisions was made.' }),
    ),
  },
  { $id: 'DeveloperRecord', description: 'The record of a developer, for reviewers.' },
);
export type DeveloperRecord = Type.Static<typeof DeveloperRecord>;
