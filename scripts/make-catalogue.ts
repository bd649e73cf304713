import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { catalogueRecords } from './catalogue-records.ts';

const usage = `Writes a fictional catalogue as JSON Lines for "app-registry import". The same seed gives the same catalogue.

  node scripts/make-catalogue.ts [--apps 300] [--installations 30000] [--developers 60] [--seed 1] [--output FILE]
`;

const chunkLengthMax = 65_536;

try {
  await main();
} catch (error) {
  // The reader has closed the pipe, as `head` does.
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      apps: { type: 'string', default: '300' },
      installations: { type: 'string', default: '30000' },
      developers: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      output: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const records = catalogueRecords({
    apps: count('apps', values.apps),
    installations: count('installations', values.installations),
    developers: count('developers', values.developers),
    seed: count('seed', values.seed),
  });
  const target = values.output === undefined ? process.stdout : createWriteStream(values.output);
  await pipeline(Readable.from(chunks(records)), target);
}

function count(option: string, text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${option} takes an integer, not "${text}".`);
}

/** Joins lines into chunks, to write few large ones. */
function* chunks(records: Iterable<object>): Generator<string> {
  let chunk = '';
  for (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= chunkLengthMax) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}
