import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { newSignInCode } from '../../server/src/features/access/browser-sessions.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, signOut, untilLoaded, withoutEvents } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('without a session every page shows the sign-in page, and appears after signing in', async () => {
  const app = await fixture.data.newApp({ name: 'Led to' });
  const page = await fixture.newWindow();
  const sections = ['', 'overview', 'apps', 'review', 'tokens', 'webhooks', 'webhooks/webhook_x', 'nothing/here'];
  for (const fragment of ['', ...sections.map((section) => `#/${section}`), `#/apps/${app.id}`]) {
    await page.goto('about:blank');
    await page.goto(fixture.address + fragment);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByRole('navigation').count(), 0, fragment);
    assert.equal(await page.getByText('Led to').count(), 0, fragment);
  }
  await page.getByLabel('Operator token').fill(` ${(await fixture.data.newToken('operator')).token} `);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Led to', level: 1 }).waitFor();
});

test('an invalid token is refused with what to do, and another one can be tried', async () => {
  const page = await fixture.newWindow();
  await page.goto(fixture.address);
  await page.getByLabel('Operator token').fill((await fixture.data.newToken('platform')).token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('alert')
    .getByText('requires a token with the scope "read"')
    .or(page.getByText('kind "operator"'))
    .waitFor();
  await page.getByRole('alert').getByText('This token cannot sign in to the console').waitFor();
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the 403');
  await page.getByLabel('Operator token').fill((await fixture.data.newToken('operator')).token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
});

test('scripts cannot read the session, and the browser does not store the token', async () => {
  const page = await fixture.signedIn();
  const readable = await page.evaluate(() => [
    document.cookie,
    localStorage.length,
    sessionStorage.length,
    location.href,
  ]);
  assert.deepEqual(readable, ['', 0, 0, fixture.address]);
  const [cookie, ...others] = await page.context().cookies();
  assert.deepEqual(others, []);
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Strict', '/']);
});

test('a sign-in link works once, and its code is removed from the URL', async () => {
  const { id } = await fixture.data.newToken('operator', { name: 'By a link' });
  const code = await newSignInCode(fixture.data.registry, id);
  const link = `${fixture.address}#code=${code?.text}`;
  const page = await fixture.newWindow();
  await page.goto(link);
  await page.getByText('By a link').waitFor();
  await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
  assert.equal(page.url(), fixture.address);
  const other = await fixture.newWindow();
  await other.goto(link);
  await other.getByRole('alert').getByText('the sign-in link has been used').waitFor();
  assert.equal(other.url(), fixture.address);
  await fixture.takeLogged(1, 'the browser logs the 401');
});

test('a sign-in link works in a window that already shows the console, and leaves no trace in the history', async () => {
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/review`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const follow = async (name: string) => {
    const { id } = await fixture.data.newToken('operator', { name });
    const code = await newSignInCode(fixture.data.registry, id);
    await page.goto(`${fixture.address}#code=${code?.text}`);
    await page.getByRole('banner').getByText(name).waitFor();
    await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
    assert.equal(page.url(), fixture.address);
    return `${fixture.address}#code=${code?.text}`;
  };
  await follow('The first');
  const used = await follow('The second');

  // The existing session stays, and the error is shown.
  await page.goto(used);
  await page.getByRole('alert').getByText('the sign-in link has been used').waitFor();
  assert.equal(page.url(), fixture.address);
  await page.getByRole('banner').getByText('The second').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 401');
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('heading', { name: 'Developers' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  for (let back = 0; back < 3; back += 1) {
    await page.goBack();
    assert.doesNotMatch(page.url(), /code=/);
  }
});

test('a failed sign-out is reported and can be retried', async () => {
  const page = await fixture.signedIn();
  await page.route('**/session', (route) => route.abort());
  await signOut(page);
  await page.getByRole('alert').getByText('The registry cannot be reached').waitFor();
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the lost request');
  await page.unroute('**/session');
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('signing out ends the session, even after a reload', async () => {
  const page = await fixture.signedIn();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

test('revoking the token of a session leads to the sign-in page, with a message', async () => {
  const page = await fixture.newWindow();
  const { id, token } = await fixture.data.newToken('operator');
  await page.goto(`${fixture.address}#/apps`);
  await page.getByLabel('Operator token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('row').getByText('Ada Lovelace').waitFor();
  // The stream of events would find it too, and leave nothing to fill.
  await withoutEvents(page);
  await page.getByRole('row').getByText('Ada Lovelace').waitFor();
  await untilLoaded(page);
  await revokeToken(fixture.data.registry, commandLine, id);
  await page.getByLabel('Name starts with').fill('x');
  await page.getByText('Your session has ended').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 401');
});

test('after a sign-in with another token, the other windows of the browser show its session too', async () => {
  const page = await fixture.signedIn();
  const other = await page.context().newPage();
  // That of the context can be narrow, where the sections are a menu.
  await other.setViewportSize({ width: 1_200, height: 900 });
  await other.goto(fixture.address);
  await other.getByRole('link', { name: 'Tokens' }).waitFor();
  await signOut(page);
  const { token } = await fixture.data.newToken('operator', { scopes: ['read'], name: 'Ada, reader' });
  await page.getByLabel('Operator token').fill(token);
  await page.keyboard.press('Enter');
  await other.getByText('Ada, reader').waitFor();
  assert.equal(await other.getByRole('link', { name: 'Tokens' }).count(), 0);
});

test('the keyboard alone signs in, and skips the navigation', async () => {
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/apps`);
  await page.getByLabel('Operator token').waitFor();
  await page.keyboard.type((await fixture.data.newToken('operator')).token);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Apps', exact: true }).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to the content' });
  assert.ok(await skip.evaluate((button) => button === document.activeElement));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const first = page.getByRole('main').locator('a, button, input, select').first();
  assert.ok(await first.evaluate((control) => control === document.activeElement));
});
