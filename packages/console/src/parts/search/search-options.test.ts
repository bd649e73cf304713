import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactHref, optionGroups } from './search-options.ts';

const links = [
  { name: 'Apps', href: '#/apps' },
  { name: 'Café Sync', names: ['Café Sync', 'app_1'], href: '#/apps/app_1' },
  { name: 'Twice', names: ['Twice', 'app_2'], href: '#/apps/app_2' },
  { name: 'Twice', names: ['Twice', 'app_3'], href: '#/apps/app_3' },
];

test('a text that names one object or section exactly leads to it, without regard to case and accents', () => {
  const led = (typed: string) => exactHref(typed, links);
  assert.deepEqual([' cafe sync', 'app_3', 'apps'].map(led), ['#/apps/app_1', '#/apps/app_3', '#/apps']);
  assert.deepEqual(['cafe', 'twice', ''].map(led), [undefined, undefined, undefined]);
});

test('the commands of the page come first, and all results last', () => {
  const commands = [{ name: 'Approve', group: 'This app', run: () => {} }];
  const groups = optionGroups({ typed: 'app', commands, pages: links.slice(0, 1), hits: [] });
  assert.deepEqual(
    groups.map(({ name, options }) => [name, ...options.map((option) => option.name)]),
    [
      ['This app', 'Approve'],
      ['Go to', 'Apps'],
      ['', 'All results for “app”'],
    ],
  );
});
