import Type from 'typebox';
import type { ValidationError, ValidationErrorCode } from '../../kernel/problem-details.ts';
import { DateTime } from '../../kernel/text.ts';
import { appContentFields, type ContentPath } from '../apps/app-content.ts';
import { NewApp } from '../apps/app-schemas.ts';
import { words } from '../apps/review/decision.ts';
import { ReviewStatus, reviewStatuses } from '../apps/review/review-status.ts';
import { NewDeveloper } from '../developers/developer.ts';
import { type DisablingCause, disablingCauses, NewInstallation } from '../installations/installation.ts';
import { imageBytesMax } from '../logos/logo.ts';

/**
 * The maximum length of a line, in bytes. The largest record has a logo: an upload of the maximum size, or a stored PNG that
 * is hardly larger, takes two thirds of it in Base64.
 */
export const lineBytesMax = 2 * imageBytesMax;

const reason = Type.String(words);

/** In the order of an export: each type after what it refers to. */
export const importTypes = ['developer', 'logo', 'app', 'installation'] as const;
export type ImportType = (typeof importTypes)[number];

/** A TypeID of the expected kind, or a bare UUID. */
const Id = Type.String({ minLength: 1, maxLength: 100 });

function only<T extends ImportType>(type: T) {
  return Type.Unsafe<T>({ type: 'string', enum: [type] });
}

/** What an import refused about a record, which `--rejects` writes beside it. An import ignores it. */
const rejected = Type.Optional(Type.Unknown());

/** The fields that have no effect once they are cleared, also while they are approved. */
const withdrawableFields = appContentFields.filter((field) => field.clearsImmediately);

/** The fields that identify the object of a line. Only the type is validated. */
export const ImportDiscriminant = Type.Object({
  type: Type.Unsafe<ImportType>({ enum: importTypes }),
  id: Type.Optional(Type.Unknown()),
  userId: Type.Optional(Type.Unknown()),
});
export type ImportDiscriminant = Type.Static<typeof ImportDiscriminant>;

export const DeveloperRecord = Type.Object(
  {
    ...NewDeveloper.properties,
    type: only('developer'),
    rejected,
    userId: Id,
    createdAt: Type.Optional(DateTime),
    updatedAt: Type.Optional(DateTime),
    suspension: Type.Optional(
      Type.Object(
        { at: DateTime, reason },
        { additionalProperties: false, description: 'When and why the developer was suspended.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type DeveloperRecord = Type.Static<typeof DeveloperRecord>;

/** A logo. The bytes of a stored logo are preserved; any other image is redrawn as an upload would be. */
export const LogoRecord = Type.Object(
  {
    type: only('logo'),
    rejected,
    id: Id,
    developerId: Id,
    createdAt: DateTime,
    png: Type.String({ minLength: 1, description: 'The image in Base64 (RFC 4648, section 4).' }),
    blocked: Type.Optional(
      Type.Object(
        { at: DateTime, reason },
        { additionalProperties: false, description: 'When and why the logo was blocked.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type LogoRecord = Type.Static<typeof LogoRecord>;

const content = {
  name: NewApp.properties.name,
  logoId: NewApp.properties.logoId,
  listingInfo: NewApp.properties.listingInfo,
  oauthInfo: NewApp.properties.oauthInfo,
};
const Revision = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER - 1 });

const WithdrawnField = Type.Unsafe<ContentPath>({
  type: 'string',
  enum: withdrawableFields.map(({ path }) => path),
});

export const AppRecord = Type.Object(
  {
    ...content,
    type: only('app'),
    rejected,
    id: Id,
    developerId: Id,
    createdAt: DateTime,
    updatedAt: Type.Optional(DateTime),
    reviewStatus: Type.Optional(ReviewStatus),
    submittedAt: Type.Optional(DateTime),
    rejectionReason: Type.Optional(reason),
    revision: Type.Optional(Revision),
    approved: Type.Optional(
      Type.Object(
        { ...content, revision: Revision },
        {
          additionalProperties: false,
          description:
            'The content that was last approved. An APPROVED app without it was approved with its current content.',
        },
      ),
    ),
    withdrawn: Type.Optional(
      Type.Array(Type.Object({ field: WithdrawnField, revision: Revision }, { additionalProperties: false }), {
        minItems: 1,
        description:
          'The approved fields that were cleared since and have no effect, each with the revision that cleared it.',
      }),
    ),
    changeSince: Type.Optional(DateTime),
    changeRejected: Type.Optional(Type.Unsafe<true>({ type: 'boolean', enum: [true] })),
    transferSince: Type.Optional(DateTime),
    suspendedStatus: Type.Optional(Type.Unsafe<ReviewStatus>({ type: 'string', enum: reviewStatuses })),
    deletedAt: Type.Optional(DateTime),
  },
  {
    additionalProperties: false,
    description:
      'An app with `deletedAt` was deleted at that time, and can be restored for 30 days. An app that awaits review has done so since `submittedAt` or, without it, since `updatedAt`; a change to an APPROVED app, since `changeSince` or, without it, since `updatedAt`, unless `changeRejected` says that it was rejected; a transfer, since `transferSince`. An app of a suspended developer has in `suspendedStatus` its status from before the suspension.',
  },
);
export type AppRecord = Type.Static<typeof AppRecord>;

export const InstallationRecord = Type.Object(
  {
    ...NewInstallation.properties,
    type: only('installation'),
    rejected,
    id: Type.Optional(Id),
    createdAt: DateTime,
    enabled: Type.Optional(Type.Boolean()),
    disabledBy: Type.Optional(
      Type.Array(Type.Unsafe<DisablingCause>({ type: 'string', enum: disablingCauses }), {
        minItems: 1,
        uniqueItems: true,
        description: 'Why it is disabled. If absent, by its workspace.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type InstallationRecord = Type.Static<typeof InstallationRecord>;

/** One line of an import: one object of the registry with its history. */
export type ImportRecord = DeveloperRecord | LogoRecord | AppRecord | InstallationRecord;

/** One validation error of an import, with the number of its line; the first line is 1. */
export type ImportError = ValidationError & {
  line: number;
  /** The id of the other object, if the record contradicts one or refers to one that was refused. */
  clashesWith?: string;
};

/** An error of a record, a mapping or a file as a whole. */
export function errorOfAll(code: ValidationErrorCode, detail: string): ValidationError {
  return { pointer: '', code, detail };
}

/** Another object that a refused record clashes with: its line in this import, if it is one, and its id. */
export interface Clash {
  id?: string;
  file?: string;
  line?: number;
}

/** One of the records with the same error. */
export interface ErrorExample {
  file?: string;
  line: number;
  value?: unknown;
  clashesWith?: Clash;
}

/** The errors of an import that are the same but for their records; `line` is the first one. */
export interface ImportErrorGroup extends ValidationError {
  /** The column of the field in a CSV file. */
  column?: string;
  file?: string;
  line: number;
  count: number;
  /** The first of them. */
  examples: ErrorExample[];
}
