import { Failure, requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import { newId } from '../../kernel/type-id.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { developerRecord } from '../apps/app-view.ts';
import { appendEvent } from '../events/append-event.ts';
import { mark } from '../search/projections.ts';
import { type Developer, NewDeveloper } from './developer.ts';

/** Creates a developer. Refuses with `invalid_content` or `already_exists`. */
export async function createDeveloper(registry: Registry, caller: Caller, input: unknown): Promise<Developer> {
  const given = requireValid(NewDeveloper, input);
  const ids = new PlatformIds();
  const userId =
    given.userId === undefined
      ? newId(registry.userIdPrefix)
      : ids.read(given.userId, registry.userIdPrefix, '/userId');
  throwIfInvalid(ids.errors);

  const at = registry.now();
  const row: DeveloperRow = {
    user_id: userId,
    email: given.email,
    first_name: given.firstName ?? null,
    last_name: given.lastName ?? null,
    created_at: at,
    updated_at: at,
    suspended_at: null,
    suspension_reason: null,
    revision_stamp: newStamp(),
  };
  const stored = await writeIdempotently(registry, caller, {
    content: ['createDeveloper', given],
    work: async (transaction) => {
      const refused = await transaction.insertNew('developers', [row]);
      if (refused.length > 0) {
        throw new Failure('already_exists', `A developer with the user id ${userId} already exists.`);
      }
      await mark(transaction, userId);
      await appendEvent(transaction, { caller, at, type: 'developer.created', subjectId: userId, after: { userId } });
      return { userId };
    },
  });
  return developerRecord({ ...row, user_id: stored.userId });
}
