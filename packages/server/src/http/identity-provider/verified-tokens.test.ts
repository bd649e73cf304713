import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { VerifiedTokens } from './verified-tokens.ts';

const now = Date.parse('2026-03-01T09:30:00.000Z');

test('a token is found until it expires, and never again', () => {
  const tokens = new VerifiedTokens();
  const holder = holderCalled('ada');
  tokens.add('a', { holder, goodUntil: now + 1 });
  assert.equal(tokens.find('a', now)?.holder, holder);
  assert.equal(tokens.find('b', now), null);
  assert.equal(tokens.find('a', now + 1), null);
  assert.equal(tokens.find('a', now), null);
});

test('when there are too many, the one that was not used for the longest time is forgotten', () => {
  const tokens = new VerifiedTokens(3);
  const add = (hash: string) => tokens.add(hash, { holder: holderCalled(hash), goodUntil: now + 1 });
  for (const hash of ['a', 'b', 'c']) add(hash);
  tokens.find('a', now);
  add('b');
  add('d');
  const found = ['a', 'b', 'c', 'd'].filter((hash) => tokens.find(hash, now));
  assert.deepEqual(found, ['a', 'b', 'd']);
});

function holderCalled(id: string): TokenHolder {
  return { id, kinds: [], developerId: null, scopes: [], updatesPerMinute: null, readsPerMinute: null };
}
