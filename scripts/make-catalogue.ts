import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { catalogueRecords } from './catalogue-records.ts';

const usage = `Writes a made-up catalogue as JSON Lines, which "app-registry import" takes. One seed gives one catalogue.

  node scripts/make-catalogue.ts [--apps 300] [--installations 30000] [--developers 60] [--seed 1] [--output FILE]
`;

const pieceLengthMax = 65_536;

try {
  await main();
} catch (error) {
  // Whoever reads has seen enough, as `head` does.
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
  await pipeline(Readable.from(pieces(records)), target);
}

function count(option: string, text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${option} takes a whole number, and not "${text}".`);
}

/** Lines in pieces that are worth a write. */
function* pieces(records: Iterable<object>): Generator<string> {
  let piece = '';
  for (const record of records) {
    piece += `${JSON.stringify(record)}\n`;
    if (piece.length >= pieceLengthMax) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}
