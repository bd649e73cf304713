import { createHash } from 'node:crypto';
import Type from 'typebox';
import { PlatformIds, requirePlatformId, throwIfInvalid } from '../../kernel/check.ts';
import { developerNotFound, Failure, invalidContent } from '../../kernel/failure.ts';
import { write, writeIdempotently } from '../../kernel/idempotency.ts';
import { isTypeId, newId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { pageOf, pageParameters, readPage, sortingOf, sortParameter } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { type RevisionCondition, requireUnchanged } from '../../kernel/revision.ts';
import { ChangeReason } from '../../kernel/text.ts';
import type { Connection } from '../../storage/query.ts';
import type { LogoRow } from '../../storage/tables.ts';
import { findDeveloper } from '../developers/developer-queries.ts';
import { appendEvent, appendEvents, type Change } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';
import { listTransfersSince } from '../events/event-queries.ts';
import { imageBytesMax, Logo, logoTag, logoView, renderLogo } from './logo.ts';
import {
  deleteLogo as deleteLogoRow,
  findLogo,
  findLogoForUpdate,
  findLogoWithoutImage,
  insertLogo,
  type LogoWithoutImage,
  listAppsWithLogo,
  listLogoPage,
  listLogosForUpdate,
  updateLogoBlock,
} from './logo-queries.ts';

const path = '/operator/v1/logos';
const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];
const argumentsOfOne = { id: 'the logo id' };
const neverBlocked = { blocked_at: null, blocked_reason: null, updated_at: null };
/** How many apps a refusal to delete a logo lists. */
const listedMax = 10;

const DeveloperId = Type.String({ minLength: 1, maxLength: 100 });

/** The upload of a logo: a form with two parts. */
const NewLogo = Type.Object(
  {
    developerId: DeveloperId,
    // Without a type: JSON Schema has none for bytes.
    image: Type.Unsafe<Uint8Array>({
      contentMediaType: 'application/octet-stream',
      description:
        'A PNG, JPEG, WebP or SVG image, of at most 1 MiB, and of at most 4,096 pixels a side unless it is an SVG.',
    }),
  },
  { $id: 'NewLogo', additionalProperties: false },
);

const LogoQuery = Type.Object(
  { developerId: Type.Optional(DeveloperId), ...sortParameter(['id'], 'id'), ...pageParameters },
  { additionalProperties: false },
);

const LogoBlock = Type.Object(
  { reason: Type.String({ ...ChangeReason, description: 'Why it is blocked. The logo and the event show it.' }) },
  { $id: 'LogoBlock', additionalProperties: false },
);

