import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '@appregistrar/testkit/http/http-fixture';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { findAppForUpdate } from '../../storage/queries/apps.ts';

forEachEngine((engine) => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp({ status: 'APPROVED' })).id;
  });
  after(() => http.close());

  test('a request is one line, with its id, method, route, status and duration', async () => {
    const { headers } = await http.getApp(appId);
    const [line, ...rest] = http.log.requests().get(headers['x-request-id']) ?? [];
    assert.deepEqual(rest, []);
    assert.ok(line);
    const { requestId, method, route, status, durationMs } = line;
    assert.deepEqual(
      { requestId, method, route, status },
      { requestId: headers['x-request-id'], method: 'GET', route: '/platform/apps/v1/:id', status: 200 },
    );
    assert.ok(typeof durationMs === 'number' && durationMs > 0 && durationMs < 10_000);
  });

  test('the log contains the route of a problem, and none for an unknown path', async () => {
    assert.deepEqual(routeOf((await http.updateApp(appId, { name: null })).headers), '/developer/apps/v1/:id');
    assert.deepEqual(routeOf((await http.send({ method: 'GET', path: '/nothing' })).headers), null);
    assert.deepEqual(routeOf((await http.send({ method: 'GET', path: '/%zz' })).headers), null);
  });

  test('the log, at its most verbose level, contains no token, no email address and no client input', async () => {
    const { developer, platform } = http.tokens;
    const [path, platformPath] = [`/developer/apps/v1/${appId}`, `/platform/apps/v1/${appId}`];
    await http.send({ method: 'GET', path: `${platformPath}?access_token=${platform}&email=ada@example.com` });
    await http.send({ method: 'GET', path: `/nothing/${platform}/ada@example.com` });
    await http.send({ method: 'GET', path: `/%zz${platform}` });
    await http.send({ method: 'GET', path: `/platform/apps/v1/${platform}`, headers: bearer(platform) });
    await http.send({ method: 'GET', path, headers: { authorization: `Basic ${platform}`, cookie: developer } });
    await http.getApp(appId, { 'x-request-id': developer, 'user-agent': 'ada@example.com', 'if-none-match': platform });
    await http.updateApp(appId, { name: 'secret words' });
    await http.updateApp(appId, { [developer]: 'ada@example.com' });
    await http.updateApp(appId, `not JSON ${developer}`);
    await http.updateApp(appId, { oauthInfo: { loginUrl: 'https://ada@example.com/secret words' } });
    await http.exchange(`GET /${platform} HTTP/1.1\r\nX ${developer}: ada@example.com\r\n\r\n`);

    assert.doesNotMatch(http.log.text, /appreg_|ada@|secret words/);
    assert.ok(http.log.text.includes('"level":30'), 'the log is not empty');
  });

  describe('a request whose client disconnects is one line too', () => {
    test('in the middle of its body', async () => {
      const { socket, lines } = await begin('{');
      socket.destroy();
      assert.deepEqual(await lines(), [['/developer/apps/v1/:id', 400]]);
    });

    test('in the middle of its body, with a reset', async () => {
      const { socket, lines } = await begin('{');
      socket.resetAndDestroy();
      assert.deepEqual(await lines(), [['/developer/apps/v1/:id', 400]]);
    });

    test('with the status it would have received, once its update is committed', async () => {
      const { lines } = await http.data.registry.storage.write(async (transaction) => {
        await findAppForUpdate(transaction, { id: appId });
        const begun = await begin('{"name":"Made for no one"}');
        // Long enough, on a busy machine too, until it waits for the end of this transaction.
        await sleep(750);
        begun.socket.destroy();
        await once(begun.socket, 'close');
        return begun;
      });
      assert.deepEqual(await lines(), [['/developer/apps/v1/:id', 200]]);
      assert.equal((await http.updateApp(appId, {})).view.name, 'Made for no one');
    });
  });

  /** Sends the start of an update of 26 bytes, and returns what is logged from then on. */
  async function begin(body: string): Promise<{ socket: Socket; lines: () => Promise<unknown[]> }> {
    const known = http.log.requests();
    const socket = connect(await http.port(), '127.0.0.1');
    await once(socket, 'connect');
    const head = [
      `PATCH /developer/apps/v1/${appId} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${http.tokens.developer}`,
      'Content-Type: application/json',
      'Content-Length: 26',
    ];
    const arrived = once(http.listener.server, 'request');
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    await arrived;
    const lines = async () => {
      // Long enough for a second line, if there were one.
      await sleep(150);
      const fresh = [...http.log.requests()].filter(([id]) => !known.has(id)).flatMap(([, lines]) => lines);
      return fresh.map(({ route, status }) => [route, status]);
    };
    return { socket, lines };
  }

  function routeOf(headers: Readonly<Record<string, string>>): unknown {
    return http.log.requests().get(headers['x-request-id'])?.[0]?.route;
  }
});
