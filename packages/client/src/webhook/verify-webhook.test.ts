import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { type ReceivedWebhook, verifyWebhook, verifyWebhookBatch } from './verify-webhook.ts';
import { WebhookVerificationError, type WebhookVerificationReason } from './webhook-verification-error.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJ3Lm2qLpcUc=';
const id = 'event_01jq3w3k1hf5tr8z0v6n2m9c4d';
const now = Date.parse('2026-11-21T12:00:00.000Z');
const body = JSON.stringify({ id, type: 'app.approved', data: { after: { name: 'Zürich 🚋' } } });

/** A webhook signed by the reference library. */
function signed({ secrets = [secret], at = now, signedBody = body } = {}) {
  const timestamp = Math.floor(at / 1_000);
  const signatures = secrets.map((each) => new Webhook(each).sign(id, new Date(at), signedBody));
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
  return { headers, body: signedBody as ReceivedWebhook['body'], secret: secret as string | readonly string[], now };
}

function refused(reason: WebhookVerificationReason) {
  return (error: unknown) => {
    assert.ok(error instanceof WebhookVerificationError);
    assert.equal(error.reason, reason, error.message);
    assert.equal(error.name, 'WebhookVerificationError');
    return true;
  };
}

test('a webhook signed by the reference library is verified, as text and as bytes', async () => {
  assert.deepEqual(await verifyWebhook(signed()), JSON.parse(body));
  const bytes = new TextEncoder().encode(body);
  assert.deepEqual(await verifyWebhook({ ...signed(), body: bytes }), JSON.parse(body));
  assert.deepEqual(await verifyWebhook({ ...signed(), body: bytes.buffer }), JSON.parse(body));
  assert.deepEqual(await verifyWebhookBatch({ ...signed(), body: await new Response(body).arrayBuffer() }), [
    JSON.parse(body),
  ]);
  const pooled = Buffer.from(`--${body}--`).subarray(2, -2);
  assert.deepEqual(await verifyWebhook({ ...signed(), body: pooled }), JSON.parse(body));
});

test('headers may be Headers, those of node:http, or a record with names in any case', async () => {
  const webhook = signed();
  const upper = Object.fromEntries(Object.entries(webhook.headers).map(([name, value]) => [name.toUpperCase(), value]));
  const repeated = { ...webhook.headers, 'webhook-signature': ['v1,AAAA', webhook.headers['webhook-signature']] };
  for (const headers of [new Headers(webhook.headers), upper, repeated]) {
    assert.deepEqual(await verifyWebhook({ ...webhook, headers }), JSON.parse(body));
  }
});

test('a changed byte anywhere is refused', async () => {
  const { headers, ...webhook } = signed();
  const changed = [
    { headers: { ...headers, 'webhook-id': `${id}x` } },
    { headers: { ...headers, 'webhook-timestamp': String(Math.floor(now / 1_000) + 1) } },
    { headers: { ...headers, 'webhook-timestamp': `0${headers['webhook-timestamp']}` } },
    { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace(/.=$/, 'A=') } },
    { headers, body: `${body} ` },
    { headers, body: body.replace('approved', 'rejected') },
    { headers, secret: otherSecret },
  ];
  for (const change of changed) {
    await assert.rejects(verifyWebhook({ ...webhook, ...change }), refused('no_matching_signature'));
  }
});

test('a body that was parsed and serialised again is refused', async () => {
  const webhook = signed({ signedBody: JSON.stringify(JSON.parse(body), null, 2) });
  await verifyWebhook(webhook);
  await assert.rejects(verifyWebhook({ ...webhook, body }), refused('no_matching_signature'));
});

test('timestamps up to five minutes before or after are accepted', async () => {
  const fiveMinutes = 5 * 60_000;
  const webhook = signed({ at: now });
  for (const time of [now - fiveMinutes, now + fiveMinutes]) await verifyWebhook({ ...webhook, now: time });
  await assert.rejects(verifyWebhook({ ...webhook, now: now + fiveMinutes + 1 }), refused('too_old'));
  await assert.rejects(verifyWebhook({ ...webhook, now: now - fiveMinutes - 1 }), refused('too_new'));
  await verifyWebhook({ ...signed({ at: Date.now() }), now: undefined });
  await assert.rejects(verifyWebhook({ ...signed(), now: undefined }), WebhookVerificationError);
});

test('a timestamp that is not a whole number of seconds is refused, even if it is signed', async () => {
  for (const timestamp of ['soon', '1.5e9', '-1', '', ' ', '0x10', new Date(now).toISOString(), '9'.repeat(40)]) {
    const headers = { ...signed().headers, 'webhook-timestamp': timestamp };
    const reason = timestamp === '' ? 'missing_header' : 'invalid_timestamp';
    await assert.rejects(verifyWebhook({ ...signed(), headers }), refused(reason), timestamp);
  }
});

