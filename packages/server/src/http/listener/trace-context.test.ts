import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { PageOf } from '../../kernel/page.ts';
import { traceparentOf } from './request-context.ts';

const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const sampled = `00-${traceId}-${parentId}-01`;

/** What is sent, and what is passed on of it. */
const valid: Record<string, string> = {
  [sampled]: sampled,
  [`00-${traceId}-${parentId}-00`]: `00-${traceId}-${parentId}-00`,
  [`00-${traceId}-${parentId}-03`]: `00-${traceId}-${parentId}-03`,
  [`00-${traceId}-${parentId}-ff`]: `00-${traceId}-${parentId}-03`,
  [`01-${traceId}-${parentId}-01`]: sampled,
  [`cc-${traceId}-${parentId}-01-what-the-future-will-be-like`]: sampled,
};
const invalid = [
  '',
  'trace',
  `ff-${traceId}-${parentId}-01`,
  `00-${traceId.toUpperCase()}-${parentId}-01`,
  `00-${'0'.repeat(32)}-${parentId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${parentId}-1`,
  `00-${traceId}-${parentId}-01-more`,
  `00-${traceId}-${parentId}-01.`,
  `cc-${traceId}-${parentId}-01more`,
  `${sampled}, ${sampled}`,
  `00-${traceId}-${parentId}-01","level":60,"msg":"`,
  `00-${traceId.slice(1)}-${parentId}-01`,
];

test('a valid traceparent is passed on in version 00, with the flags that are defined', () => {
  for (const [traceparent, passedOn] of Object.entries(valid)) assert.equal(traceparentOf({ traceparent }), passedOn);
});

test('an invalid traceparent counts as none', () => {
  for (const traceparent of invalid) assert.equal(traceparentOf({ traceparent }), undefined, traceparent);
});

onSqlite((engine) => {
  let fixture: HttpFixture;
  before(async () => {
    fixture = await HttpFixture.open(engine);
  });
  after(() => fixture.close());

  test('a traceparent is in the log line of its request and in the event of its change', async () => {
    for (const [traceparent, logged, stored] of [
      [sampled, traceId, sampled],
      ['trace', undefined, null],
    ] as const) {
      const { id } = await fixture.data.newApp();
      const { status, headers } = await fixture.updateApp(id, { name: `Traced ${id}` }, { traceparent });
      const [line] = fixture.log.requests().get(headers['x-request-id']) ?? [];
      const event = (await fixture.data.eventsOf(id)).at(-1);
      assert.deepEqual([status, line?.traceId, event?.traceparent], [200, logged, stored]);
    }
  });

  test('a read is logged with its trace, and gets the same response as without one', async () => {
    const { id } = await fixture.data.newApp();
    const [plain, traced] = [await fixture.getApp(id), await fixture.getApp(id, { traceparent: sampled })];
    assert.deepEqual([traced.view, traced.etag], [plain.view, plain.etag]);
    const [line] = fixture.log.requests().get(traced.headers['x-request-id']) ?? [];
    assert.equal(line?.traceId, traceId);
  });
});

onSqlite((engine) => {
  test('changes by the operator API have the trace of their request, and events show it', async () => {
    const fixture = await OperatorFixture.open(engine);
    const { id } = await fixture.data.newApp();
    const headers = { traceparent: sampled };
    await fixture.call(`POST /apps/${id}/submit`, { headers });
    await fixture.call(`POST /apps/${id}/withdraw`);
    const { view } = await fixture.call<PageOf<{ type: string; traceparent?: string }>>(`GET /events?appId=${id}`);
    await fixture.close();
    assert.deepEqual(
      view.items.map(({ type, traceparent }) => [type, traceparent]),
      [
        ['app.created', undefined],
        ['app.submitted', sampled],
        ['app.withdrawn', undefined],
      ],
    );
  });
});
