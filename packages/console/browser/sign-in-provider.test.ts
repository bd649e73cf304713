import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { audience, OpenIdProvider, secret } from '@appregistrar/testkit/identity-provider/openid-provider';
import { freePort } from '@appregistrar/testkit/system/free-port';
import type { Page } from 'playwright-core';
import { assertAccessible, ConsoleFixture, signOut } from './console-fixture.ts';

const people = { grace: 'app-registry:review', eve: 'app-registry:developer' };
const operatorScopes = ['read', 'portal', 'review', 'admin'].map((scope) => `app-registry:${scope}`).join(' ');

let openId: OpenIdProvider;
let fixture: ConsoleFixture;
before(async () => {
  const port = await freePort();
  // For a browser this is another site than 127.0.0.1 of the provider, so it sends no same-site cookies.
  const baseUrl = `http://localhost:${port}`;
  const client = { id: 'console', hasSecret: true, redirectUri: `${baseUrl}/` };
  openId = await OpenIdProvider.start({ program: operatorScopes }, { people, signInClients: [client] });
  const environment = {
    OPERATOR_ADDRESS: `127.0.0.1:${port}`,
    OPERATOR_BASE_URL: baseUrl,
    OIDC_ISSUER: openId.issuer,
    OIDC_AUDIENCE: audience,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: secret,
    OIDC_SIGN_IN_PARAMETERS: `resource=${encodeURIComponent(audience)}`,
  };
  fixture = await ConsoleFixture.open(sqlite, environment, [`${openId.issuer}/`]);
});
after(async () => {
  await fixture.close();
  await openId.stop();
});

const goToProvider = (page: Page) => page.getByRole('button', { name: 'Sign in with your identity provider' }).click();
const signInAs = async (page: Page, login: string) => {
  await page.getByLabel('You are').fill(login);
  await page.getByRole('button', { name: 'Go on' }).click();
};

// Must come first, as the registry caches the metadata of the provider.
test('an unreachable provider is reported on the page, until it is back', async () => {
  const page = await fixture.newWindow();
  await page.goto(fixture.address);
  await openId.stop();
  await goToProvider(page);
  await page.getByRole('alert').getByText('The identity provider cannot be reached').waitFor();
  assert.equal(page.url(), fixture.address);
  await fixture.takeLogged(1, 'the browser logs the 503');
  await openId.resume();
  await goToProvider(page);
  await signInAs(page, 'grace');
  await page.getByRole('banner').waitFor();
});

test('one click leads to the provider and back to the requested page, signed in', async () => {
  const app = await fixture.data.newApp({ name: 'Requested' });
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/apps/${app.id}`);
  await page.getByRole('button', { name: 'Sign in with your identity provider' }).waitFor();
  await assertAccessible(page);
  await goToProvider(page);
  await signInAs(page, 'grace');
  await page.getByRole('heading', { name: 'Requested', level: 1 }).waitFor();
  await page.getByText('grace, by the provider').waitFor();
  assert.equal(page.url(), `${fixture.address}#/apps/${app.id}`);
  const cookies = await page.context().cookies(fixture.address);
  const [session, ...others] = cookies.filter(({ name }) => name.startsWith('app-registry'));
  assert.deepEqual([session?.name, session?.httpOnly, session?.sameSite, others], ['app-registry', true, 'Strict', []]);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);

  // Reloaded, as the cookie is sent only to pages of the same site.
  await page.reload();
  await page.getByRole('heading', { name: 'Requested', level: 1 }).waitFor();
});

test('the keyboard alone signs in, and the provider does not ask again', async () => {
  const page = await fixture.newWindow();
  await page.goto(fixture.address);
  await page.getByRole('button', { name: 'Sign in with your identity provider' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('You are').waitFor();
  await signInAs(page, 'grace');
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with your identity provider' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('banner').waitFor();
  assert.equal(page.url(), fixture.address);
});

test('an error of the provider is shown on the sign-in page as text, and can be retried with one click', async () => {
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/review`);
  await goToProvider(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').getByText('access_denied: You <b>would not</b> sign in').waitFor();
  await assertAccessible(page);
  assert.equal(page.url(), `${fixture.address}#/review`);
  await goToProvider(page);
  await signInAs(page, 'eve');
  await page.getByRole('alert').getByText('none of the scopes that the console needs').waitFor();
  await fixture.takeLogged(2, 'the browser logs each 403');
  // A person without a scope may still have a token.
  await page.getByLabel('Operator token').fill((await fixture.data.newToken('operator')).token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Review' }).waitFor();
});

test('an error of the provider without a state is shown too, and removed from the URL', async () => {
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}?error=invalid_client&error_description=Call+this+number`);
  await page.getByRole('alert').getByText('invalid_client').waitFor();
  assert.equal(page.url(), fixture.address);
  assert.equal(await page.getByText('Call this number').count(), 0);
  await fixture.takeLogged(1, 'the browser logs the 403');
});

test('a forged provider response in a link does not end the session', async () => {
  const page = await fixture.signedIn();
  await page.goto(`${fixture.address}?code=x&state=y&error=%3Cimg%20src=x%20onerror=alert(1)%3E`);
  await page.getByRole('banner').waitFor();
  assert.equal(page.url(), fixture.address);
  await fixture.takeLogged(1, 'the browser logs the 403');
});
