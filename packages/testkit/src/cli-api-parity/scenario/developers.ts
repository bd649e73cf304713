import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const uuid = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';

export const developers: ParityCase[] = [
  done('createDeveloper', cli`developer create --email joan@example.com`, { body: { email: 'joan@example.com' } }),
  done('createDeveloper', cli`developer create --email b@example.com --first-name B --last-name C --user-id ${uuid}`, {
    body: { email: 'b@example.com', firstName: 'B', lastName: 'C', userId: uuid },
  }),
  refused('createDeveloper already_exists', cli`developer create --email a@b.example --user-id ${ids.ada}`, {
    body: { email: 'a@b.example', userId: ids.ada },
  }),
  refused('createDeveloper invalid_content', cli`developer create --email ada --first-name ${''}`, {
    body: { email: 'ada', firstName: '' },
  }),
  refused('createDeveloper invalid_content', cli`developer create --email a@b.example --user-id ada`, {
    body: { email: 'a@b.example', userId: 'ada' },
  }),

  done('listDevelopers', cli`developer list --limit 2`, { query: { limit: '2' } }),
  done('listDevelopers', cli`developer list --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  done('listDevelopers', cli`developer list --sort -email --with-total`, {
    query: { sort: '-email', withTotal: 'true' },
  }),
  refused('listDevelopers invalid_content', cli`developer list --cursor x --limit 101`, {
    query: { cursor: 'x', limit: '101' },
  }),
  refused('listDevelopers invalid_content', cli`developer list --cursor x`, { query: { cursor: 'x' } }),

  done('getDeveloper', cli`developer get ${ids.ada}`, { id: ids.ada }),
  done('getDeveloper', cli`developer get ${uuid}`, { id: uuid }),
  refused('getDeveloper developer_not_found', cli`developer get ${ids.noDeveloper}`, { id: ids.noDeveloper }),
  refused('getDeveloper developer_not_found', cli`developer get ada`, { id: 'ada' }),

  done('updateDeveloper', cli`developer update ${ids.ada} --email a@example.com --first-name A --last-name L`, {
    id: ids.ada,
    body: { email: 'a@example.com', firstName: 'A', lastName: 'L' },
  }),
  done('updateDeveloper', cli`developer update ${ids.ada} --no-first-name --no-last-name`, {
    id: ids.ada,
    body: { firstName: null, lastName: null },
  }),
  refused('updateDeveloper developer_not_found', cli`developer update ${ids.noDeveloper} --first-name N`, {
    id: ids.noDeveloper,
    body: { firstName: 'N' },
  }),
  refused('updateDeveloper invalid_content', cli`developer update ${ids.ada} --email @ --first-name ${' '}`, {
    id: ids.ada,
    body: { email: '@', firstName: ' ' },
  }),
];
