import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { emptyDraft } from './drafts.ts';
import { type FailedDecision, type UnsentDecision, UnsentDecisions, undoMs } from './unsent-decisions.ts';

const holder = { holderId: 'token_1', name: 'Grace' };
let stored: FakeStorage;
let sent: string[];
let refused: Error | undefined;
let failures: FailedDecision[];
let unsent: UnsentDecisions;
let now: number;
let timer: { run: () => void; at: number } | undefined;

beforeEach(() => {
  now = 1_000_000;
  timer = undefined;
  stored = new FakeStorage();
  sent = [];
  refused = undefined;
  failures = [];
  unsent = opened();
});

test('a decision is sent once when it can no longer be undone', async () => {
  unsent.make([decision('a')]);
  pass(undoMs - 1);
  assert.deepEqual([sent, unsent.waiting.length, stored.names()], [[], 1, ['unsent-decision a']]);
  pass(1);
  await settled();
  assert.deepEqual([sent, unsent.waiting.length, stored.names()], [['a'], 0, []]);
  unsent.sendNow();
  assert.deepEqual(sent, ['a']);
});

test('an undone decision is never sent, and returns what was written', async () => {
  const draft = { ...emptyDraft, message: 'Too general.' };
  unsent.make([decision('a', { draft })]);
  assert.deepEqual(
    unsent.undo().map((one) => one.draft),
    [draft],
  );
  pass(undoMs);
  await settled();
  assert.deepEqual([sent, stored.names(), unsent.undo()], [[], [], []]);
});

test('the next decision sends the one before, and several together are undone together', async () => {
  unsent.make([decision('a')]);
  unsent.make([decision('b'), decision('c')]);
  await settled();
  assert.deepEqual(sent, ['a']);
  assert.deepEqual(
    unsent.undo().map(({ key }) => key),
    ['b', 'c'],
  );
});

test('a decision that fails stays stored, can be sent again under its key, or be given up', async () => {
  refused = new Error('No connection');
  unsent.make([decision('a')]);
  unsent.sendNow();
  await settled();
  assert.deepEqual([failures.map(({ error }) => error), stored.names()], [[refused], ['unsent-decision a']]);
  refused = undefined;
  for (const failed of unsent.failed) unsent.retry(failed);
  await settled();
  assert.deepEqual([sent, unsent.failed, stored.names()], [['a', 'a'], [], []]);
  refused = new Error('No connection');
  unsent.make([decision('b')]);
  unsent.sendNow();
  await settled();
  for (const failed of unsent.failed) unsent.discard(failed);
  assert.deepEqual([unsent.failed, stored.names()], [[], []]);
});

test('a decision that a closed window left is listed if it has not arrived', async () => {
  unsent.make([decision('a'), decision('b')]);
  const later = opened();
  await later.recover(holder, async () => true);
  assert.equal(later.failed.length, 0, 'the window may still be open');
  now = 1_100_000;
  await later.recover(holder, async ({ key }) => key === 'a');
  await later.recover(holder, async ({ key }) => key === 'a');
  assert.deepEqual([later.failed.map((failed) => failed.decision.key), stored.names()], [['a'], ['unsent-decision a']]);
});

test('the decisions of another person, and what cannot be read, are removed', async () => {
  unsent.make([decision('a'), decision('b', { writer: 'Rui' })]);
  stored.setItem('unsent-decision c', '{"half');
  stored.setItem('review-draft x', '{}');
  now = 1_100_000;
  const later = opened();
  await later.recover(holder, async () => true);
  assert.deepEqual(stored.names(), ['unsent-decision a', 'review-draft x']);
});

function opened(): UnsentDecisions {
  return new UnsentDecisions({
    send: async ({ key }) => {
      sent.push(key);
      if (refused) throw refused;
    },
    onFailure: (failed) => failures.push(failed),
    storage: stored as never,
    timers: {
      setTimeout: (run, ms) => {
        timer = { run, at: now + ms };
      },
      clearTimeout: () => {
        timer = undefined;
      },
    },
    now: () => now,
  });
}

function decision(key: string, given: Partial<UnsentDecision> = {}): UnsentDecision {
  const app = { appId: `app_${key}`, appName: key, etag: `"1.${key}"`, revision: 1 };
  return { key, step: 'approve', ...app, draft: emptyDraft, madeAt: now, writer: 'Grace', ...given };
}

function pass(ms: number): void {
  now += ms;
  if (timer && timer.at <= now) timer.run();
}

/** Until what has been sent is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

/** As in a browser, the names are its own properties. */
class FakeStorage {
  [name: string]: unknown;
  names() {
    return Object.keys(this);
  }
  getItem(name: string) {
    return (this[name] as string | undefined) ?? null;
  }
  setItem(name: string, text: string) {
    this[name] = text;
  }
  removeItem(name: string) {
    delete this[name];
  }
}
