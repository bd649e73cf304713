import Type from 'typebox';
import { type Failure, invalidContent } from '../../kernel/failure.ts';
import { LogoFileId, UserId } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';
import { entityTag } from '../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag, optional } from '../../kernel/text.ts';
import { drawImage } from './draw-image.ts';
import type { LogoWithoutImage } from './logo-queries.ts';

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
    createdAt: DateTime,
    updatedAt: Type.String({ ...DateTime, description: 'When it was uploaded, or last blocked or unblocked.' }),
    etag: EntityTag,
  },
  { $id: 'Logo', description: 'A logo that apps of its developer can use.' },
);
export type Logo = Type.Static<typeof Logo>;

/** The maximum size of an uploaded image. */
export const imageBytesMax = 1_048_576;

export function logoView({ logoBaseUrl }: Pick<Registry, 'logoBaseUrl'>, logo: LogoWithoutImage): Logo {
  return {
    id: logo.id,
    developerId: logo.developer_id,
    logoUrl: `${logoBaseUrl}/${logo.id}`,
    ...optional({
      blockedAt: logo.blocked_at === null ? null : dateTime(logo.blocked_at),
      blockedReason: logo.blocked_reason,
    }),
    createdAt: dateTime(logo.created_at),
    updatedAt: dateTime(logo.updated_at ?? logo.created_at),
    etag: logoTag(logo),
  };
}

/** The `ETag` of a logo. Its image never changes. */
export function logoTag({
  id,
  developer_id,
  created_at,
  blocked_at,
  blocked_reason,
  updated_at,
}: LogoWithoutImage): string {
  return entityTag({ id, developer_id, created_at, blocked_at, blocked_reason, updated_at });
}

/**
 * The image as a PNG of 512 by 512 pixels, fitted on transparency. It is decoded and redrawn, so that no uploaded byte is
 * ever served. Refuses with `invalid_content`.
 */
export async function renderLogo(image: Uint8Array): Promise<Uint8Array> {
  if (image.byteLength > imageBytesMax) throw unusable('The image must have at most 1 MiB.');
  return redrawLogo(image);
}

/** Renders an image that already was a logo, of any size. Redrawing it changes nothing. */
export async function redrawLogo(image: Uint8Array): Promise<Uint8Array> {
  const drawn = await drawImage(image);
  switch (drawn.outcome) {
    case 'drawn':
      return drawn.png;
    case 'refused':
      throw unusable(drawn.reason);
    case 'unreadable':
      throw unusable('The file cannot be read as a PNG, JPEG, WebP or SVG image.');
  }
}

function unusable(detail: string): Failure {
  return invalidContent([{ pointer: '', code: 'invalid_format', detail }]);
}
