import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import tls from 'node:tls';
import { certificate } from '@appregistrar/testkit/http/certificate';
import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { Webhook } from 'standardwebhooks';
import { ConnectProxy } from '../../../../test/http/connect-proxy.ts';
import { stopTimeouts, timeoutMs } from '../../../../test/webhooks/attempt-timeouts.ts';
import type { DueRequest } from '../deliveries/next-requests.ts';
import { Receiver, type ReceiverOptions } from './receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const never = new AbortController().signal;
const trusted = tls.getCACertificates('default');

let hook: HookReceiver;
let proxy: ConnectProxy;
/** Called when the proxy leaves a request without a response. */
let silenced = () => {};

function receiverBehind(options: Partial<ReceiverOptions> = {}): Receiver {
  return new Receiver({
    allowPrivate: false,
    timeoutMs,
    connectionsMax: 2,
    userAgent: 'app-registry/1.2.3',
    now: Date.now,
    proxy: proxy.url,
    resolve: () => assert.fail('a name was looked up'),
    ...options,
  });
}

const requestTo = (url: string): DueRequest => ({
  ...{ webhookId: 'webhook_1', queue: 'app_1', url, secrets: [secret], id: 'event_1', body: '{"id":"event_1"}' },
  deliveries: [{ id: 'delivery_1', eventId: 'event_1', dueAt: 0 }],
  attempts: 0,
});

async function deliver(url: string, options: Partial<ReceiverOptions> = {}) {
  const receiver = receiverBehind(options);
  try {
    return await receiver.deliver(requestTo(url), never);
  } finally {
    receiver.close();
  }
}

describe('a receiver behind a proxy', () => {
  before(async () => {
    hook = await HookReceiver.start({ tls: true });
    const target = { host: '127.0.0.1', port: hook.port };
    const hosts = {
      'hooks.example.com': target,
      'other.example.com': target,
      get 'silent.example.com'() {
        silenced();
        return 'silence' as const;
      },
    };
    proxy = await ConnectProxy.start({ hosts, credentials: 'ada:p%40ss' });
    tls.setDefaultCACertificates([...trusted, certificate]);
  });
  beforeEach(() => {
    hook.arrivals.length = 0;
    proxy.targets.length = 0;
  });
  after(async () => {
    tls.setDefaultCACertificates(trusted);
    await hook.close();
    await proxy.close();
  });

  test('the proxy connects to the receiver, whose name only the proxy resolves, and a signed request arrives', async () => {
    const result = await deliver('https://hooks.example.com/hook');
    assert.deepEqual([result?.kind, result?.status], ['accepted', 200]);
    assert.deepEqual(proxy.targets, ['hooks.example.com:443']);
    const [{ headers, body, path } = assert.fail()] = hook.arrivals;
    assert.equal(path, '/hook');
    assert.deepEqual(new Webhook(secret).verify(body, headers), { id: 'event_1' });
    assert.equal(headers['proxy-authorization'], undefined, 'the receiver learns no credentials of the proxy');
  });

  test('the certificate of the receiver is checked through the proxy', async () => {
    const result = await deliver('https://other.example.com/');
    assert.equal(result?.text, 'The connection failed: ERR_TLS_CERT_ALTNAME_INVALID.');
    assert.deepEqual(hook.arrivals, []);
  });

  test('a receiver that the proxy refuses is reported, without the proxy or its credentials', async () => {
    const result = await deliver('https://internal.example.com/');
    assert.equal(result?.text, 'The proxy does not connect to this address (status 403).');
  });

  test('refused connections do not use up capacity', async () => {
    const receiver = receiverBehind({ connectionsMax: 1, timeoutMs: 20_000 });
    for (let count = 0; count < 3; count += 1)
      assert.equal((await receiver.deliver(requestTo('https://internal.example.com/'), never))?.kind, 'rejected');
    assert.equal((await receiver.deliver(requestTo('https://hooks.example.com/'), never))?.kind, 'accepted');
    receiver.close();
  });

  test('an attempt through a proxy that does not respond ends at its timeout and uses up no capacity', async (t) => {
    silenced = stopTimeouts(t);
    const receiver = receiverBehind({ connectionsMax: 1 });
    for (let count = 0; count < 2; count += 1) {
      const result = await receiver.deliver(requestTo('https://silent.example.com/'), never);
      assert.deepEqual([result?.status, result?.text], [null, 'No response within 10 seconds.']);
    }
    assert.equal((await receiver.deliver(requestTo('https://hooks.example.com/'), never))?.kind, 'accepted');
    receiver.close();
  });

  test('wrong credentials and an unreachable proxy are reported', async () => {
    const wrong = Object.assign(new URL(proxy.url), { password: 'wrong' });
    const refused = await deliver('https://hooks.example.com/', { proxy: wrong });
    assert.equal(refused?.text, 'The proxy does not connect to this address (status 407).');
    const away = await deliver('https://hooks.example.com/', { proxy: new URL('http://127.0.0.1:1') });
    assert.equal(away?.text, 'The connection failed: ECONNREFUSED.');
  });

  test('a visibly private address is refused without a request to the proxy', async () => {
    for (const url of [
      'https://127.0.0.1/',
      'https://169.254.169.254/',
      'https://[::1]/',
      'http://hooks.example.com/',
    ]) {
      const result = await deliver(url);
      assert.match(result?.text ?? '', /WEBHOOK_ALLOW_PRIVATE=1/, url);
    }
    assert.deepEqual(proxy.targets, []);
  });

  test('a connection through the proxy is used again', async () => {
    const receiver = receiverBehind();
    for (let count = 0; count < 3; count += 1)
      assert.equal((await receiver.deliver(requestTo('https://hooks.example.com/'), never))?.kind, 'accepted');
    receiver.close();
    assert.equal(proxy.targets.length, 1);
  });
});
