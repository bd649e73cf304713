import Type from 'typebox';
import { DryRunQuery, orDryRun } from '../../kernel/dry-run-result.ts';
import { write } from '../../kernel/idempotency.ts';
import { operation } from '../../kernel/operation.ts';
import { revokeTokensIn } from '../access/revoke-tokens-of-developer.ts';
import { developerRecord } from '../apps/app-view.ts';
import { lockDeveloper, replaceDeveloper, requireDeveloperId } from '../developers/change-developer.ts';
import { Developer, erasedEmail } from '../developers/developer.ts';
import { appendEvent } from '../events/append-event.ts';
import { catchUp } from '../search/projections.ts';

/** A developer after erasure. */
const ErasedDeveloper = Type.Object(
  { ...Developer.properties, tokensRevoked: Type.Integer({ minimum: 0 }) },
  { $id: 'ErasedDeveloper', description: 'A developer whose personal data was erased.' },
);

/** Removes the personal data of a developer and revokes their tokens (decision 36). Repeating it changes nothing. */
export const eraseDeveloper = operation({
  id: 'eraseDeveloper',
  method: 'POST',
  path: '/operator/v1/developers/:userId/erase',
  summary: 'Erase a developer',
  description:
    'Permanently deletes the personal data of a developer and revokes their tokens. The user id, the apps and the history remain.',
  scope: 'admin',
  query: DryRunQuery,
  response: orDryRun(ErasedDeveloper, 'ErasedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { userId } }) => ({ developerId: userId }),
  command: {
    name: 'developer erase',
    description:
      'Permanently erase the email address and names of a developer, and revoke their tokens. The user id, apps and history remain. If another developer takes over, transfer the apps first.',
    arguments: { userId: '<id> the user id, as a TypeID or UUID' },
    examples: ['app-registry developer erase user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, params }) {
    const userId = requireDeveloperId(registry, params.userId);
    const person = { email: erasedEmail, first_name: null, last_name: null };
    const erased = await write(registry, caller, async (transaction) => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at }, userId);
      const { developer, changed } = await replaceDeveloper(transaction, before, { person, at });
      if (changed.length > 0) {
        await appendEvent(transaction, { caller, at, type: 'developer.erased', subjectId: userId });
      }
      return { ...developerRecord(developer), tokensRevoked };
    });
    // Only then is nothing left of the person.
    await catchUp(registry);
    return erased;
  },
});
