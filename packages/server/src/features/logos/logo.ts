import Type from 'typebox';
import { LogoFileId, UserId } from '../../kernel/ids.ts';
import { pageParameters } from '../../kernel/page-parameters.ts';
import { Reason } from '../apps/review/decision.ts';

/** A logo that apps of its developer can show. */
export const Logo = Type.Object(
  {
    id: LogoFileId,
    developerId: UserId,
    logoUrl: Type.String({ format: 'uri' }),
    blockedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it was blocked: since then its image returns 404, and no app can set it.',
      }),
    ),
    blockedReason: Type.Optional(Type.String()),
  },
  { $id: 'Logo', description: 'A logo that apps of its developer can use.' },
);
export type Logo = Type.Static<typeof Logo>;

/** The maximum size of an uploaded image (decision 12). */
export const imageBytesMax = 1_048_576;

/** The upload of a logo: a form with two parts. */
export const NewLogo = Type.Object(
  {
    developerId: Type.String({ minLength: 1, maxLength: 100 }),
    // Without a type: JSON Schema has none for bytes.
    image: Type.Unsafe<Uint8Array>({
      contentMediaType: 'application/octet-stream',
      description:
        'A PNG, JPEG, WebP or SVG image, of at most 1 MiB, and of at most 4,096 pixels a side unless it is an SVG.',
    }),
  },
  { $id: 'NewLogo', additionalProperties: false },
);
export type NewLogo = Type.Static<typeof NewLogo>;

/** Why a logo is blocked. */
export const LogoBlock = Type.Object({ reason: Reason }, { $id: 'LogoBlock', additionalProperties: false });
export type LogoBlock = Type.Static<typeof LogoBlock>;

/** The query of a page of logos. */
export const LogoQuery = Type.Object(
  { developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })), ...pageParameters },
  { additionalProperties: false },
);
export type LogoQuery = Type.Static<typeof LogoQuery>;
