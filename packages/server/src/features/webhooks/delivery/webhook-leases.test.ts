import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { SecretKeys } from '../../../kernel/secret-keys.ts';
import { disableWebhook } from '../webhook-queries.ts';
import { encryptWebhookSecrets } from '../webhook-secrets.ts';
import { shardsPerWebhook, WebhookLeases } from './webhook-leases.ts';

const leaseMs = 15_000;

forEachEngine((engine) => {
  let fixture: DeliveryFixture;
  let elapsedMs: number;
  before(async () => {
    fixture = await DeliveryFixture.open(engine);
  });
  beforeEach(() => {
    elapsedMs = 0;
  });
  afterEach(() => fixture.reset());
  after(() => fixture.close());

  const newProcess = (registry: Registry = fixture.registry) => new WebhookLeases(registry, leaseMs, () => elapsedMs);
  const renew = async (process: WebhookLeases, isIdle = () => true) =>
    [...(await process.renew(isIdle)).values()].map(({ size }) => size);
  /** One begins no more attempts in a shard, then releases it, and then the other takes it. Returns the last shares. */
  const settle = async (...processes: WebhookLeases[]) => {
    let shares: number[][] = [];
    for (let rounds = 0; rounds < 4; rounds += 1) {
      shares = [];
      for (const process of processes) shares.push(await renew(process));
    }
    return shares;
  };

  test('processes share each webhook evenly after a start and an end', async () => {
    const ids = [
      (await fixture.newWebhook('https://a.example')).id,
      (await fixture.newWebhook('https://b.example')).id,
    ];
    const [first, second, third] = [newProcess(), newProcess(), newProcess()];
    assert.deepEqual(await settle(first), [[16, 16]]);
    assert.deepEqual(await settle(first, second), [
      [8, 8],
      [8, 8],
    ]);
    await settle(first, second, third);
    for (const id of ids) {
      assert.deepEqual([...(await fixture.shardsByHolder(id)).values()].toSorted(), [5, 5, 6]);
    }
    await first.release();
    assert.equal((await rowsOf(fixture.registry.storage, 'webhook_processes')).length, 2);
    assert.deepEqual(await settle(second, third), [
      [8, 8],
      [8, 8],
    ]);
    await second.release();
    await third.release();
    assert.deepEqual([...(await fixture.shardsByHolder(ids[0] ?? ''))], []);
    assert.deepEqual(await rowsOf(fixture.storage, 'webhook_processes'), []);
  });

  test('a shard changes hands only when no attempt is under way in it', async () => {
    const { id } = await fixture.newWebhook('https://a.example');
    const [first, second] = [newProcess(), newProcess()];
    await renew(first);
    await renew(second);
    // It begins no more attempts in the shards of the other, and keeps them until the last one ends.
    for (let renewals = 0; renewals < 3; renewals += 1) assert.deepEqual(await renew(first, () => false), [8]);
    assert.equal((await fixture.shardsByHolder(id)).get(first.holder), 16);
    assert.deepEqual(await renew(second), []);
    assert.deepEqual(await settle(first, second), [[8], [8]]);
  });

  test('the shards of a killed process are taken over when its lease expires, and not before', async () => {
    const { id } = await fixture.newWebhook('https://a.example');
    await fixture.lease({ webhookId: id, holder: 'killed' });
    const living = newProcess();
    assert.deepEqual(await renew(living), []);
    elapsedMs += leaseMs - 1;
    assert.deepEqual(await renew(living), []);
    elapsedMs += 1;
    assert.deepEqual(await renew(living), [shardsPerWebhook]);
    assert.deepEqual([...(await fixture.shardsByHolder(id)).keys()], [living.holder]);
  });

  test('a live process renews after a third of the lease and keeps its share, even if the clocks of others are wrong', async () => {
    const { id } = await fixture.newWebhook('https://a.example');
    const [first, second] = [newProcess(), newProcess()];
    const beatOf = async ({ holder }: WebhookLeases) =>
      (await rowsOf(fixture.storage, 'webhook_processes')).find((row) => row.id === holder)?.beat;
    await settle(first, second);
    const beat = (await beatOf(first)) ?? assert.fail();
    elapsedMs += leaseMs / 3 - 1;
    await renew(first);
    assert.equal(await beatOf(first), beat);
    assert.equal(first.leftMs, leaseMs - (leaseMs / 3 - 1));
    fixture.now = () => Date.now() + 86_400_000;
    for (let renewals = 1; renewals <= 6; renewals += 1) {
      elapsedMs += leaseMs / 3;
      assert.deepEqual(await renew(first), [8]);
      assert.equal(first.leftMs, leaseMs);
      assert.deepEqual(await renew(second), [8]);
      assert.equal(await beatOf(first), beat + renewals);
    }
    assert.deepEqual((await fixture.shardsByHolder(id)).get(first.holder), 8);
  });

  test('a process that was suspended until it was declared dead takes only what is still free, and gets its share again', async () => {
    const { id } = await fixture.newWebhook('https://a.example');
    const [suspended, living] = [newProcess(), newProcess()];
    await renew(suspended);
    await renew(living);
    elapsedMs += leaseMs;
    assert.deepEqual(await renew(living), [16]);
    assert.deepEqual(await renew(suspended), []);
    assert.equal((await fixture.shardsByHolder(id)).get(living.holder), 16);
    assert.deepEqual(await settle(living, suspended), [[8], [8]]);
  });

  test('a process without the key of a secret leaves its webhook to those that have it', async () => {
    const [encrypted, other] = [
      await fixture.newWebhook('https://a.example'),
      await fixture.newWebhook('https://b.example'),
    ];
    const secrets = new SecretKeys([createSecretKey(randomBytes(32))]);
    const without = newProcess();
    const withKey = newProcess({ ...fixture.registry, secrets });
    assert.deepEqual(await renew(without), [16, 16]);
    assert.deepEqual(without.withoutKey, []);
    await encryptWebhookSecrets({ ...fixture.registry, secrets });
    assert.deepEqual(await settle(without), [[]]);
    assert.deepEqual(without.withoutKey.toSorted(), [encrypted.id, other.id].toSorted());
    assert.deepEqual(await renew(withKey), [16, 16]);
  });

  test('a disabled webhook is not served', async () => {
    const { id } = await fixture.newWebhook('https://a.example');
    const process = newProcess();
    await renew(process);
    await fixture.storage.write((transaction) => disableWebhook(transaction, { id, at: 1, reason: 'test' }));
    assert.deepEqual(await renew(process), []);
    await fixture.setWebhook(id, { disabled_at: null });
    assert.deepEqual(await renew(process), [16]);
  });
});
