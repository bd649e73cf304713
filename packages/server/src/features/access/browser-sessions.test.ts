import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { observeClock } from '../../kernel/time.ts';
import type { Connection } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import { authenticate, hashOfToken, newTokenText } from './access-token.ts';
import {
  endSession,
  findSession,
  newSignInCode,
  openSession,
  openSessionByCode,
  openSessionOf,
  pruneSessions,
  type TemporaryCredential,
} from './browser-sessions.ts';

const hourMs = 3_600_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    await observeClock(fixture.registry);
  });
  after(() => fixture.close());

  const newToken = (given: object = {}) => fixture.newToken('operator', { scopes: ['read', 'review'], ...given });
  const opened = async (tokenId: string) => there(await openSession(fixture.registry, tokenId));
  const isGood = async ({ text }: TemporaryCredential) => (await findSession(fixture.registry, text)) !== null;

  test('a session replaces its token, with the same holder, for 12 hours', async () => {
    const { id, token } = await newToken({ name: 'Grace, reviewer' });
    const session = await opened(id);
    const found = there(await findSession(fixture.registry, session.text));
    assert.deepEqual(found.principal, await authenticate(fixture.registry, token));
    assert.deepEqual(found.session, {
      holderId: id,
      name: 'Grace, reviewer',
      scopes: ['read', 'review'],
      expiresAt: new Date(now + 12 * hourMs).toISOString(),
    });
    assert.equal(session.lifetimeMs, 12 * hourMs);
    now += 12 * hourMs - 1;
    assert.ok(await isGood(session));
    now += 1;
    assert.ok(!(await isGood(session)));
  });

  test('a session says what is hidden from its scopes', async () => {
    const { id } = await newToken({ scopes: ['portal', 'review'] });
    const { text } = await opened(id);
    assert.deepEqual((await findSession(fixture.registry, text))?.session.hidden, ['claims', 'notes']);
  });

  test('a session ends when its token expires or is revoked, and other sessions continue', async () => {
    const brief = await opened((await newToken({ expiresIn: hourMs / 1_000 })).id);
    const { id } = await newToken();
    const [one, other, another] = [await opened(id), await opened(id), await opened((await newToken()).id)];
    assert.equal(brief.lifetimeMs, hourMs);
    now += hourMs;
    assert.ok(!(await isGood(brief)));
    assert.ok((await isGood(one)) && (await isGood(other)));
    await revokeToken(fixture.registry, commandLine, id);
    assert.deepEqual([await isGood(one), await isGood(other), await isGood(another)], [false, false, true]);
  });

  test('one token has at most 100 sessions and codes, and the oldest makes room', async () => {
    const { id } = await newToken();
    const other = await opened((await newToken()).id);
    const oldest = await opened(id);
    now += 1;
    const second = await opened(id);
    now += 1;
    for (let count = 2; count < 101; count += 1) await opened(id);
    assert.deepEqual([await isGood(oldest), await isGood(second), await isGood(other)], [false, true, true]);
    const stored = await rowsOf(fixture.registry.storage, 'sessions');
    assert.equal(stored.filter(({ token_id }) => token_id === id).length, 100);
  });

  test('a session for a token of an identity provider lasts as long as that token, and at most 12 hours', async () => {
    const grace = { issuer: 'https://login.example.com', id: 'oidc:grace', scopes: ['review'] as const };
    const minuteMs = 60_000;
    const brief = there(await openSessionOf(fixture.registry, { issuedTo: grace, goodUntil: now + minuteMs }));
    const named = { ...grace, name: 'Grace' };
    const long = there(await openSessionOf(fixture.registry, { issuedTo: named, goodUntil: now + 13 * hourMs }));
    assert.deepEqual([brief.lifetimeMs, long.lifetimeMs], [minuteMs, 12 * hourMs]);
    assert.deepEqual(await findSession(fixture.registry, long.text), {
      session: {
        holderId: 'oidc:grace',
        name: 'Grace',
        scopes: ['review'],
        expiresAt: new Date(now + 12 * hourMs).toISOString(),
      },
      principal: {
        ...{ id: 'oidc:grace', kinds: ['operator'], developerId: null, isSuspended: false, scopes: ['review'] },
        ...{ updatesPerMinute: null, readsPerMinute: null, requestsPerMinute: null },
      },
      issuer: 'https://login.example.com',
    });
    now += minuteMs - 1;
    assert.deepEqual([await isGood(brief), await isGood(long)], [true, true]);
    now += 1;
    assert.deepEqual([await isGood(brief), await isGood(long)], [false, true]);
    await endSession(fixture.registry, long.text);
    assert.equal(await isGood(long), false);
    assert.equal(await openSessionOf(fixture.registry, { issuedTo: grace, goodUntil: now }), null);
  });

  test('a session is found with one query, regardless of the issuer of its token', async () => {
    const issuedTo = { issuer: 'https://login.example.com', id: 'oidc:grace', scopes: ['review'] as const };
    const sessions = [
      await opened((await newToken()).id),
      there(await openSessionOf(fixture.registry, { issuedTo, goodUntil: now + hourMs })),
    ];
    const { storage } = fixture.registry;
    let questions = 0;
    const rows: Connection['rows'] = (statement) => {
      questions += 1;
      return storage.reader.rows(statement);
    };
    const reader = { ...storage.reader, builder: storage.reader.builder, rows };
    for (const { text } of sessions) {
      const found = await findSession({ ...fixture.registry, storage: { ...storage, reader } as Storage }, text);
      assert.ok(found);
    }
    assert.equal(questions, sessions.length);
  });

  test('an invalid token opens no session and gets no code', async () => {
    const revoked = await newToken();
    await revokeToken(fixture.registry, commandLine, revoked.id);
    const expired = await newToken({ expiresIn: 1 });
    now += 1_000;
    const stored = await everything(fixture.registry.storage);
    for (const id of [revoked.id, expired.id, 'token_unknown']) {
      assert.equal(await openSession(fixture.registry, id), null);
      assert.equal(await newSignInCode(fixture.registry, id), null);
    }
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('an ended session is deleted, and no other', async () => {
    const { id } = await newToken();
    const [one, other] = [await opened(id), await opened(id)];
    await endSession(fixture.registry, one.text);
    await endSession(fixture.registry, one.text);
    assert.deepEqual([await isGood(one), await isGood(other)], [false, true]);
  });

  test('a code opens one session, even when it is used twice concurrently', async () => {
    const { id } = await newToken();
    const { text } = there(await newSignInCode(fixture.registry, id));
    const sessions = await Promise.all(Array.from({ length: 4 }, () => openSessionByCode(fixture.registry, text)));
    const [session, ...rest] = sessions.filter((one) => one !== null);
    assert.deepEqual(rest, []);
    assert.equal(there(await findSession(fixture.registry, there(session).text)).principal.id, id);
    assert.equal(await openSessionByCode(fixture.registry, text), null);
  });

  test('a code is valid for 12 hours, and not once its token is revoked', async () => {
    const token = await newToken();
    const [late, other] = [
      there(await newSignInCode(fixture.registry, token.id)),
      there(await newSignInCode(fixture.registry, token.id)),
    ];
    const revoked = await newToken();
    const useless = there(await newSignInCode(fixture.registry, revoked.id));
    await revokeToken(fixture.registry, commandLine, revoked.id);
    assert.equal(await openSessionByCode(fixture.registry, useless.text), null);
    now += 12 * hourMs - 1;
    assert.ok(await openSessionByCode(fixture.registry, other.text));
    now += 1;
    assert.equal(await openSessionByCode(fixture.registry, late.text), null);
  });

  test('a token, a session and a code are each valid only for their own purpose', async () => {
    const { id, token } = await newToken();
    const session = await opened(id);
    const code = there(await newSignInCode(fixture.registry, id));
    for (const text of [session.text, code.text, newTokenText('session'), hashOfToken(session.text), '']) {
      assert.equal(await authenticate(fixture.registry, text), null);
      assert.equal(await openSessionByCode(fixture.registry, text === code.text ? token : text), null);
      if (text !== session.text) assert.equal(await findSession(fixture.registry, text), null);
    }
    await endSession(fixture.registry, code.text);
    assert.ok(await openSessionByCode(fixture.registry, code.text));
  });

  test('neither a session nor a code is stored as its text', async () => {
    const { id } = await newToken();
    const made = [await opened(id), there(await newSignInCode(fixture.registry, id))];
    const stored = JSON.stringify(await rowsOf(fixture.registry.storage, 'sessions'));
    for (const { text } of made) {
      assert.ok(!stored.includes(text) && !stored.includes(text.split('_')[2] as string));
      assert.ok(stored.includes(hashOfToken(text)));
    }
  });

  test('expired sessions and codes are pruned, and valid ones remain', async () => {
    const { id } = await newToken();
    await opened(id);
    await newSignInCode(fixture.registry, id);
    now += 1;
    const session = await opened(id);
    now += 12 * hourMs - 1;
    await pruneSessions(fixture.registry);
    const hashes = (await rowsOf(fixture.registry.storage, 'sessions')).map(({ hash }) => hash);
    assert.deepEqual(hashes, [hashOfToken(session.text)]);
  });
});

function there<Value>(value: Value | null | undefined): Value {
  return value ?? assert.fail('no credential was issued');
}
