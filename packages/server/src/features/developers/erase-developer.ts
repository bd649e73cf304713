import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { revokeTokensIn } from '../access/revoke-tokens-of-developer.ts';
import { developerRecord } from '../apps/app-view.ts';
import { appendEvent } from '../events/append-event.ts';
import { catchUp } from '../search/projections.ts';
import { type ErasedDeveloper, erasedEmail } from './developer.ts';
import { lockDeveloper, replaceDeveloper, requireDeveloperId } from './replace-developer.ts';

/**
 * Removes the personal data of a developer and revokes their tokens (decision 36). The user id, the apps and the
 * history remain. Repeating it changes nothing. Refuses with `developer_not_found`.
 */
export async function eraseDeveloper(registry: Registry, caller: Caller, id: string): Promise<ErasedDeveloper> {
  const userId = requireDeveloperId(registry, id);
  const person = { email: erasedEmail, first_name: null, last_name: null };
  const erased = await writeIdempotently<ErasedDeveloper>(registry, caller, {
    content: ['eraseDeveloper', userId],
    work: async (transaction) => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at }, userId);
      const { developer, changed } = await replaceDeveloper(transaction, before, { person, at });
      if (changed.length > 0) {
        await appendEvent(transaction, { caller, at, type: 'developer.erased', subjectId: userId });
      }
      return { ...developerRecord(developer), tokensRevoked };
    },
  });
  // Only then is nothing left of the person.
  await catchUp(registry);
  return erased;
}
