import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const longAgo = '2024-01-01T00:00:00.000Z';
const noRequest = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';

/** Of another registry. */
const foreignCursor = Buffer.from(JSON.stringify(['00000000', 0, 'event_01jq3w4m2je6vs9a1w7p3n0d5e'])).toString(
  'base64url',
);

export const events: ParityCase[] = [
  done('listEvents', cli`event list --app ${ids.draft} --limit 3`, { query: { appId: ids.draft, limit: '3' } }),
  done('listEvents', cli`event list --app ${ids.draft} --cursor nextCursor`, {
    query: { appId: ids.draft, cursor: 'nextCursor' },
  }),
  done('listEvents', cli`event list --app ${ids.draft} --newest-first --limit 3`, {
    query: { appId: ids.draft, newestFirst: 'true', limit: '3' },
  }),
  done('listEvents', cli`event list --app ${ids.draft} --newest-first --cursor nextCursor`, {
    query: { appId: ids.draft, newestFirst: 'true', cursor: 'nextCursor' },
  }),
  done('listEvents', cli`event list --since ${longAgo} --workspaces`, {
    query: { since: longAgo, workspaces: 'true' },
  }),
  done('listEvents', cli`event list --app ${ids.draft} --field oauthInfo.callbackUrl`, {
    query: { appId: ids.draft, field: 'oauthInfo.callbackUrl' },
  }),
  done('listEvents', cli`event list --field name --contains E --newest-first --limit 2`, {
    query: { field: 'name', contains: 'E', newestFirst: 'true', limit: '2' },
  }),
  done('listEvents', cli`event list --field name --contains E --newest-first --cursor nextCursor`, {
    query: { field: 'name', contains: 'E', newestFirst: 'true', cursor: 'nextCursor' },
  }),
  done('listEvents', cli`event list --contains example.com --since ${longAgo} --workspaces`, {
    query: { contains: 'example.com', since: longAgo, workspaces: 'true' },
  }),
  // What was imported was so by a command, in both.
  done('listEvents', cli`event list --actor command-line:seed --actors --limit 3`, {
    query: { actor: 'command-line:seed', actors: 'true', limit: '3' },
  }),
  done('listEvents', cli`event list --types app.created --about ${ids.grace} --newest-first --limit 1`, {
    query: { types: 'app.created', about: ids.grace, newestFirst: 'true', limit: '1' },
  }),
  done('listEvents', cli`event list --effective-only --limit 3`, { query: { effectiveOnly: 'true', limit: '3' } }),
  done('listEvents', cli`event list --app ${ids.draft} --until ${longAgo}`, {
    query: { appId: ids.draft, until: longAgo },
  }),
  refused('listEvents invalid_content', cli`event list --types app.made --until yesterday`, {
    query: { types: 'app.made', until: 'yesterday' },
  }),
  done('listEvents', cli`event list --request ${noRequest}`, { query: { requestId: noRequest } }),
  refused('listEvents invalid_content', cli`event list --app draft --since yesterday`, {
    query: { appId: 'draft', since: 'yesterday' },
  }),
  refused('listEvents invalid_content', cli`event list --field name --contains ${''}`, {
    query: { field: 'name', contains: '' },
  }),
  refused('listEvents invalid_content', cli`event list --app ${ids.draft} --actor maintenance`, {
    query: { appId: ids.draft, actor: 'maintenance' },
  }),
  done('readEventFeed', cli`event read-feed --app ${ids.draft} --types app.created,app.updated --limit 1`, {
    query: { appId: ids.draft, types: 'app.created,app.updated', limit: '1' },
  }),
  done('readEventFeed', cli`event read-feed --app ${ids.draft} --after nextCursor`, {
    query: { appId: ids.draft, after: 'nextCursor' },
  }),
  // So old that it is not a time at which one of them has begun.
  done('readEventFeed', cli`event read-feed --effective-only --limit 3`, {
    query: { effectiveOnly: 'true', limit: '3' },
  }),
  done('readEventFeed', cli`event read-feed --after ${longAgo} --limit 3`, { query: { after: longAgo, limit: '3' } }),
  done('readEventFeed', cli`event read-feed --after now --wait 1`, { query: { after: 'now', wait: '1' } }),
  refused('readEventFeed invalid_content', cli`event read-feed --after yesterday --app draft`, {
    query: { after: 'yesterday', appId: 'draft' },
  }),
  refused('readEventFeed cursor_expired', cli`event read-feed --after ${foreignCursor}`, {
    query: { after: foreignCursor },
  }),
];
