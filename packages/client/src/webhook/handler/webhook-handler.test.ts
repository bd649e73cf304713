import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { EventOf, UnknownEvent } from '../../event.ts';
import { webhookEvent } from '../signing/webhook-event.ts';
import { WebhookVerificationError } from '../webhook-verification-error.ts';
import { BodyError } from './read-body.ts';
import { otherSecret, receivers, secret, signed } from './testing/receivers.ts';
import { type WebhookHandlerOptions, webhookHandler } from './webhook-handler.ts';

const approved = () => webhookEvent('app.approved');
const praised: UnknownEvent = { ...webhookEvent('webhook.tested'), type: 'app.praised', data: { stars: 5 } };

/** A handler that records everything. */
function recorded(options: Partial<WebhookHandlerOptions> = {}) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const failed: (string | undefined)[] = [];
  const handler = webhookHandler({
    secret,
    on: { 'app.approved': ({ id }: EventOf<'app.approved'>) => void handled.push(id) },
    other: ({ id, type }) => void handled.push(`other ${type} ${id}`),
    onError: (error, event) => {
      errors.push(error);
      failed.push(event?.id);
    },
    ...options,
  });
  return { handler, handled, errors, failed };
}

for (const [kind, serve] of Object.entries(receivers)) {
  test(`${kind}: a single event goes to the handler of its type, and any other to \`other\``, async (t) => {
    const { handler, handled, errors } = recorded();
    const send = await serve(t, handler);
    const [event, submitted] = [approved(), webhookEvent('app.submitted')];
    for (const each of [event, submitted, praised]) {
      const response = await send(signed(each));
      assert.deepEqual([response.status, await response.text()], [204, '']);
    }
    assert.deepEqual(handled, [event.id, `other app.submitted ${submitted.id}`, `other app.praised ${praised.id}`]);
    assert.deepEqual(errors, []);
  });

  test(`${kind}: the events of a batch are handled in order, one at a time`, async (t) => {
    const steps: string[] = [];
    const slow = async ({ id }: { id: string }) => {
      steps.push(`begin ${id}`);
      await new Promise(setImmediate);
      steps.push(`end ${id}`);
    };
    const send = await serve(t, recorded({ on: { 'app.approved': slow }, other: slow }).handler);
    const events = [approved(), praised, approved()];
    assert.equal((await send(signed(events))).status, 204);
    assert.deepEqual(
      steps,
      events.flatMap(({ id }) => [`begin ${id}`, `end ${id}`]),
    );
  });

  test(`${kind}: an unverified webhook gets 400 without the reason, which only the hook receives`, async (t) => {
    const { handler, handled, errors } = recorded();
    const send = await serve(t, handler);
    const good = signed(approved());
    const cases: [RequestInit, string][] = [
      [{ ...good, headers: {} }, 'missing_header'],
      [signed(approved(), { secrets: [otherSecret] }), 'no_matching_signature'],
      [{ ...good, body: `${good.body} ` }, 'no_matching_signature'],
      [{ method: 'POST', headers: good.headers }, 'no_matching_signature'],
      [signed(approved(), { at: Date.now() - 600_000 }), 'too_old'],
      [signed([approved(), 1 as never]), 'invalid_event'],
    ];
    for (const [request, reason] of cases) {
      const response = await send(request);
      assert.deepEqual([response.status, await response.text()], [400, ''], reason);
      const error = errors.pop();
      assert.ok(error instanceof WebhookVerificationError);
      assert.equal(error.reason, reason);
    }
    assert.deepEqual([handled, errors], [[], []]);
  });

  test(`${kind}: an event is handled once, however often it is sent and in any batch`, async (t) => {
    const { handler, handled } = recorded();
    const send = await serve(t, handler);
    const [first, second] = [approved(), approved()];
    for (const content of [first, first, [first, second, second], [second], second]) {
      assert.equal((await send(signed(content))).status, 204);
    }
    assert.deepEqual(handled, [first.id, second.id]);
  });

  test(`${kind}: after a failure in a batch, the retry handles only what was not handled before`, async (t) => {
    const events = [approved(), approved(), approved()] as const;
    const attempts: string[] = [];
    let isBroken = true;
    const { handler, errors, failed } = recorded({
      on: {
        'app.approved': async ({ id }) => {
          attempts.push(id);
          if (isBroken && id === events[1].id) throw new Error('the database is down');
        },
      },
    });
    const send = await serve(t, handler);
    const response = await send(signed([...events]));
    assert.deepEqual([response.status, await response.text()], [500, '']);
    isBroken = false;
    assert.equal((await send(signed([...events]))).status, 204);
    assert.deepEqual(
      attempts,
      [events[0], events[1], events[1], events[2]].map(({ id }) => id),
    );
    assert.deepEqual([errors.map(String), failed], [['Error: the database is down'], [events[1].id]]);
  });

  test(`${kind}: a method other than POST gets 405 with Allow`, async (t) => {
    const { handler, errors } = recorded();
    const send = await serve(t, handler);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const response = await send({ ...signed(approved()), method, body: null });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method);
    }
    assert.deepEqual(errors, []);
  });

  test(`${kind}: a body of the limit is accepted, and one with a byte more gets 413`, async (t) => {
    const request = signed(approved());
    const bodyBytesMax = Buffer.byteLength(request.body);
    const { handler, handled, errors } = recorded({ bodyBytesMax });
    const send = await serve(t, handler);
    assert.equal((await send(request)).status, 204);
    assert.equal((await send({ ...request, body: `${request.body} ` })).status, 413);
    assert.equal(handled.length, 1);
    assert.ok(errors[0] instanceof BodyError && /bodyBytesMax/.test(errors[0].message));
  });
}

