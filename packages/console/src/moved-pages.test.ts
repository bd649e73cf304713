import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedTo } from './moved-pages.ts';
import { readRoute } from './route.ts';

test('old addresses lead to where their pages are now, with what they filter by', () => {
  const moved = {
    '#/deleted-apps?developerId=user_1&sort=deletedAt': '#/apps?show=deleted&developerId=user_1&sort=deletedAt',
    '#/logos?developerId=user_1': '#/apps?show=logos&developerId=user_1',
    '#/templates': '#/settings/reason-templates',
    '#/protected-names': '#/settings/protected-names',
    '#/installations': '#/workspaces',
    '#/installations?userId=user_1': '#/workspaces?userId=user_1',
    '#/installations?workspaceId=workspace_1': '#/workspaces/workspace_1',
    '#/installations?appId=app_1&workspaceId=workspace_1': '#/apps/app_1/installations?workspaceId=workspace_1',
  };
  for (const [from, to] of Object.entries(moved)) assert.equal(movedTo(readRoute(from)), to);
});

test('the address of a page that is where it was stays', () => {
  for (const href of ['', '#/', '#/apps?show=deleted', '#/workspaces/workspace_1', '#/settings/protected-names']) {
    assert.equal(movedTo(readRoute(href)), undefined);
  }
});