const listLogos = operation({
  id: 'listLogos',
  method: 'GET',
  path,
  summary: 'List logos',
  scope: 'read',
  query: LogoQuery,
  response: pageOf(Logo, 'Logo'),
  command: {
    name: 'logo list',
    description: 'List logos.',
    options: { developerId: '--developer <id> only logos of this developer, by user id' },
    columns: ['id', 'developerId', 'logoUrl', 'blockedAt'],
    examples: ['app-registry logo list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, query }) {
    const { developerId: text } = query;
    const developerId = text && requirePlatformId(text, registry.userIdPrefix, '/developerId');
    const sorting = sortingOf(query, { id: ['id'] }, 'id');
    return readPage(query, {
      name: 'logos',
      byDefault: 'id',
      filters: { developerId },
      read: (request) => listLogoPage(registry.storage.reader, { developerId }, { ...request, sorting }),
      view: (row) => logoView(registry, row),
    });
  },
});

const getLogo = operation({
  id: 'getLogo',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a logo',
  description: 'Its image is at `logoUrl`.',
  scope: 'read',
  response: Logo,
  refusals: ['logo_not_found'],
  command: {
    name: 'logo get',
    description: 'Print a logo: its developer, the URL of its image, and whether it is blocked.',
    arguments: argumentsOfOne,
    examples: ['app-registry logo get logo_01jq3w6n4pf8vt2b1x9r3m7k5a'],
  },
  async run({ registry, params: { id } }) {
    const logo = isTypeId(id, 'logo') ? await findLogoWithoutImage(registry.storage.reader, { id }) : null;
    if (!logo) throw logoNotFound(id);
    return logoView(registry, logo);
  },
});

export const createLogo = operation({
  id: 'createLogo',
  method: 'POST',
  path,
  summary: 'Upload a logo for the apps of one developer',
  description: 'The image is converted to a PNG of 512 by 512 pixels. Set the id as `logoId` of an app to show it.',
  scope: 'portal',
  form: { parts: NewLogo, file: { name: 'image', bytesMax: imageBytesMax, mediaTypes } },
  creates: true,
  response: Logo,
  refusals: ['developer_not_found'],
  command: {
    name: 'logo create',
    description:
      'Store a PNG, JPEG, WebP or SVG image, of at most 1 MiB and 4096 pixels a side, as a logo of a developer.',
    arguments: { image: '<file> the image' },
    options: { developerId: '--developer <id> the user id of the developer whose apps may use it' },
    examples: ['app-registry logo create ./logo.png --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, body: { image, ...given } }) {
    const ids = new PlatformIds();
    const developerId = ids.read(given.developerId, registry.userIdPrefix, '/developerId');
    const png = await draw(image, ids.errors);
    throwIfInvalid(ids.errors);

    const id = newId('logo');
    const at = registry.now();
    return writeIdempotently(registry, caller, {
      content: ['createLogo', developerId, createHash('sha256').update(image).digest('hex')],
      work: async (transaction) => {
        if (!(await findDeveloper(transaction, { userId: developerId }))) throw developerNotFound(developerId);
        const logo = { id, developer_id: developerId, png, created_at: at, ...neverBlocked };
        await insertLogo(transaction, logo);
        await appendEvent(transaction, { caller, at, type: 'logo.created', subjectId: id, after: { developerId } });
        return logoView(registry, logo);
      },
    });
  },
});

const blockLogo = operation({
  id: 'blockLogo',
  method: 'POST',
  path: `${path}/:id/block`,
  summary: 'Block a logo',
  description:
    'Its image then returns 404, and no app can set it. Apps that use it keep it, but show no image. Copies made by app transfers are blocked too. Blocking a blocked logo changes nothing.',
  scope: 'review',
  body: LogoBlock,
  ifMatch: true,
  response: Logo,
  refusals: ['logo_not_found'],
  command: {
    name: 'logo block',
    description:
      'Block a logo and the copies made of it by app transfers: its image returns 404, and no app can set it.',
    arguments: argumentsOfOne,
    options: { reason: '<text> why, for operators' },
    notes:
      'Apps that use the logo keep it, but show no image. Caches may hold the image for a year: purge it from the CDN.',
    examples: ['app-registry logo block logo_01jq3w6n4pf8vt2b1x9r3m7k5a --reason "Shows a foreign trademark."'],
  },
  async run({ registry, caller, params: { id }, body: { reason }, ...call }) {
    return write(registry, caller, async (transaction) => {
      const logos = await lockCopies(transaction, id, call);
      const at = registry.now();
      const blocked = logos
        .filter((logo) => logo.blocked_at === null)
        .map((logo) => ({ ...logo, blocked_at: at, blocked_reason: reason, updated_at: at }));
      for (const logo of blocked) await updateLogoBlock(transaction, logo);
      await appendEvents(transaction, { caller: { ...caller, reason }, at, changes: blocked.map(logoBlocked) });
      return logoView(registry, blocked.find((logo) => logo.id === id) ?? logos[0]);
    });
  },
});

const unblockLogo = operation({
  id: 'unblockLogo',
  method: 'POST',
  path: `${path}/:id/unblock`,
  summary: 'Unblock a logo',
  description: 'Unblocks the copies made by app transfers too.',
  scope: 'review',
  ifMatch: true,
  response: Logo,
  refusals: ['logo_not_found'],
  command: {
    name: 'logo unblock',
    description: 'Unblock a logo: its image is served again, and apps can set it.',
    arguments: argumentsOfOne,
    examples: ['app-registry logo unblock logo_01jq3w6n4pf8vt2b1x9r3m7k5a'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    return write(registry, caller, async (transaction) => {
      const logos = await lockCopies(transaction, id, call);
      const blocked = logos.filter((logo) => logo.blocked_at !== null);
      const at = registry.now();
      const unblocked = { blocked_at: null, blocked_reason: null, updated_at: at };
      for (const logo of blocked) await updateLogoBlock(transaction, { ...logo, ...unblocked });
      await appendEvents(transaction, { caller, at, changes: blocked.map(logoUnblocked) });
      return logoView(registry, blocked[0]?.id === id ? { ...logos[0], ...unblocked } : logos[0]);
    });
  },
});

/** Revisions of the history may still name the logo: they cannot be brought back. */
const deleteLogo = operation({
  id: 'deleteLogo',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete a logo that no app uses',
  description:
    'A logo is in use if it is in the current or approved content of an app, including deleted apps that can be restored.',
  scope: 'admin',
  ifMatch: true,
  response: Logo,
  refusals: ['logo_not_found', 'logo_in_use'],
  command: {
    name: 'logo delete',
    description: 'Delete an unused logo. Approved content and deleted apps that can be restored also count as uses.',
    arguments: argumentsOfOne,
    examples: ['app-registry logo delete logo_01jq3w6n4pf8vt2b1x9r3m7k5a'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    return write(registry, caller, async (transaction) => {
      const logo = await lockLogo(transaction, id, call);
      const apps = await listAppsWithLogo(transaction, { id, developerId: logo.developer_id, limit: listedMax + 1 });
      if (apps.length > 0) throw logoInUse(apps.map((app) => app.id));
      await deleteLogoRow(transaction, { id });
      const before = { developerId: logo.developer_id };
      await appendEvent(transaction, { caller, at: registry.now(), type: 'logo.deleted', subjectId: id, before });
      return logoView(registry, logo);
    });
  },
});

/** The images that apps show. */
export const logoOperations = byId(listLogos, createLogo, getLogo, blockLogo, unblockLogo, deleteLogo);

/** The image of a logo, as PNG. Refuses with `logo_not_found`, also when the logo is blocked. */
export async function readLogoImage(registry: Registry, id: string): Promise<Uint8Array> {
  const logo = isTypeId(id, 'logo') ? await findLogo(registry.storage.reader, { id }) : null;
  if (!logo || logo.blocked_at !== null) throw new Failure('logo_not_found', 'No logo has this id.');
  return logo.png;
}

/** Renders the image as it is stored. Its errors are reported together with the others. */
async function draw(image: Uint8Array, others: ValidationError[]): Promise<Uint8Array> {
  try {
    return await renderLogo(image);
  } catch (error) {
    if (!(error instanceof Failure) || !error.errors) throw error;
    throw invalidContent([...others, ...error.errors.map((error) => ({ ...error, pointer: '/image' }))]);
  }
}

/**
 * A logo, followed by all copies that transfers have made of it or of its original, locked until the write ends. A transfer
 * whose event is archived is not known any more. Refuses with `logo_not_found`.
 */
async function lockCopies(
  transaction: Connection,
  id: string,
  condition: RevisionCondition,
): Promise<[LogoWithoutImage, ...LogoWithoutImage[]]> {
  // First, so that a transfer that copies it now has ended before the transfers are read.
  const logo = await lockLogo(transaction, id, condition);
  const ids = await listCopies(transaction, id);
  return [logo, ...(ids.length === 0 ? [] : await listLogosForUpdate(transaction, ids))];
}

/** A logo without its image, locked until the write ends. Refuses with `logo_not_found`. */
async function lockLogo(transaction: Connection, id: string, condition: RevisionCondition): Promise<LogoWithoutImage> {
  const logo = isTypeId(id, 'logo') ? await findLogoForUpdate(transaction, { id }) : null;
  if (!logo) throw logoNotFound(id);
  requireUnchanged('logo', logoTag(logo), condition);
  return logo;
}

function logoNotFound(id: string): Failure {
  return new Failure('logo_not_found', `No logo has the id ${id}. Check the id.`);
}

/** The ids of the same image, but for this one. */
async function listCopies(transaction: Connection, id: string): Promise<string[]> {
  const copies = new Map<string, string[]>();
  for (const { before, after } of await listTransfersSince(transaction, { since: 0 })) {
    const [from, to] = [logosIn(before), logosIn(after)];
    for (const [at, original] of from.entries()) {
      const copy = to[at];
      if (!original || !copy) continue;
      copies.set(original, [...(copies.get(original) ?? []), copy]);
      copies.set(copy, [...(copies.get(copy) ?? []), original]);
    }
  }
  const found = new Set([id]);
  // A set also visits what is added meanwhile.
  for (const one of found) for (const copy of copies.get(one) ?? []) found.add(copy);
  found.delete(id);
  return [...found];
}

function logosIn(data: string | null): (string | null | undefined)[] {
  const { logoId, approvedLogoId }: Partial<EventData['app.transferred']['before']> = JSON.parse(data ?? '{}');
  return [logoId, approvedLogoId];
}

function logoInUse(appIds: string[]): Failure {
  const listed = appIds.slice(0, listedMax).join(', ');
  const others = appIds.length > listedMax ? ' and others' : '';
  return new Failure(
    'logo_in_use',
    `The logo is used by ${listed}${others}. Give these apps another logo, and have the change approved where the logo is approved; a deleted app uses its logo until it is purged. To stop showing the image at once, block the logo.`,
  );
}

/** The event that a logo was blocked. */
export function logoBlocked({
  id,
  developer_id: developerId,
  blocked_reason: reason,
}: Pick<LogoRow, 'id' | 'developer_id' | 'blocked_reason'>): Change {
  return { type: 'logo.blocked', subjectId: id, after: { developerId, reason: reason ?? '' } };
}

function logoUnblocked({ id, developer_id: developerId, blocked_reason: reason }: LogoWithoutImage): Change {
  return { type: 'logo.unblocked', subjectId: id, before: { developerId, reason: reason ?? '' } };
}
