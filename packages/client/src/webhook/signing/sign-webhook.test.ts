import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signRequest } from '../../../../server/src/features/webhooks/delivery/receiver.ts';
import { verifyWebhook, verifyWebhookBatch } from '../verify-webhook.ts';
import { signWebhook } from './sign-webhook.ts';
import { webhookEvent } from './webhook-event.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJ3Lm2qLpcUc=';
const now = Date.parse('2026-11-21T12:00:00.900Z');
const events = [webhookEvent('app.submitted'), webhookEvent('app.approved', { actor: 'Zürich 🚋' })];
const [event] = events as [(typeof events)[0]];

test('the headers are those that the registry sends, with one secret and with several', async () => {
  for (const secrets of [[secret], [otherSecret, secret]]) {
    for (const webhook of [{ event }, { events }]) {
      const { body, headers } = await signWebhook({ ...webhook, secret: secrets, now } as never);
      const { 'content-type': type, ...signed } = headers;
      assert.equal(type, 'application/json');
      assert.deepEqual(signed, signRequest({ id: headers['webhook-id'], body, secrets }, now));
    }
  }
});

test('a single event has its own id, and each batch a new one', async () => {
  assert.equal((await signWebhook({ event, secret })).headers['webhook-id'], event.id);
  const ids = await Promise.all([1, 2].map(async () => (await signWebhook({ events, secret })).headers['webhook-id']));
  for (const id of ids) assert.match(id, /^batch_/);
  assert.notEqual(ids[0], ids[1]);
});

test('a signed webhook is verified at its own time, now by default, and at no other', async () => {
  assert.deepEqual(await verifyWebhook({ ...(await signWebhook({ event, secret })), secret }), event);
  assert.deepEqual(await verifyWebhookBatch({ ...(await signWebhook({ events, secret, now })), secret, now }), events);
  const old = await signWebhook({ event, secret, now: Date.now() - 600_000 });
  await assert.rejects(verifyWebhook({ ...old, secret }), { reason: 'too_old' });
  await assert.rejects(verifyWebhook({ ...(await signWebhook({ event, secret })), secret: otherSecret }), {
    reason: 'no_matching_signature',
  });
});

test('a malformed secret is a TypeError', async () => {
  await assert.rejects(signWebhook({ event, secret: 'no secret' }), TypeError);
});
