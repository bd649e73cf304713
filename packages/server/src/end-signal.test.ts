import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { untilEndSignal } from './end-signal.ts';

test('a process ends at the first signal, and immediately at a second one that no terminal repeats', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) {
    const signals = new EventEmitter();
    let exits = 0;
    let now = 1_000;
    const ended = untilEndSignal(() => (exits += 1), { signals, now: () => now });
    signals.emit(signal);
    await ended;
    // A terminal sends its signal to npm and to this process, and npm forwards it.
    now += 50;
    signals.emit('SIGINT');
    assert.equal(exits, 0);
    now += 1;
    signals.emit('SIGTERM');
    assert.equal(exits, 1);
  }
});
