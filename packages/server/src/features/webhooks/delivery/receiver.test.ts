import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import tls from 'node:tls';
import { certificate } from '@appregistrar/testkit/http/certificate';
import { type Arrival, HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { Webhook } from 'standardwebhooks';
import { ConnectProxy } from '../../../../test/http/connect-proxy.ts';
import type { DueRequest } from '../deliveries/next-requests.ts';
import type { DeliveryResult } from '../deliveries/record-attempts.ts';
import type { Resolve } from '../public-address.ts';
import { Receiver, type ReceiverOptions, readExcerpt, signRequest } from './receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const never = new AbortController().signal;
const timeoutMs = 10_000;

const event = {
  id: 'event_1',
  type: 'app.updated',
  subjectId: 'app_1',
  actor: 'command-line:demo',
  appId: 'app_1',
  after: { name: 'Ünïcode "quoted" \\ 🎈' },
};
const request: DueRequest = {
  webhookId: 'webhook_1',
  queue: 'app_1',
  url: '',
  secrets: [secret],
  id: event.id,
  body: JSON.stringify(event),
  deliveries: [{ id: 'delivery_1', eventId: event.id, dueAt: 0 }],
  attempts: 0,
};

let hook: HookReceiver;

/** Makes one attempt at delivering to an address. */
async function deliver(
  given: Partial<DueRequest> = {},
  options: Partial<ReceiverOptions> = {},
): Promise<Omit<DeliveryResult, 'exchange'> | null> {
  const receiver = newReceiver(options);
  try {
    const result = await receiver.deliver({ ...request, url: hook.url(), ...given }, never);
    if (!result) return null;
    const { exchange: _, ...outcome } = result;
    return outcome;
  } finally {
    receiver.close();
  }
}

function send(receiver: Receiver, url: string, signal = never): Promise<DeliveryResult | null> {
  return receiver.deliver({ ...request, url }, signal);
}

function newReceiver(options: Partial<ReceiverOptions> = {}): Receiver {
  return new Receiver({
    allowPrivate: true,
    timeoutMs,
    connectionsMax: 2,
    userAgent: 'app-registry/1.2.3',
    now: Date.now,
    ...options,
  });
}

describe('the receiver', () => {
  before(async () => {
    hook = await HookReceiver.start();
  });
  beforeEach(() => {
    hook.arrivals.length = 0;
    hook.respond = (_, response) => response.end();
  });
  after(() => hook.close());

  describe('a delivery', () => {
    test('is signed with each secret so that the library of the Standard Webhooks specification verifies it', async () => {
      await deliver();
      await deliver({ secrets: [secret, otherSecret] });
      const [{ headers, body }, rotated] = (await hook.untilArrived(2)) as [Arrival, Arrival];
      assert.deepEqual(new Webhook(secret).verify(body, headers), event);
      assert.throws(() => new Webhook(otherSecret).verify(body, headers));
      for (const one of [secret, otherSecret]) assert.deepEqual(new Webhook(one).verify(body, rotated.headers), event);
      assert.deepEqual(
        [headers['webhook-id'], headers['content-type'], headers['user-agent']],
        ['event_1', 'application/json', 'app-registry/1.2.3'],
      );
      assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000) < 30);
    });

    test('continues the trace of its change in a span of its own, if there is one', async () => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      for (const given of [{ traceparent }, { traceparent }, {}]) await deliver(given);
      const [first, second, none] = hook.arrivals.map(({ headers }) => headers.traceparent);
      for (const sent of [first, second])
        assert.match(sent ?? '', /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/);
      assert.equal(new Set([traceparent, first, second]).size, 3);
      assert.equal(none, undefined);
    });

    test('is signed as in the test vector of the specification', () => {
      const given = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', secrets: [secret] };
      // From its reference tests.
      assert.deepEqual(signRequest(given, 1_614_265_330_000), {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      });
    });

    test('is accepted by a 2xx response, and rejected by every other, including redirects, which are not followed', async () => {
      hook.respond = ({ path }, response) =>
        response.writeHead(Number(path.slice(1)), { location: hook.url('/200') }).end('so');
      const outcomeOf = (status: number) => deliver({ url: hook.url(`/${status}`) });
      for (const status of [200, 201, 202, 204, 299]) {
        assert.deepEqual(await outcomeOf(status), { kind: 'accepted', status, text: status === 204 ? '' : 'so' });
      }
      const rejected = [300, 301, 302, 303, 304, 307, 308, 400, 404, 409, 429, 500, 503];
      for (const status of rejected) {
        const text = status === 304 ? '' : 'so';
        assert.deepEqual(await outcomeOf(status), { kind: 'rejected', status, text, retryAfterMs: 0 });
      }
      assert.deepEqual(await outcomeOf(410), { kind: 'gone', status: 410, text: 'so' }, 'for good');
      assert.equal(hook.arrivals.length, 5 + rejected.length + 1);
    });

    test('waits as long as a 429 or 503 response requests, in seconds or until a date, and for no other response', async () => {
      const now = Date.UTC(2026, 0, 1);
      const waits = async (status: number, after: string, date = '') => {
        hook.respond = (_, response) => {
          response.sendDate = false;
          response.writeHead(status, { 'retry-after': after, ...(date && { date }) }).end();
        };
        return (await deliver({}, { now: () => now }))?.retryAfterMs;
      };
      assert.equal(await waits(429, '120'), 120_000);
      assert.equal(await waits(503, '7'), 7_000);
      assert.equal(await waits(503, 'Thu, 01 Jan 2026 00:01:30 GMT'), 90_000);
      assert.equal(await waits(429, 'Wed, 31 Dec 2025 00:00:00 GMT'), 0);
      // By the clock of the receiver, if it sends its time: that of this machine may be wrong.
      const until = 'Thu, 01 Jan 2026 00:01:30 GMT';
      assert.equal(await waits(503, until, 'Thu, 01 Jan 2026 00:01:00 GMT'), 30_000);
      assert.equal(await waits(503, until, 'soon'), 90_000);
      assert.equal(await waits(500, '120'), 0);
      for (const nonsense of ['soon', '-5', '1e9', '']) assert.equal(await waits(429, nonsense), 0, nonsense);
    });
  });

  describe('a response is not trusted:', () => {
    test('no more than a few KiB are read, even if it never ends', async () => {
      hook.respond = async (_, response) => {
        response.on('error', () => {}).setMaxListeners(0);
        for (let sent = 0; !response.destroyed && sent < 100_000_000; sent += 65_536) {
          if (!response.write('é'.repeat(32_768)))
            await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
      };
      const result = await deliver();
      assert.deepEqual([result?.kind, result?.text], ['accepted', 'é'.repeat(512)]);
    });

    test('one of exactly 4 KiB is complete, and one that is a byte longer is cut', async () => {
      const full = Buffer.alloc(4_096, 'a');
      assert.equal((await readExcerpt(Readable.from([full]))).isCut, false);
      assert.equal((await readExcerpt(Readable.from([full, Buffer.from('a')]))).isCut, true);
    });

    test('a character split at the end is omitted', async () => {
      hook.respond = (_, response) => response.end(`a${'é'.repeat(600)}`);
      assert.equal((await deliver())?.text, `a${'é'.repeat(511)}`);
    });

    test('characters unsafe for a terminal or database are replaced', async () => {
      hook.respond = (_, response) => response.end(Buffer.from('\0\x1b[2J\u202e\u2028ok\n\ttab \xff', 'latin1'));
      assert.match((await deliver())?.text ?? '', /^\ufffd\ufffd\[2J.*ok\n\ttab \ufffd$/);
      hook.respond = (_, response) => response.end('\u202e\u2028\u200f');
      assert.equal((await deliver())?.text, '\ufffd\ufffd\ufffd');
    });

    test('one that breaks off counts by its status', async () => {
      hook.respond = (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      };
      assert.equal((await deliver())?.kind, 'accepted');
    });

    test('none within the timeout is a failure, whether nothing arrives, the header never ends or the protocol changes', async (t) => {
      const endTime = stopTimeouts(t);
      hook.respond = endTime;
      assert.deepEqual(await deliver(), late);
      const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
      for (const bytes of ['HTTP/1.1 200 OK\r\nX: y', upgrade]) {
        const raw = await rawReceiver((socket) => socket.write(bytes, endTime));
        assert.deepEqual(await deliver({ url: raw.url }), late);
        raw.server.close();
      }
    });

    test('a slow one is aborted at the timeout and counts by its status', async (t) => {
      const endTime = stopTimeouts(t);
      hook.respond = (_, response) => response.write('.');
      const endSoon = () => setImmediate(endTime);
      subscribe('http.client.response.finish', endSoon);
      t.after(() => unsubscribe('http.client.response.finish', endSoon));
      assert.equal((await deliver())?.kind, 'accepted');
    });

    test('one that is no valid HTTP fails the attempt and does no harm', async () => {
      const nonsense: Record<string, string> = {
        'no HTTP at all': 'SSH-2.0-OpenSSH_9.9\r\n',
        'a header without end': `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`,
        'an invalid status': 'HTTP/1.1 99999 What\r\n\r\n',
        nothing: '',
      };
      for (const [what, bytes] of Object.entries(nonsense)) {
        const raw = await rawReceiver((socket) => socket.once('data', () => socket.end(bytes)));
        const result = await deliver({ url: raw.url });
        assert.deepEqual([result?.kind, result?.status ?? null], ['rejected', null], what);
        assert.match(result?.text ?? '', /^The connection failed: [A-Z_]+\.$/, what);
        raw.server.close();
      }
    });
  });

  test('an impossible delivery is reported with its cause', async (t) => {
    const resolve: Resolve = (_, __, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    const named = { url: 'https://hooks.example.com/' };
    const failures: [Partial<DueRequest>, Partial<ReceiverOptions>, RegExp][] = [
      [{ url: 'http://127.0.0.1:1/' }, {}, /^The connection failed: ECONNREFUSED\.$/],
      [{ url: 'nowhere' }, {}, /Invalid URL|ERR_INVALID_URL/],
      [{ secrets: ['whsec_'] }, {}, /Secret can't be empty/],
      [named, { resolve, allowPrivate: false }, /^The connection failed: ENOTFOUND\.$/],
    ];
    for (const [given, options, message] of failures) {
      const result = await deliver(given, options);
      assert.deepEqual([result?.kind, result?.status], ['rejected', null]);
      assert.match(result?.text ?? '', message);
    }
    const unresponsive = { resolve: stopTimeouts(t), allowPrivate: false };
    assert.deepEqual(await deliver(named, unresponsive), late, 'a name server');
  });

  describe('connections', () => {
    test('are at most as many as allowed, and an idle one is closed in favour of another receiver', async (t) => {
      const others = [await HookReceiver.start(), await HookReceiver.start()];
      const receiver = newReceiver({ connectionsMax: 1, timeoutMs: 86_400_000 });
      t.after(async () => {
        receiver.close();
        for (const other of others) await other.close();
      });
      // Otherwise one would wait until the other has been idle for a day.
      for (const to of [hook, ...others]) {
        assert.equal((await send(receiver, to.url()))?.kind, 'accepted');
      }
    });

    test('are reused, and one that the receiver closes meanwhile costs no attempt', async (t) => {
      const receiver = newReceiver();
      t.after(() => receiver.close());
      const sent = () => send(receiver, hook.url());
      await sent();
      await sent();
      const reused = hook.arrivals[0]?.port;
      assert.equal(hook.arrivals[1]?.port, reused);
      hook.respond = ({ port }, response, { socket }) => (port === reused ? socket.resetAndDestroy() : response.end());
      assert.equal((await sent())?.kind, 'accepted');
      assert.equal(hook.arrivals.length, 4);
      hook.respond = (_, __, { socket }) => socket.resetAndDestroy();
      await sent();
      const failed = await sent();
      assert.equal(failed?.text, 'The connection failed: ECONNRESET.', 'a new one is not tried again');
    });

    test('are closed by the abort signal, and the attempt does not count', async () => {
      hook.respond = () => {};
      const controller = new AbortController();
      const receiver = newReceiver();
      const attempt = send(receiver, hook.url(), controller.signal);
      await hook.untilArrived(1);
      controller.abort();
      assert.equal(await attempt, null);
      receiver.close();
    });
  });

  describe('addresses that are not public', () => {
    test('and plain http are rejected before any lookup', async () => {
      const options: Partial<ReceiverOptions> = { allowPrivate: false, resolve: () => assert.fail('it was looked up') };
      for (const url of ['http://hooks.example.com/', 'HTTP://hooks.example.com/', 'ftp://hooks.example.com/']) {
        const result = await deliver({ url }, options);
        assert.match(result?.text ?? '', /must start with https:.*WEBHOOK_ALLOW_PRIVATE=1/, url);
      }
      const hosts = ['127.0.0.1', '[::1]', '0x7f.1', '2130706433', '[::ffff:10.0.0.1]', '169.254.169.254', '0'];
      for (const host of hosts) {
        const result = await deliver({ url: `https://${host}:${hook.port}/` }, options);
        assert.match(result?.text ?? '', /is not a public internet address.*WEBHOOK_ALLOW_PRIVATE=1/, host);
      }
    });

    test('are rejected for a name if any of its addresses is one', async () => {
      for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['2606:2800::1', '::1']]) {
        const result = await deliver(
          { url: `https://hooks.example.com:${hook.port}/` },
          { allowPrivate: false, resolve: resolveTo(addresses) },
        );
        const hidden = addresses.at(-1);
        const message = `hooks.example.com resolves to ${hidden}, which is not a public internet address. To allow it, set WEBHOOK_ALLOW_PRIVATE=1.`;
        assert.equal(result?.text, message);
      }
      assert.deepEqual(hook.arrivals, []);
    });

    test('are not reached by a name that resolves differently the second time: it is resolved once', async () => {
      const other = await HookReceiver.start({ host: '127.0.0.2', port: hook.port });
      let lookups = 0;
      const resolve: Resolve = (name, options, callback) => {
        lookups += 1;
        resolveTo([lookups === 1 ? '127.0.0.1' : '127.0.0.2'])(name, options, callback);
      };
      const result = await deliver({ url: hook.url('/', 'hooks.example.com') }, { resolve });
      assert.equal(result?.kind, 'accepted');
      assert.deepEqual([lookups, hook.arrivals.length, other.arrivals.length], [1, 1, 0]);
      await other.close();
    });
  });

  describe('over TLS', () => {
    let secure: HookReceiver;
    let proxy: ConnectProxy;
    /** Called when the proxy leaves a request without a response. */
    let silenced = () => {};
    const trusted = tls.getCACertificates('default');
    before(async () => {
      secure = await HookReceiver.start({ tls: true });
      const target = { host: '127.0.0.1', port: secure.port };
      const hosts = {
        'hooks.example.com': target,
        'other.example.com': target,
        get 'silent.example.com'() {
          silenced();
          return 'silence' as const;
        },
      };
      proxy = await ConnectProxy.start({ hosts, credentials: 'ada:p%40ss' });
    });
    beforeEach(() => {
      secure.arrivals.length = 0;
      proxy.targets.length = 0;
    });
    after(async () => {
      tls.setDefaultCACertificates(trusted);
      await secure.close();
      await proxy.close();
    });
    const at = (host: string) => deliver({ url: secure.url('/', host) }, { resolve: resolveTo(['127.0.0.1']) });

    test('a certificate must be trusted and for the name, or nothing is sent', async () => {
      assert.equal((await at('hooks.example.com'))?.text, 'The connection failed: DEPTH_ZERO_SELF_SIGNED_CERT.');
      tls.setDefaultCACertificates([...trusted, certificate]);
      assert.equal((await at('other.example.com'))?.text, 'The connection failed: ERR_TLS_CERT_ALTNAME_INVALID.');
      assert.deepEqual(secure.arrivals, []);
      assert.equal((await at('hooks.example.com'))?.kind, 'accepted');
      assert.equal(secure.arrivals.length, 1);
    });

    describe('through a proxy', () => {
      before(() => tls.setDefaultCACertificates([...trusted, certificate]));

      /** The names are looked up by the proxy alone. */
      const behindProxy = (options: Partial<ReceiverOptions> = {}): Partial<ReceiverOptions> => ({
        allowPrivate: false,
        proxy: proxy.url,
        resolve: () => assert.fail('a name was looked up'),
        ...options,
      });
      const textOf = async (url: string, options: Partial<ReceiverOptions> = {}) =>
        (await deliver({ url }, behindProxy(options)))?.text ?? '';

      test('a signed request arrives at the receiver, which learns no credentials of the proxy', async () => {
        const result = await deliver({ url: 'https://hooks.example.com/hook' }, behindProxy());
        assert.deepEqual([result?.kind, result?.status], ['accepted', 200]);
        assert.deepEqual(proxy.targets, ['hooks.example.com:443']);
        const [{ headers, body, path } = assert.fail()] = secure.arrivals;
        assert.equal(path, '/hook');
        assert.deepEqual(new Webhook(secret).verify(body, headers), event);
        assert.equal(headers['proxy-authorization'], undefined);
      });

      test('a failure is reported, without the proxy or its credentials', async () => {
        const wrong = Object.assign(new URL(proxy.url), { password: 'wrong' });
        const url = 'https://hooks.example.com/';
        const refused = 'The proxy does not connect to this address';
        assert.equal(
          await textOf('https://other.example.com/'),
          'The connection failed: ERR_TLS_CERT_ALTNAME_INVALID.',
        );
        assert.equal(await textOf('https://internal.example.com/'), `${refused} (status 403).`);
        assert.equal(await textOf(url, { proxy: wrong }), `${refused} (status 407).`);
        const away = { proxy: new URL('http://127.0.0.1:1') };
        assert.equal(await textOf(url, away), 'The connection failed: ECONNREFUSED.');
        assert.deepEqual(secure.arrivals, []);
      });

      test('a visibly private address is refused without a request to the proxy', async () => {
        for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'http://hooks.example.com/']) {
          assert.match(await textOf(url), /WEBHOOK_ALLOW_PRIVATE=1/, url);
        }
        assert.deepEqual(proxy.targets, []);
      });

      test('neither refused nor silent connections use up capacity', async (t) => {
        silenced = stopTimeouts(t);
        const receiver = newReceiver(behindProxy({ connectionsMax: 1 }));
        t.after(() => receiver.close());
        for (let count = 0; count < 2; count += 1) {
          assert.equal((await send(receiver, 'https://internal.example.com/'))?.kind, 'rejected');
          assert.equal((await send(receiver, 'https://silent.example.com/'))?.text, late.text);
        }
        assert.equal((await send(receiver, 'https://hooks.example.com/'))?.kind, 'accepted');
      });

      test('a connection is used again', async (t) => {
        const receiver = newReceiver(behindProxy());
        t.after(() => receiver.close());
        for (let count = 0; count < 3; count += 1) await send(receiver, 'https://hooks.example.com/');
        assert.deepEqual([secure.arrivals.length, proxy.targets.length], [3, 1]);
      });
    });
  });
});

const late = { kind: 'rejected', status: null, text: 'No response within 10 seconds.' };

/** Until the end of the test, attempts time out only when it calls what this returns. */
function stopTimeouts({ mock: { timers } }: TestContext): () => void {
  // Its types do not know it yet.
  timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
  return () => timers.tick(timeoutMs);
}

/** A name service that returns these addresses. */
function resolveTo(addresses: string[]): Resolve {
  return (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

/** A receiver that sends raw bytes. */
async function rawReceiver(speak: (socket: Socket) => void): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    speak(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
