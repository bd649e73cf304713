import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { interfaceProblemTitles } from '../../kernel/problem-details.ts';

let http: HttpFixture;
before(async () => {
  http = await HttpFixture.open(sqlite);
});
after(() => http.close());

test('every problem code has the anchor to which its type points', async () => {
  const { status, text } = await http.send({ method: 'GET', path: '/docs' });
  assert.equal(status, 200);
  const missing = Object.keys(interfaceProblemTitles).filter((code) => !text.includes(`id="${code}"`));
  assert.deepEqual(missing, []);
});

test('the page is HTML without scripts or external resources', async () => {
  const { headers, text } = await http.send({ method: 'GET', path: '/docs' });
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
  assert.doesNotMatch(text, /<script|<img|<link|<iframe| on\w+=/i);
});
