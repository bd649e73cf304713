import { requireValid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { appendEvent } from '../events/append-event.ts';
import { DeveloperUpdate, type OperatorDeveloper } from './developer.ts';
import { type ChangedDeveloper, operatorDeveloperView, withoutPerson } from './developer-view.ts';
import { lockDeveloper, replaceDeveloper, requireDeveloperId } from './replace-developer.ts';

/**
 * Updates the given fields of a developer, and thereby the platform views of their apps. The event names the fields
 * without their values. Refuses with `invalid_content` or `developer_not_found`.
 */
export async function updateDeveloper(
  registry: Registry,
  caller: Caller,
  input: { userId: string; update: unknown },
): Promise<OperatorDeveloper> {
  const person = givenPerson(requireValid(DeveloperUpdate, input.update));
  const userId = requireDeveloperId(registry, input.userId);
  const { row } = await writeIdempotently<ChangedDeveloper>(registry, caller, {
    content: ['updateDeveloper', userId, person],
    work: async (transaction) => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const { developer, changed } = await replaceDeveloper(transaction, before, { person, at });
      if (changed.length > 0) {
        await appendEvent(transaction, { caller, at, type: 'developer.updated', subjectId: userId, changed });
      }
      return { row: developer };
    },
    form: withoutPerson(userId),
  });
  return operatorDeveloperView(row);
}

function givenPerson({ email, firstName, lastName }: DeveloperUpdate) {
  return {
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { first_name: firstName }),
    ...(lastName !== undefined && { last_name: lastName }),
  };
}
