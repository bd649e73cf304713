import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const unknown = 'protected_01jq3w5n3kf7wt0b2x8q4p1e6f';
const note = 'Ask for the licence.';

export const protectedNames: ParityCase[] = [
  done('createProtectedName', cli`protected-name create --name Approved --developer ${ids.grace} --note ${note}`, {
    body: { name: 'Approved', developerIds: [ids.grace], note },
  }),
  done('createProtectedName', cli`protected-name create --host approved.example`, {
    body: { host: 'approved.example' },
  }),
  refused('createProtectedName already_exists', cli`protected-name create --name appr0ved`, {
    body: { name: 'appr0ved' },
  }),
  refused(
    'createProtectedName invalid_content',
    cli`protected-name create --host evil.example/path --developer no_user`,
    {
      body: { host: 'evil.example/path', developerIds: ['no_user'] },
    },
  ),
  refused('createProtectedName invalid_content', cli`protected-name create`, { body: {} }),

  done('listProtectedNames', cli`protected-name list --limit 1`, { query: { limit: '1' } }),
  done('listProtectedNames', cli`protected-name list --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  refused('listProtectedNames invalid_content', cli`protected-name list --limit 0`, { query: { limit: '0' } }),

  // Its warnings name what is protected.
  done('getAppAsOperator', cli`app get ${ids.approved}`, { id: ids.approved }),

  done('deleteProtectedName', cli`protected-name delete protected#1`, { id: 'protected#1' }),
  refused('deleteProtectedName protected_name_not_found', cli`protected-name delete ${unknown}`, { id: unknown }),
];