const send = (handler: ReturnType<typeof webhookHandler>, init: RequestInit) =>
  handler(new Request('https://hooks.example.com/', init));

test('a batch of 1 MiB is accepted without settings', async () => {
  const { handler, handled } = recorded();
  const large = webhookEvent('app.created', {
    data: {
      after: {
        developerId: 'd',
        revision: 1,
        revisionNonce: 'q5L-YRbWlS84',
        listingInfo: { longDescription: 'x'.repeat(1_048_576) },
      },
    },
  });
  assert.equal((await send(handler, signed(large))).status, 204);
  assert.equal(handled.length, 1);
});

test('an event that is sent again while it is handled is handled once, and both requests get the outcome', async () => {
  for (const [outcome, status] of [
    [() => {}, 204],
    [() => assert.fail('broken'), 500],
  ] as const) {
    const { promise: end, resolve: settle } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    let calls = 0;
    const work = () => {
      calls += 1;
      begin();
      return end.then(outcome);
    };
    const { handler } = recorded({ on: { 'app.approved': work }, other: () => arrive() });
    const event = approved();
    const first = send(handler, signed(event));
    await begun;
    const second = send(handler, signed([praised, event]));
    await arrived;
    // It then goes on to the event that the first request is handling.
    await new Promise(setImmediate);
    settle();
    assert.deepEqual([(await first).status, (await second).status, calls], [status, status, 1]);
  }
});

test('`seen` may be asynchronous, and receives an event after it was handled', async () => {
  const steps: string[] = [];
  const seen = {
    has: async (id: string) => steps.push(`has ${id}`) === 0,
    add: async (id: string) => void steps.push(`add ${id}`),
  };
  const { handler } = recorded({ seen, on: { 'app.approved': ({ id }) => void steps.push(`handle ${id}`) } });
  const { id, ...event } = approved();
  assert.equal((await send(handler, signed({ id, ...event }))).status, 204);
  assert.deepEqual(steps, [`has ${id}`, `handle ${id}`, `add ${id}`]);
});

