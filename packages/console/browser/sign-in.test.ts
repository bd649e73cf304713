import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { commandLine } from '../../server/src/registry/registry.ts';
import { newSignInCode } from '../../server/src/registry/sessions/open-session.ts';
import { revokeToken } from '../../server/src/registry/tokens/revoke-token.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('without a session every page shows the sign-in, and leads to the page once one has signed in', async () => {
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
  await assertAccessible(page);
  await page.getByLabel('Operator token').fill(` ${(await fixture.data.newToken('operator')).token} `);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Led to', level: 1 }).waitFor();
});

test('a token that is not good is refused with what to do, and another one may be tried', async () => {
  const page = await fixture.newWindow();
  await page.goto(fixture.address);
  await page.getByLabel('Operator token').fill((await fixture.data.newToken('platform')).token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('alert')
    .getByText('takes a token with the scope "read"')
    .or(page.getByText('kind "operator"'))
    .waitFor();
  await assertAccessible(page);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 403');
  await page.getByLabel('Operator token').fill((await fixture.data.newToken('operator')).token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
});

test('no script of the page can read the session, and the browser keeps the token nowhere', async () => {
  const page = await fixture.signedIn();
  const kept = await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length, location.href]);
  assert.deepEqual(kept, ['', 0, 0, fixture.address]);
  const [cookie, ...others] = await page.context().cookies();
  assert.deepEqual(others, []);
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Strict', '/']);
});

test('a link with a code signs in once, and the code stays in no address', async () => {
  const { id } = await fixture.data.newToken('operator', { name: 'By a link' });
  const code = await newSignInCode(fixture.data.registry, id);
  const link = `${fixture.address}#code=${code?.text}`;
  const page = await fixture.newWindow();
  await page.goto(link);
  await page.getByText('By a link').waitFor();
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  assert.equal(page.url(), fixture.address);
  const other = await fixture.newWindow();
  await other.goto(link);
  await other.getByRole('alert').getByText('the code of a link was used').waitFor();
  assert.equal(other.url(), fixture.address);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 401');
});

test('a link with a code that is opened where the console is loaded signs in too, and leaves no trace', async () => {
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/review`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const follow = async (name: string) => {
    const { id } = await fixture.data.newToken('operator', { name });
    const code = await newSignInCode(fixture.data.registry, id);
    await page.goto(`${fixture.address}#code=${code?.text}`);
    await page.getByRole('banner').getByText(name).waitFor();
    await page.getByRole('heading', { name: 'Apps' }).waitFor();
    assert.equal(page.url(), fixture.address);
    return `${fixture.address}#code=${code?.text}`;
  };
  await follow('The first');
  const used = await follow('The second');

  // Whoever is signed in stays so, and is told why nothing else has come of it.
  await page.goto(used);
  await page.getByRole('alert').getByText('the code of a link was used').waitFor();
  assert.equal(page.url(), fixture.address);
  await page.getByRole('banner').getByText('The second').waitFor();
  await assertAccessible(page);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 401');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  for (let back = 0; back < 3; back += 1) {
    await page.goBack();
    assert.doesNotMatch(page.url(), /code=/);
  }
});

test('whoever cannot be signed out is told so, and may try again', async () => {
  const page = await fixture.signedIn();
  await page.route('**/session', (route) => route.abort());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('The registry cannot be reached').waitFor();
  await assertAccessible(page);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the lost request');
  await page.unroute('**/session');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('whoever signs out is signed out, also when the page is loaded again', async () => {
  const page = await fixture.signedIn();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

test('a session whose token is revoked ends in the sign-in, which says so', async () => {
  const page = await fixture.newWindow();
  const { id, token } = await fixture.data.newToken('operator');
  await page.goto(fixture.address);
  await page.getByLabel('Operator token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('row').getByText('Ada Lovelace').waitFor();
  await revokeToken(fixture.data.registry, commandLine, id);
  await page.getByLabel('Name begins with').fill('x');
  await page.getByText('Your session has ended').waitFor();
  assert.ok(fixture.takeFaults().length > 0, 'the browser itself tells the 401');
});

test('the keyboard alone signs in, and goes past the navigation to the content', async () => {
  const page = await fixture.newWindow();
  await page.goto(fixture.address);
  await page.getByLabel('Operator token').waitFor();
  await page.keyboard.type((await fixture.data.newToken('operator')).token);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to the content' });
  assert.ok(await skip.evaluate((button) => button === document.activeElement));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.ok(await page.getByLabel('Name begins with').evaluate((input) => input === document.activeElement));
});