test('a missing header is named', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const headers = { ...signed().headers, [name]: undefined };
    const error = await verifyWebhook({ ...signed(), headers }).catch((caught) => caught);
    assert.equal(refused('missing_header')(error) && error.message, `The webhook has no ${name} header.`);
  }
});

test('while a secret is rotated, the old and the new one are valid on both sides', async () => {
  const both = [otherSecret, secret];
  for (const webhook of [
    { ...signed({ secrets: both }), secret },
    { ...signed({ secrets: both }), secret: otherSecret },
    { ...signed({ secrets: [secret] }), secret: both },
    { ...signed({ secrets: [otherSecret] }), secret: both },
  ]) {
    assert.deepEqual(await verifyWebhook(webhook), JSON.parse(body));
  }
  const third = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  await assert.rejects(verifyWebhook({ ...signed(), secret: [otherSecret, third] }), refused('no_matching_signature'));
});

test('a signed body that is not an event is refused as such', async () => {
  for (const signedBody of ['', 'hello', '[]', 'null', '"app.approved"', '{}', '{"type":1}', '{"test": 2432232314}']) {
    await assert.rejects(verifyWebhook(signed({ signedBody })), refused('invalid_event'), signedBody);
  }
  const notUtf8 = Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  const timestamp = String(now / 1_000);
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(notUtf8);
  const headers = { ...signed().headers, 'webhook-signature': `v1,${mac.digest('base64')}` };
  await assert.rejects(verifyWebhook({ ...signed(), headers, body: notUtf8 }), refused('invalid_event'));
});

test('a batch resolves to its events in order, and a single event to a batch of one', async () => {
  const events = [JSON.parse(body), { id: 'event_2', type: 'app.praised', data: {} }];
  assert.deepEqual(await verifyWebhookBatch(signed({ signedBody: JSON.stringify(events) })), events);
  assert.deepEqual(await verifyWebhookBatch(signed()), [JSON.parse(body)]);
  const changed = { ...signed({ signedBody: JSON.stringify(events) }), body: JSON.stringify(events.toReversed()) };
  await assert.rejects(verifyWebhookBatch(changed), refused('no_matching_signature'));
});

test('a batch with anything that is not an event is refused as a whole, and so is a batch as one event', async () => {
  for (const signedBody of [`[${body},{}]`, '[1]', '[null]', 'null', 'hello', `[[${body}]]`]) {
    await assert.rejects(verifyWebhookBatch(signed({ signedBody })), refused('invalid_event'), signedBody);
  }
  const error = await verifyWebhook(signed({ signedBody: `[${body}]` })).catch((caught) => caught);
  assert.ok(refused('invalid_event')(error) && /verifyWebhookBatch/.test(error.message));
});

test('types and fields that this version does not know are accepted', async () => {
  const signedBody = JSON.stringify({ id, type: 'app.praised', data: { stars: 5 }, region: 'eu' });
  assert.deepEqual(await verifyWebhook(signed({ signedBody })), JSON.parse(signedBody));
});

test('a malformed secret is a TypeError, and is not in the message', async () => {
  const malformedMessage = /must be whsec_ and 24 to 64 bytes in base64/;
  const cases: [unknown, RegExp][] = [
    [undefined, /is empty/],
    ['', /is empty/],
    [[], /is empty/],
    [[secret, ''], /is empty/],
    [secret.slice(6), malformedMessage],
    [`WHSEC_${secret.slice(6)}`, malformedMessage],
    ['whsec_MfKQ9r8GKYqrTwjU-D8ILPZIo2LaLaSw', malformedMessage],
    ['whsec_', malformedMessage],
    [secret.slice(0, -4), malformedMessage],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, malformedMessage],
  ];
  for (const [malformed, message] of cases) {
    const error = await verifyWebhook({ ...signed(), secret: malformed as string }).catch((caught) => caught);
    assert.ok(error instanceof TypeError, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /MfKQ9r8G/);
  }
});

test('a secret read from a file may end with a line break', async () => {
  assert.deepEqual(await verifyWebhook({ ...signed(), secret: `${secret}\n` }), JSON.parse(body));
});

test('the ArrayBuffer of another realm is verified', async () => {
  const foreign: ArrayBuffer = runInNewContext('Uint8Array.from(bytes).buffer', { bytes: Buffer.from(body) });
  assert.equal(foreign instanceof ArrayBuffer, false);
  assert.deepEqual(await verifyWebhook({ ...signed(), body: foreign }), JSON.parse(body));
});

test('a body that was already parsed is a TypeError', async () => {
  for (const parsed of [JSON.parse(body), [JSON.parse(body)], {}, 1, undefined, null]) {
    await assert.rejects(verifyWebhook({ ...signed(), body: parsed }), {
      name: 'TypeError',
      message: /Give the raw body, before anything parses it/,
    });
  }
});
