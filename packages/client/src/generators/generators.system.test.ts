import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { HookReceiver, until } from '@appregistrar/testkit/http/hook-receiver';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { AlteringProxy } from './testing/altering-proxy.ts';
import type { GeneratedClient, RegistryAccess } from './testing/generated-client.ts';
import { GeneratedProject } from './testing/generated-project.ts';
import { asOfLaterRelease, asOfNewType } from './testing/later-release.ts';

/** By the section of `docs/generated-clients.md`. */
const generators = {
  'openapi-typescript with openapi-fetch': {
    sample: 'openapi-fetch',
    options: { exactOptionalPropertyTypes: true },
    validates: false,
  },
  'Hey API': { sample: 'hey-api', options: {}, validates: true },
  orval: { sample: 'orval', options: { exactOptionalPropertyTypes: true }, validates: true },
};

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></svg>';
const missingId = 'app_00000000000000000000000000';
const missingLogoId = 'logo_00000000000000000000000000';

interface Demo extends RegistryAccess {
  apps: { id: string }[];
}

interface Scene {
  generator: string;
  client: GeneratedClient;
  /** The same for a registry of a later release. */
  laterClient: GeneratedClient;
  /** An approved app with installations. */
  appId: string;
}

let program: Program;
let demo: Demo;
let receiver: HookReceiver;
/** Responses as a later release could send them. */
let laterRegistry: AlteringProxy;
let laterOperator: AlteringProxy;

before(async () => {
  const operatorAddress = `127.0.0.1:${await freePort()}`;
  const addresses = { PUBLIC_ADDRESS: `127.0.0.1:${await freePort()}`, OPERATOR_ADDRESS: operatorAddress };
  program = new Program([linkedLauncher, 'dev', '--json'], { env: { ...addresses, WEBHOOK_ALLOW_PRIVATE: '1' } });
  const printed = await program.until((stdout) => /^{"baseUrl".*$/m.exec(stdout)?.[0]);
  demo = { ...JSON.parse(printed), operatorUrl: `http://${operatorAddress}` };
  receiver = await HookReceiver.start();
  await createWebhook(receiver.url());
  laterRegistry = await AlteringProxy.open(demo.baseUrl, asOfLaterRelease);
  laterOperator = await AlteringProxy.open(demo.operatorUrl, asOfLaterRelease);
});
after(async () => {
  laterRegistry?.close();
  laterOperator?.close();
  await receiver?.close();
  program?.kill('SIGTERM');
  await program?.ended;
});

for (const [section, { sample, options, validates }] of Object.entries(generators)) {
  test(`the client that ${section} generates from both documents`, async (t) => {
    const project = await generate(t, section);
    await t.test('compiles with the code of the page and a program', () => project.compile(sample, options));
    const { connect } = await project.load();
    const scene: Scene = {
      generator: sample,
      client: connect(demo),
      laterClient: connect({ ...demo, baseUrl: laterRegistry.baseUrl, operatorUrl: laterOperator.baseUrl }),
      appId: demo.apps[0]?.id ?? '',
    };
    await t.test('reads, updates and reviews apps, and reads events', () => review(scene));
    await t.test('reports problems by their codes', () => meetProblems(scene));
    await t.test('accepts the fields, values and events of a later release', () => meetLaterRelease(scene));
    await t.test('reads webhooks, also those of a later release', () => receiveWebhooks(scene));
    if (!validates) return;
    await t.test('sends no update that the registry would refuse', () => refuseUpdates(scene));
    await t.test('refuses a response without a required field', () => refuseResponse(scene));
  });
}

async function generate(t: TestContext, section: string): Promise<GeneratedProject> {
  const env = { BASE_URL: demo.baseUrl, OPERATOR_BASE_URL: demo.operatorUrl };
  const project = await GeneratedProject.create(section, env);
  t.after(() => project.remove());
  return project;
}

async function review({ client, generator, appId }: Scene): Promise<void> {
  const { status, developerId, installations } = await client.getApp(appId);
  assert.equal(status, 'APPROVED');
  assert.ok(installations > 1);
  const updated = await client.updateApp(appId, { listingInfo: { shortDescription: `By ${generator}.` } });
  assert.equal(updated.description, `By ${generator}.`);
  const { id: logoId } = await client.createLogo(developerId, new Blob([logo], { type: 'image/svg+xml' }));
  const { id } = await client.createApp({ developerId, name: generator, logoId });
  const submitted = await client.submitApp(id);
  assert.equal(submitted.status, 'AWAITING_REVIEW');
  assert.equal((await client.listReviewQueue())[generator], 'submission');
  assert.deepEqual(await client.approveApp(id, submitted.etag), { status: 'APPROVED' });
  const labels = ['app.created', 'app.submitted', 'approved revision 1'];
  assert.deepEqual(await client.listEvents(id), labels);
}

async function meetProblems({ client, appId }: Scene): Promise<void> {
  await assert.rejects(client.getApp(missingId), { status: 404, label: 'no app', pointers: [] });
  const invalid = client.updateApp(appId, { logoId: missingLogoId });
  await assert.rejects(invalid, { status: 422, label: 'invalid', pointers: ['/logoId'] });
}

async function meetLaterRelease({ client, laterClient, appId }: Scene): Promise<void> {
  assert.deepEqual(await laterClient.getApp(appId), await client.getApp(appId));
  assert.deepEqual(await laterClient.updateApp(appId, {}), await client.updateApp(appId, {}));
  assert.deepEqual(await laterClient.listEvents(appId), [...(await client.listEvents(appId)), 'unknown']);
  assert.deepEqual([...new Set(Object.values(await laterClient.listReviewQueue()))], ['unknown']);
  await assert.rejects(laterClient.getApp(missingId), { status: 404, label: 'unknown', pointers: [] });
  const invalid = laterClient.updateApp(appId, { logoId: missingLogoId });
  await assert.rejects(invalid, { status: 422, label: 'unknown', pointers: ['/logoId'] });
}

async function receiveWebhooks({ client, generator, appId }: Scene): Promise<void> {
  const shortDescription = `Received by ${generator}.`;
  await client.updateApp(appId, { listingInfo: { shortDescription } });
  const { body } = await until(() => receiver.arrivals.find((arrival) => arrival.body.includes(shortDescription)));
  const payload = JSON.parse(body);
  assert.equal(client.receive(payload), 'app.updated');
  assert.equal(client.receive(asOfLaterRelease(payload)), 'app.updated');
  assert.equal(client.receive(asOfNewType(payload)), 'unknown');
}

async function refuseUpdates({ laterClient, appId }: Scene): Promise<void> {
  const sentBefore = laterRegistry.requests;
  for (const update of [
    { listingInfo: { backgroundColor: 'red' } },
    { oauthInfo: { loginUrl: 'javascript:alert(1)' } },
  ]) {
    await assert.rejects(laterClient.updateApp(appId, update), { name: 'ZodError' });
  }
  assert.equal(laterRegistry.requests, sentBefore);
}

async function refuseResponse({ laterClient, appId }: Scene): Promise<void> {
  laterRegistry.alter = () => ({ id: appId });
  await assert.rejects(laterClient.getApp(appId), { name: 'ZodError' });
  laterRegistry.alter = asOfLaterRelease;
}

async function createWebhook(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${demo.operatorToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url, name: 'Generated' });
  const response = await fetch(`${demo.operatorUrl}/operator/v1/webhooks`, { method: 'POST', headers, body });
  assert.equal(response.status, 201, await response.text());
}
