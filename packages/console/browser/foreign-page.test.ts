import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { everything } from 'app-registry-testkit/registry/recorded';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

// Another port of this machine is the same site, to which the browser sends the cookie too; another name of it is not.
for (const host of ['127.0.0.1', 'localhost']) {
  test(`a form that a page of ${host} posts changes nothing for who has signed in`, async () => {
    const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
    const page = await fixture.signedIn();
    const stored = await everything(fixture.data.registry.storage);
    const action = `${fixture.address}operator/v1/apps/${id}/withdraw`;
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>Elsewhere</title><form method="post" action="${action}"><button>Win</button></form>`,
      );
    }).listen(0, host);
    await once(server, 'listening');
    await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
    const [answer] = await Promise.all([
      page.waitForResponse(action),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    assert.equal(answer.status(), 403);
    assert.match(await answer.text(), /origin_not_allowed/);
    assert.deepEqual(await everything(fixture.data.registry.storage), stored);
    server.close();
    server.closeAllConnections();
    // The session was there to be misused.
    await page.goto(fixture.address);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    // The refusal is a fault to the browser, and so is that a refusal has no icon, which it may ask for until it leaves.
    fixture.takeFaults();
  });
}
