import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { progressBar } from './progress-bar.ts';

test('a terminal shows the progress on one line, which is cleared at the end', () => {
  const terminal = new Terminal({ isTTY: true });
  const bar = progressBar(200, terminal.stream);
  bar.show(50);
  assert.equal(terminal.written, '\r[########......................]  25 %');
  bar.end();
  assert.ok(terminal.written.endsWith('\r\u001b[K'));
  assert.doesNotMatch(terminal.written, /\n/);
});

test('a terminal shows the first of many steps, and later ones at intervals', () => {
  const terminal = new Terminal({ isTTY: true });
  const bar = progressBar(1_000_000, terminal.stream);
  for (let done = 0; done < 100_000; done += 1) bar.show(done);
  assert.ok(terminal.writes > 0 && terminal.writes < 100, `${terminal.writes} writes`);
});

test('the progress never exceeds 100 %, even if the file grows', () => {
  for (const [total, done] of [
    [0, 0],
    [10, 10],
    [10, 20],
  ] as const) {
    const terminal = new Terminal({ isTTY: true });
    progressBar(total, terminal.stream).show(done);
    assert.equal(terminal.written, `\r[${'#'.repeat(30)}] 100 %`);
  }
});

test('nothing is written to a stream that is not a terminal', () => {
  const pipe = new Terminal({ isTTY: false });
  const bar = progressBar(200, pipe.stream);
  bar.show(50);
  bar.end();
  assert.equal(pipe.writes, 0);
});

/** A stream that looks like standard error. */
class Terminal {
  readonly stream: NodeJS.WriteStream;
  written = '';
  writes = 0;

  constructor({ isTTY }: { isTTY: boolean }) {
    const stream = new Writable({
      decodeStrings: false,
      write: (text, _encoding, done) => {
        this.written += text;
        this.writes += 1;
        done();
      },
    });
    this.stream = Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream;
  }
}
