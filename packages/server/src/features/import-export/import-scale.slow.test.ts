import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { forEachEngine, sqlite } from '@appregistrar/testkit/engines/engines';
import { appOf, installationOf, refusalOf } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { lineBytesMax } from './import-record-schema.ts';
import { importRegistry } from './import-registry.ts';

const lineCount = 30_000;
/** Compiled code and caches of the first lines are part of it. */
const growthBytesMax = 3 * 1024 * 1024;
/** What an import remembers of an object (`ImportedObjects`): a slot of 12 bytes, of which at least three eighths are taken. */
const rememberedBytesMax = 32;
/** One object held per line would take more. */
const bytesMax = growthBytesMax + lineCount * rememberedBytesMax;

const longLineCount = 30;
const long = 'x'.repeat(lineBytesMax - 200);
/** Lines whose errors, or whose ids, must not hold all of them in memory. Each is another one, as equal names are shared. */
const longLines: [what: string, line: (index: number) => string][] = [
  ['an unknown field name', (index) => `{"type":"developer","userId":"x","email":"a@example.com","${index}${long}":1}`],
  ['an invalid line', (index) => `{"type":"app","id":"${newId('app')}",${index}${long}`],
];

forEachEngine((engine) => {
  test(`memory does not grow with ${lineCount} installations`, async (context) => {
    const fixture = await RegistryFixture.open(engine);
    context.after(() => fixture.close());
    const app = appOf(fixture.developer.id, 'Many');
    const memory = new MemoryWatch();
    const input = { open: () => manyLines(app, () => installationOf(app.id)), onProgress: memory.look };
    const { installations } = await importRegistry(fixture.registry, commandLine, input);
    assert.equal(installations.created, lineCount);
    memory.assertGrowth(bytesMax);
  });
});

// What is refused reaches no engine.
describe('an import of invalid lines', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(sqlite);
  });
  after(() => fixture.close());

  test(`holds at most ${rememberedBytesMax} bytes of each of ${lineCount} lines`, async () => {
    const app = appOf(fixture.developer.id, 'Much is wrong');
    const memory = new MemoryWatch();
    const input = { open: () => manyLines(app, (index) => appOf('nobody', `${index}`)), onProgress: memory.look };
    const { detail } = await refusalOf(importRegistry(fixture.registry, commandLine, input));
    assert.match(detail, new RegExp(`^${lineCount} values cannot be accepted`));
    memory.assertGrowth(bytesMax);
  });

  for (const [what, line] of longLines) {
    test(`holds little of the length of ${what}`, async () => {
      const memory = new MemoryWatch(1);
      const input = { open: () => longFile(line), onProgress: memory.look };
      await refusalOf(importRegistry(fixture.registry, commandLine, input));
      memory.assertGrowth(8 * lineBytesMax);
    });
  }
});

async function* longFile(line: (index: number) => string): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < longLineCount; index += 1) yield Buffer.from(`${line(index)}\n`);
}

async function* manyLines(first: object, line: (index: number) => object): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(first)}\n`);
  for (let done = 0; done < lineCount; done += 100) {
    const lines = Array.from({ length: 100 }, (_, index) => `${JSON.stringify(line(done + index))}\n`);
    yield Buffer.from(lines.join(''));
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Measures memory after garbage collection at some points of an import. What lines leave is in all of the last measurements. */
class MemoryWatch {
  readonly #held: number[] = [];
  readonly #each: number;
  #looks = 0;

  /** Measures each so many calls of `look`. */
  constructor(each = 100) {
    this.#each = each;
  }

  readonly look = (): void => {
    this.#looks += 1;
    if (this.#looks % this.#each !== 0) return;
    collectGarbage();
    // Long texts are outside of the heap, and so is the memory of sockets, which varies by a megabyte and more.
    const { heapUsed, external } = process.memoryUsage();
    this.#held.push(heapUsed + external);
  };

  assertGrowth(bytesMax: number): void {
    const [first = assert.fail(), ...rest] = this.#held;
    const growth = Math.min(...rest.slice(-4)) - first;
    assert.ok(growth < bytesMax, `it grew by ${growth} bytes`);
  }
}