test('a `seen` shared by several handlers leaves each event to one of them, and may be a Set', async () => {
  const seen = new Set<string>();
  const [one, two] = [recorded({ seen }), recorded({ seen })];
  const event = approved();
  await send(one.handler, signed(event));
  await send(two.handler, signed(event));
  assert.deepEqual([one.handled, two.handled, [...seen]], [[event.id], [], [event.id]]);
});

test('a `seen` that fails gets 500 and is reported', async () => {
  const broken = () => Promise.reject(new Error('the cache is down'));
  for (const seen of [
    { has: broken, add: () => {} },
    { has: () => false, add: broken },
  ]) {
    const { handler, errors } = recorded({ seen });
    assert.equal((await send(handler, signed(approved()))).status, 500);
    assert.deepEqual(errors.map(String), ['Error: the cache is down']);
  }
});

test('a hook that fails changes no response, and without a hook failures are written to the console', async (t) => {
  const lines: unknown[] = [];
  t.mock.method(console, 'error', (line: unknown) => lines.push(String(line)));
  const broken = () => Promise.reject(new Error('the hook is broken'));
  const failing = { 'app.approved': () => assert.fail('the handler is broken') };
  for (const [onError, line] of [
    [broken, 'Error: the hook is broken'],
    [undefined, 'AssertionError [ERR_ASSERTION]: the handler is broken'],
  ] as const) {
    const { handler } = recorded({ onError, on: failing });
    assert.equal((await send(handler, signed(approved()))).status, 500);
    assert.equal(lines.pop(), line);
  }
});

test('a handler that throws a verification error of its own gets 500', async () => {
  const nested = () => {
    throw new WebhookVerificationError('too_old', 'of another webhook');
  };
  assert.equal((await send(recorded({ on: { 'app.approved': nested } }).handler, signed(approved()))).status, 500);
});

test('while a secret is rotated, both are accepted', async () => {
  const { handler } = recorded({ secret: [otherSecret, secret] });
  for (const secrets of [[secret], [otherSecret], [otherSecret, secret]]) {
    assert.equal((await send(handler, signed(approved(), { secrets }))).status, 204);
  }
});

test('a malformed secret throws a TypeError immediately', () => {
  for (const malformed of ['', 'no secret', [], undefined]) {
    assert.throws(() => webhookHandler({ secret: malformed as string, on: {} }), TypeError);
  }
});

test('without `other`, events of other types are accepted and ignored', async () => {
  const handler = webhookHandler({ secret, on: {} });
  assert.equal((await send(handler, signed([approved(), praised]))).status, 204);
});

test('a fetch request that was already read gets 500, and the hook a TypeError', async () => {
  const { handler, errors } = recorded();
  const request = new Request('https://hooks.example.com/', signed(approved()));
  await request.text();
  assert.equal((await handler(request)).status, 500);
  assert.ok(errors[0] instanceof TypeError && /already read or parsed/.test(errors[0].message));
});

test('a second argument from the runtime does not turn a fetch request into one of Node', async () => {
  const { handler } = recorded();
  const withContext = handler as unknown as (request: Request, env: object, context: object) => Promise<Response>;
  const request = new Request('https://hooks.example.com/', signed(approved()));
  assert.equal((await withContext(request, { writeHead: assert.fail }, {})).status, 204);
});

test('a fetch body that stalls gets 408 and is cancelled', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')), cancel });
  const { handler } = recorded({ bodyTimeoutMs: 20 });
  const init = { ...signed(approved()), body, duplex: 'half' } as RequestInit;
  assert.equal((await send(handler, init)).status, 408);
  await cancelled;
});

test('no timer outlives its request: a process ends after it', async () => {
  const code = `import { webhookHandler } from './webhook-handler.ts';
    const handler = webhookHandler({ secret: '${secret}', on: {}, onError() {}, bodyTimeoutMs: 2 ** 31 - 1 });
    const request = new Request('https://hooks.example.com/', { method: 'POST', body: '{}' });
    console.log((await handler(request)).status);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    timeout: 60_000,
  });
  assert.equal(stdout, '400\n');
});
