import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { forEachEngine, onSqlite } from '@appregistrar/testkit/engines/engines';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Registry } from 'prom-client';
import { updateLastUsedAt } from '../features/access/access-queries.ts';
import { requireReady } from '../http/operator/operator-routes.ts';
import { commandLine } from '../kernel/registry.ts';
import { openStorage } from '../storage/open-storage.ts';
import { measureDatabase, measureRegistry } from './registry-metrics.ts';

const expiry = (kind: string) => `access_token_soonest_expiry_timestamp_seconds{kind="${kind}"}`;

forEachEngine((engine) => {
  test('the ready metric is 1 until the server drains or the database is lost, and other metrics stay available', async () => {
    const fixture = await RegistryFixture.open(engine);
    const storage = await openStorage(fixture.databaseUrl);
    const registry = { ...fixture.registry, storage };
    const metrics = new Registry();
    const { signal: serving } = new AbortController();
    measureDatabase(registry, metrics);
    const ping = () => storage.ping();
    measureRegistry(registry, metrics, () => requireReady({ draining: serving, ping }));
    const scrape = async () => new ScrapedMetrics(await metrics.metrics());
    const ready = async () => (await scrape()).value('registry_ready');
    assert.equal(await ready(), 1);
    const drained = new Registry();
    measureRegistry(registry, drained, () => requireReady({ draining: AbortSignal.abort(), ping }));
    assert.equal(new ScrapedMetrics(await drained.metrics()).value('registry_ready'), 0);
    await createDeveloper(registry, commandLine, { email: 'alan@example.com' });
    await storage.close();
    const lost = await scrape();
    assert.equal(lost.value('registry_ready'), 0);
    assert.ok(lost.value('database_commit_duration_seconds_count'));
    if (engine.name === 'postgres') {
      assert.equal(lost.value('database_size_bytes'), undefined);
      // How many wait depends on how far the other queries of this scrape have come.
      assert.notEqual(lost.value('database_connections_waiting{pool="read"}'), undefined);
    }
    await fixture.close();
  });
});

onSqlite((engine) => {
  test('the earliest expiry of a kind is exported in seconds once a token is in use', async () => {
    const fixture = await RegistryFixture.open(engine);
    const { registry } = fixture;
    const metrics = new Registry();
    measureRegistry(registry, metrics, async () => {});
    const before = registry.now();
    const { id } = await fixture.newToken('platform', { expiresIn: 20 * 86_400 });
    const scrape = async () => new ScrapedMetrics(await metrics.metrics());
    assert.equal((await scrape()).value(expiry('platform')), undefined);
    await registry.storage.write((transaction) =>
      updateLastUsedAt(transaction, { ids: [id], hour: before, now: before }),
    );
    const scraped = await scrape();
    const inSeconds = (scraped.value(expiry('platform')) ?? Number.NaN) - before / 1_000;
    assert.ok(inSeconds >= 20 * 86_400 && inSeconds < 20 * 86_400 + 60, String(inSeconds));
    assert.equal(scraped.value(expiry('operator')), undefined);
    await fixture.close();
  });
});
