import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { deleteInstallation } from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { PlatformApp } from '../../features/apps/app-schemas.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { AppStreams } from './get-app-route.ts';

const count = 3_000;

forEachEngine((engine) => {
  let data: RegistryFixture;
  let id: string;
  before(async () => {
    data = await RegistryFixture.open(engine);
    const app = await data.newApp();
    id = app.id;
    await addInstallations(data.registry.storage, { appId: id, count, userId: app.developerId });
  });
  after(() => data.close());

  /** Opens a list once there is room: a connection is released some turns of the event loop after its stream. */
  async function openAgain(streams: AppStreams): Promise<Readable> {
    for (;;) {
      try {
        return (await streams.open(id)).text;
      } catch {
        await new Promise(setImmediate);
      }
    }
  }

  test('beyond the limit a long list is refused with the time to retry, until another one has ended', async () => {
    const streams = new AppStreams(data.registry, { atOnceMax: 2, msMax: 0 });
    const open = [(await streams.open(id)).text, (await streams.open(id)).text];
    await assert.rejects(streams.open(id), { code: 'unavailable', headers: { 'retry-after': '5' } });
    // One that leaves, and one that reads to the end.
    open[0]?.destroy();
    const next = await openAgain(streams);
    await assert.rejects(streams.open(id), { code: 'unavailable' });
    for (const stream of [open[1] ?? assert.fail(), next]) {
      const view: PlatformApp = JSON.parse(await text(stream));
      assert.equal(view.installations.length, count);
    }
    for (const stream of [await openAgain(streams), await openAgain(streams)]) await text(stream);
  });

  test('without a limit any number is open', async () => {
    const streams = new AppStreams(data.registry, { atOnceMax: 0, msMax: 0 });
    const open = await Promise.all([1, 2, 3].map(() => streams.open(id)));
    for (const { text: stream } of open) await text(stream);
  });

  test('a list is a snapshot, unaffected by changes while it is read', async () => {
    const streams = new AppStreams(data.registry, { atOnceMax: 0, msMax: 0 });
    const before = await text((await streams.open(id)).text);
    const pieces = (await streams.open(id)).text.iterator();
    let read = (await pieces.next()).value;
    const last = (JSON.parse(before) as PlatformApp).installations.at(-1);
    await deleteInstallation(data.registry, commandLine, last?.id ?? assert.fail());
    for await (const piece of pieces) read += piece;
    assert.ok(read === before);
    const now: PlatformApp = JSON.parse(await text((await streams.open(id)).text));
    assert.equal(now.installations.length, count - 1);
  });

  test('a list that is not read in time ends with an error, and makes room', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const streams = new AppStreams(data.registry, { atOnceMax: 1, msMax: 120_000 });
    const { text: stream } = await streams.open(id);
    context.mock.timers.tick(119_999);
    assert.equal(stream.destroyed, false);
    const failed = assert.rejects(text(stream), /not read within 120000 ms/);
    context.mock.timers.tick(1);
    await failed;
    await text(await openAgain(streams));
  });

  test('an app that is deleted before its list is read does not occupy a stream slot', async () => {
    const streams = new AppStreams(data.registry, { atOnceMax: 1, msMax: 0 });
    for (let times = 0; times < 2; times += 1) {
      await assert.rejects(streams.open(newId('app')), { code: 'app_not_found' });
    }
    await text((await streams.open(id)).text);
  });
});
