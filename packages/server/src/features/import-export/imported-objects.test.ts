import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import { ImportedObjects } from './imported-objects.ts';

test('every object is found again with its first line, among very many', () => {
  const objects = new ImportedObjects();
  const ids = Array.from({ length: 50_000 }, () => newId('app'));
  for (const [at, id] of ids.entries()) assert.equal(objects.add(id, { line: at + 1 }), undefined);
  for (const [at, id] of ids.entries()) {
    assert.equal(objects.add(id, { line: 1_000_000 }), at + 1);
    assert.deepEqual(objects.placeOf(id), { line: at + 1 });
    assert.equal(objects.isRefused(id), false);
  }
  assert.equal(objects.placeOf(newId('app')), undefined);
});

test('a refused object is recognised, with its line and the file of its kind', () => {
  const objects = new ImportedObjects();
  const [app, user] = [newId('app'), newId('user')];
  objects.add(app, { file: 'products.csv', line: 7 });
  objects.add(user, { file: 'partners.csv', line: 8 });
  objects.markRefused(app);
  assert.deepEqual([objects.isRefused(app), objects.isRefused(user)], [true, false]);
  assert.deepEqual(objects.placeOf(app), { file: 'products.csv', line: 7 });
  objects.markRefused('app_unknown');
  assert.equal(objects.isRefused('app_unknown'), false);
});
