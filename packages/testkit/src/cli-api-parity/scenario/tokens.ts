import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const longAgo = '2024-01-01T00:00:00.000Z';

export const tokens: ParityCase[] = [
  done('issueToken', cli`token issue --kind developer --developer ${ids.leaving} --updates-per-minute 5`, {
    body: { kind: 'developer', developerId: ids.leaving, updatesPerMinute: 5 },
  }),
  done('issueToken', cli`token issue --kind platform --name Shop --expires-in 1d --reads-per-minute 0`, {
    body: { kind: 'platform', name: 'Shop', expiresIn: 86_400, readsPerMinute: 0 },
  }),
  done('issueToken', cli`token issue --kind operator --scope read review`, {
    body: { kind: 'operator', scopes: ['read', 'review'] },
  }),
  refused('issueToken developer_not_found', cli`token issue --kind developer --developer ${ids.noDeveloper}`, {
    body: { kind: 'developer', developerId: ids.noDeveloper },
  }),
  refused(
    'issueToken invalid_content',
    cli`token issue --kind platform --developer ${ids.ada} --scope read --updates-per-minute 5`,
    { body: { kind: 'platform', developerId: ids.ada, scopes: ['read'], updatesPerMinute: 5 } },
  ),
  refused('issueToken invalid_content', cli`token issue --kind platform --name ${''} --reads-per-minute 1000000000`, {
    body: { kind: 'platform', name: '', readsPerMinute: 1_000_000_000 },
  }),

  done('listTokens', cli`token list --limit 2`, { query: { limit: '2' } }),
  done('listTokens', cli`token list --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  done('listTokens', cli`token list --developer ${ids.leaving} --kind developer`, {
    query: { developerId: ids.leaving, kind: 'developer' },
  }),
  done('listTokens', cli`token list --sort -expiresAt --with-total`, {
    query: { sort: '-expiresAt', withTotal: 'true' },
  }),
  refused('listTokens invalid_content', cli`token list --developer ada`, { query: { developerId: 'ada' } }),

  done('getToken', cli`token get token#3`, { id: 'token#3' }),
  refused('getToken token_not_found', cli`token get ${ids.noToken}`, { id: ids.noToken }),

  done('listTokenChanges', cli`token list-changes token#3`, { id: 'token#3' }),
  done('listTokenChanges', cli`token list-changes oidc:ada --since ${longAgo}`, {
    id: 'oidc:ada',
    query: { since: longAgo },
  }),
  refused('listTokenChanges invalid_content', cli`token list-changes token#3 --since soon --cursor none`, {
    id: 'token#3',
    query: { since: 'soon', cursor: 'none' },
  }),
  refused('listTokenChanges token_not_found', cli`token list-changes ${ids.noToken}`, { id: ids.noToken }),

  done('revokeToken', cli`token revoke token#3 --dry-run`, { id: 'token#3', query: { dryRun: 'true' } }),
  done('revokeToken', cli`token revoke token#3`, { id: 'token#3' }),
  done('revokeToken', cli`token revoke token#3`, { id: 'token#3' }),
  refused('revokeToken token_not_found', cli`token revoke token`, { id: 'token' }),

  done('revokeTokensOfDeveloper', cli`token revoke --developer ${ids.leaving}`, { id: ids.leaving }),
  refused('revokeTokensOfDeveloper developer_not_found', cli`token revoke --developer ${ids.noDeveloper}`, {
    id: ids.noDeveloper,
  }),
];
