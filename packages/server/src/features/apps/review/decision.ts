import Type from 'typebox';
import { EventId } from '../../../kernel/ids.ts';
import { pageOf } from '../../../kernel/page.ts';
import { openString } from '../../../kernel/problem-details.ts';
import { DateTime, RevisionTag } from '../../../kernel/text.ts';
import { ActorName } from '../../events/event.ts';
import { appContentFields } from '../app-content.ts';
import { LogoId, Name } from '../app-fields.ts';
import { ListingInfo, OauthInfo } from '../app-schemas.ts';
import { decisionCodes } from './decision-codes.ts';

/** The steps of review that are decisions of a reviewer. */
const decisionSteps = ['approve', 'reject', 'reject-change', 'revoke'] as const;
export type DecisionStep = (typeof decisionSteps)[number];

/** The JSON Pointers to the fields of the content, as validation errors name them. */
const contentPointers = appContentFields.map(({ path }) => `/${path.replaceAll('.', '/')}`);

/** What the words of a reviewer or an operator must be. */
export const words = { minLength: 1, maxLength: 2000, format: 'reason' };
const forDeveloper = {
  description: 'The message for the developer.',
  examples: ['The callback URL does not respond.'],
};
export const Message = Type.String({ ...words, ...forDeveloper });

const codeDescription = `The reason code: one of ${decisionCodes.map((code) => `\`${code}\``).join(', ')}, or a code of your own.`;
export const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  format: 'code',
  description: codeDescription,
  examples: decisionCodes.slice(0, 1),
});

const fieldsDescription = 'Messages for the developer about individual fields.';
const DecisionFields = Type.Array(
  Type.Object(
    {
      pointer: Type.Unsafe<string>({
        type: 'string',
        enum: contentPointers,
        description: 'A JSON Pointer (RFC 6901) to the field.',
        examples: ['/oauthInfo/callbackUrl'],
      }),
      message: Message,
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: 50, description: fieldsDescription },
);

const forReviewers = {
  description:
    'An internal note for reviewers. It is not in events, and tokens with the scope `portal` never receive it.',
  examples: ['The same sender as last week.'],
};
const Note = Type.String({ ...words, ...forReviewers });

const Revision = Type.String({
  description:
    'The `etag` of the app or the revision that was reviewed, with or without its quotes. Later changes are not decided on.',
  examples: ['"7.5f0c1a9e.Vb2xq0m9K3Ty"'],
});

const details = {
  message: Type.Optional(Message),
  code: Type.Optional(Code),
  fields: Type.Optional(DecisionFields),
  note: Type.Optional(Note),
};

/** An approval of a revision. */
export const Approval = Type.Object(
  { revision: Revision, ...details },
  { $id: 'Approval', additionalProperties: false },
);

/** The developer must know why. */
const rejection = { ...details, message: Message };

/** A rejection of an app or of a change, at a revision. */
export const Rejection = Type.Object(
  { revision: Revision, ...rejection },
  { $id: 'Rejection', additionalProperties: false },
);
export type Rejection = Type.Static<typeof Rejection>;

/** The details of a revocation. */
export const Revocation = Type.Object(
  {
    ...rejection,
    disableInstallations: Type.Optional(
      Type.Boolean({ description: 'Whether to disable all installations until the app is approved again.' }),
    ),
  },
  { $id: 'Revocation', additionalProperties: false },
);
export type Revocation = Type.Static<typeof Revocation>;

/** A decision without the content. */
const summary = {
  id: Type.String({ ...EventId, description: 'The id of the event of the decision.' }),
  step: openString(decisionSteps, { description: 'The review step. Later releases may add steps.' }),
  revision: Type.Integer({ minimum: 1, description: 'The revision that was decided on.' }),
  etag: RevisionTag,
  decidedAt: DateTime,
  actor: Type.String({ description: 'The actor who decided, as in events.' }),
  actorName: Type.Optional(Type.String({ description: 'The name of the actor, if known.' })),
  code: Type.Optional(Type.String({ description: codeDescription, examples: decisionCodes.slice(0, 1) })),
  message: Type.Optional(Type.String(forDeveloper)),
  fields: Type.Optional(
    Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }), { description: fieldsDescription }),
  ),
  note: Type.Optional(Type.String(forReviewers)),
};
export const DecisionSummary = Type.Object(summary, { $id: 'DecisionSummary' });
export type DecisionSummary = Type.Static<typeof DecisionSummary>;

export const Decision = Type.Object(
  {
    ...summary,
    content: Type.Object(
      { name: Name, logoId: Type.Optional(LogoId), listingInfo: ListingInfo, oauthInfo: OauthInfo },
      { description: 'The content that was decided on.' },
    ),
  },
  { $id: 'Decision', description: 'A decision of a reviewer about an app.' },
);
export type Decision = Type.Static<typeof Decision>;

/** A page of decisions and, if requested, who the actors are. */
export const DecisionPage = Type.Object(
  { ...pageOf(Decision, 'Decision').properties, actors: Type.Optional(Type.Array(ActorName)) },
  { $id: 'DecisionPage', description: 'One page of decisions, with `actors` if `actors` is true.' },
);
export type DecisionPage = Type.Static<typeof DecisionPage>;
