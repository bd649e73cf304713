import { createHash } from 'node:crypto';
import { developerNotFound, Failure, invalidContent, requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
import { findDeveloper } from '../developers/developer-queries.ts';
import { appendEvent } from '../events/append-event.ts';
import { type Logo, NewLogo } from './logo.ts';
import { renderLogo } from './logo-image.ts';
import { insertLogo } from './logo-queries.ts';
import { logoView } from './logo-view.ts';

/**
 * Stores a logo for the apps of one developer (decision 12). Refuses with `invalid_content` (also for an unusable
 * image) or `developer_not_found`.
 */
export async function createLogo(registry: Registry, caller: Caller, input: unknown): Promise<Logo> {
  const { image, ...given } = requireValid(NewLogo, input);
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
      const logo = { id, developer_id: developerId, png, created_at: at, blocked_at: null, blocked_reason: null };
      await insertLogo(transaction, logo);
      await appendEvent(transaction, { caller, at, type: 'logo.created', subjectId: id, after: { developerId } });
      return logoView(registry, logo);
    },
  });
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
