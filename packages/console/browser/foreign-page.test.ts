import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

// Another port of this host is the same site, so the browser sends the cookie; another host name is not.
for (const host of ['127.0.0.1', 'localhost']) {
  test(`a form posted from a page on ${host} changes nothing, even with a session`, async () => {
    const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
    const page = await fixture.signedIn();
    // The registry itself writes other tables, such as when a token was last used.
    const rows = () =>
      Promise.all((['apps', 'events'] as const).map((table) => rowsOf(fixture.data.registry.storage, table)));
    const stored = await rows();
    const action = `${fixture.address}operator/v1/apps/${id}/withdraw`;
    const server = createServer((_, elsewhere) => {
      elsewhere.setHeader('content-type', 'text/html');
      elsewhere.end(
        `<!doctype html><title>Elsewhere</title><form method="post" action="${action}"><button>Win</button></form>`,
      );
    }).listen(0, host);
    await once(server, 'listening');
    await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
    const [response] = await Promise.all([
      page.waitForResponse(action),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    assert.equal(response.status(), 403);
    assert.match(await response.text(), /origin_not_allowed/);
    assert.deepEqual(await rows(), stored);
    server.close();
    server.closeAllConnections();
    // The session was active all the time.
    await page.goto(fixture.address);
    await page.getByRole('banner').waitFor();
    // The browser logs the 403, and that its page has no icon.
    fixture.takeErrors();
  });
}
