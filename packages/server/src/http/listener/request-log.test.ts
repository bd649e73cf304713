import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { holdNextWrite } from '../../../test/http/hold-next-write.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

interface Begun {
  socket: Socket;
  /** Routes and statuses of the lines that are logged from then on, once the response has ended. */
  lines: () => Promise<unknown[]>;
}

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp({ status: 'APPROVED' })).id;
  });
  after(async () => {
    await http.close();
    for (const lines of http.log.requests().values()) assert.equal(lines.length, 1);
  });

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
      const held = holdNextWrite(http.data.registry.storage);
      const { socket, lines } = await begin('{"name":"Made for no one"}');
      await held.requested;
      socket.destroy();
      await once(socket, 'close');
      await held.release();
      assert.deepEqual(await lines(), [['/developer/apps/v1/:id', 200]]);
      assert.equal((await http.updateApp(appId, {})).view.name, 'Made for no one');
    });
  });

  /** Sends the start of an update of 26 bytes, and returns what is logged from then on, once the response has ended. */
  async function begin(body: string): Promise<Begun> {
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
    const [, response] = (await arrived) as [IncomingMessage, ServerResponse];
    const closed = once(response, 'close');
    const lines = async () => {
      await closed;
      for (;;) {
        const fresh = [...http.log.requests()].filter(([id]) => !known.has(id)).flatMap(([, lines]) => lines);
        if (fresh.length > 0) return fresh.map(({ route, status }) => [route, status]);
        await new Promise(setImmediate);
      }
    };
    return { socket, lines };
  }

  function routeOf(headers: Readonly<Record<string, string>>): unknown {
    return http.log.requests().get(headers['x-request-id'])?.[0]?.route;
  }
});
