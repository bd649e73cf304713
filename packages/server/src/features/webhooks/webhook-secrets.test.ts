import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { createWebhook, rotateWebhookSecret } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openRegistry } from '../settings/settings.ts';
import { encryptWebhookSecrets, signingSecrets } from './webhook-secrets.ts';

const url = 'https://hooks.example.com/';
const newKey = () => createSecretKey(randomBytes(32));

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  afterEach(() => fixture.close());

  /** The registry as a process with these keys sees it. */
  const withKeys = (...secretKeys: KeyObject[]) =>
    openRegistry(fixture.registry.storage, { ...fixture.registry, secretKeys });
  const create = (registry: Registry) => createWebhook(registry, commandLine, { url });
  const rotate = (registry: Registry, id: string) => rotateWebhookSecret(registry, commandLine, id);
  const rows = () => rowsOf(fixture.registry.storage, 'webhooks');
  const signing = async (registry: Registry) => (await rows()).map((row) => signingSecrets(registry, row));
  const isStored = async (...secrets: string[]) => {
    const stored = JSON.stringify(await everything(fixture.registry.storage));
    return secrets.some((secret) => stored.includes(secret.slice('whsec_'.length)));
  };

  test('with a key, secrets are stored encrypted, also those that were plain text, and sign as before', async () => {
    const keyed = await withKeys(newKey());
    for (const storing of [fixture.registry, keyed]) {
      const { id, secret: first } = await create(storing);
      const { secret: second } = await rotate(storing, id);
      assert.equal(await isStored(first, second), storing === fixture.registry);
      const { webhooks: _, ...before } = await everything(keyed.storage);
      await encryptWebhookSecrets(keyed);
      assert.equal(await isStored(first, second), false);
      assert.deepEqual((await signing(keyed)).at(-1), [second, first]);
      const { webhooks: __, ...after } = await everything(keyed.storage);
      assert.deepEqual(after, before, 'nothing else is changed, and no event recorded');
    }
  });

  test('a key is rotated: the new one encrypts again what the old one encrypted, and then suffices', async () => {
    const [old, current] = [newKey(), newKey()];
    const { secret } = await create(await withKeys(old));
    await encryptWebhookSecrets(await withKeys(current, old));
    const alone = await withKeys(current);
    await encryptWebhookSecrets(alone);
    assert.deepEqual(await signing(alone), [[secret]]);
  });

  test('processes that encrypt at the same time leave secrets that sign', async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, async () => (await create(fixture.registry)).secret));
    const keyed = await withKeys(newKey());
    await Promise.all([encryptWebhookSecrets(keyed), encryptWebhookSecrets({ ...keyed })]);
    assert.deepEqual((await signing(keyed)).flat().toSorted(), secrets.toSorted());
  });

  test('without the key of a secret it throws, names the webhooks, and changes nothing', async () => {
    const { id } = await create(await withKeys(newKey()));
    await create(fixture.registry);
    const before = await everything(fixture.registry.storage);
    const message = new RegExp(`^No key in SECRETS_KEY decrypts the secrets of these webhooks: ${id}\\.`);
    for (const registry of [fixture.registry, await withKeys(newKey())]) {
      await assert.rejects(encryptWebhookSecrets(registry), { name: 'UnusableDatabase', message });
    }
    assert.deepEqual(await everything(fixture.registry.storage), before);
  });

  test('a rotation by a process without the key leaves the previous secret usable by processes that have it', async () => {
    const keyed = await withKeys(newKey());
    const { id, secret: first } = await create(keyed);
    const { secret: second } = await rotate(fixture.registry, id);
    assert.deepEqual(await signing(keyed), [[second, first]]);
    await encryptWebhookSecrets(keyed);
    assert.deepEqual(await signing(keyed), [[second, first]]);
  });

  test('after the loss of a key, a rotation gives the webhook a new secret, which alone signs', async () => {
    const { id } = await create(await withKeys(newKey()));
    const keyed = await withKeys(newKey());
    const { secret } = await rotate(keyed, id);
    await encryptWebhookSecrets(keyed);
    assert.deepEqual(await signing(keyed), [[secret]]);
  });

  test('the secret of another webhook does not open', async () => {
    const keyed = await withKeys(newKey());
    await create(keyed);
    await create(keyed);
    const [one, other] = await rows();
    assert.ok(one && other);
    assert.deepEqual(signingSecrets(keyed, { ...one, secret: other.secret }), []);
  });
});
