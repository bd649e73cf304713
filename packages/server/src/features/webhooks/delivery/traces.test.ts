import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import type { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { type DeliveringProcess, DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { appendEvent } from '../../events/append-event.ts';

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const traceparent = `00-${traceId}-${spanId}-01`;
const sameTrace = `00-${traceId}-b7ad6b7169203331-01`;
const otherTrace = `00-0af7651916cd43dd8448eb211c80319c-${spanId}-00`;

onSqlite((engine) => {
  let hook: HookReceiver;
  let fixture: DeliveryFixture;
  let serving: DeliveringProcess;
  before(async () => {
    fixture = await DeliveryFixture.open(engine);
    hook = fixture.hook;
  });
  afterEach(() => fixture.reset());
  after(() => fixture.close());

  /** Commits a change of an app in each of these traces. */
  async function change(...traces: (string | undefined)[]): Promise<void> {
    for (const trace of traces) {
      const about = { type: 'app.updated', appId: 'app_a', subjectId: 'app_a', before: {}, after: {} } as const;
      const context = { caller: { ...commandLine, traceparent: trace }, at: Date.now() };
      await fixture.storage.write((transaction) => appendEvent(transaction, { ...context, ...about }));
    }
  }
  const headerAt = async (at: number) => (await hook.untilArrived(at + 1))[at]?.headers.traceparent;

  test('each attempt of a delivery continues the trace of its change in a new span, and the event names the span of the change', async () => {
    serving = await fixture.startProcess();
    hook.respond = (_, response) => response.writeHead(hook.arrivals.length < 2 ? 500 : 200).end();
    await fixture.newWebhook(hook.url());
    await change(traceparent);
    const headers = [await headerAt(0), await headerAt(1)];
    for (const header of headers) assert.match(header ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    const spans = new Set([traceparent, ...headers]);
    assert.equal(spans.size, 3, 'each is another span');
    for (const { body } of hook.arrivals) assert.equal(JSON.parse(body).traceparent, traceparent);
    await serving.stop();
  });

  test('a delivery of a change without a trace has no trace', async () => {
    serving = await fixture.startProcess();
    await fixture.newWebhook(hook.url());
    await change(undefined);
    assert.equal(await headerAt(0), undefined);
    assert.equal('traceparent' in JSON.parse(hook.arrivals[0]?.body ?? ''), false);
  });

  const batches: [string, (string | undefined)[], RegExp | undefined][] = [
    ['one trace continues it', [traceparent, sameTrace], new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`)],
    ['two traces continues neither', [traceparent, otherTrace], undefined],
    ['one trace and none continues none', [traceparent, undefined], undefined],
  ];
  for (const [what, traces, expected] of batches) {
    test(`a batch of ${what}, and its events name their own`, async () => {
      await fixture.newWebhook(hook.url(), { batch: 1 });
      await change(...traces);
      serving = await fixture.startProcess();
      const header = await headerAt(0);
      if (expected) assert.match(header ?? '', expected);
      else assert.equal(header, undefined);
      const events: { traceparent?: string }[] = JSON.parse(hook.arrivals[0]?.body ?? '');
      assert.deepEqual(
        events.map((event) => event.traceparent),
        traces,
      );
    });
  }
});
