import { test } from 'node:test';
// Files of what users and operators see, so that a commit shows each change of it. `npm run golden` writes them again.
import { fileURLToPath } from 'node:url';
import { type Engine, forEachEngine, on, sqlite } from '@appregistrar/testkit/engines/engines';
import { send } from '@appregistrar/testkit/http/send';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import { describeSchema } from '@appregistrar/testkit/storage/schema-objects';
import type { Command } from 'commander';
import { serveHere } from '../test/programs/serve-here.ts';
import { createDemoHistory } from './cli/dev/demo-data.ts';
import { program } from './cli/program.ts';
import { openRegistry } from './features/settings/settings.ts';
import { openStorage } from './storage/open-storage.ts';

const goldenFile = (name: string) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
const asText = { serializers: [String] };
/** 2026-03-01, at noon in UTC. */
const now = 1_772_366_400_000;

forEachEngine((engine) => {
  test('the schema', on(engine), async (t) => {
    const { url, drop } = await engine.createMigratedDatabase();
    const storage = await openStorage(url);
    t.assert.fileSnapshot(await describeSchema(storage), goldenFile(`schema-${engine.name}.txt`), asText);
    await storage.close();
    await drop();
  });

  test('the metrics of a running server', on(engine), async (t) => {
    t.assert.fileSnapshot(await metricsOn(engine), goldenFile(`metrics-${engine.name}.txt`), asText);
  });
});

test('the help of every command', on(sqlite), async (t) => {
  const texts: string[] = [];
  for (const command of flattened(await program([], { writeOut: (text) => texts.push(text), writeErr: () => {} }))) {
    texts.push(`${'='.repeat(120)}\n`);
    command.configureOutput({ getOutHelpWidth: () => 120, getOutHasColors: () => false }).outputHelp();
  }
  t.assert.fileSnapshot(texts.join(''), goldenFile('help.txt'), asText);
});

test('an export of the demo data', on(sqlite), async (t) => {
  const { url, drop } = await sqlite.createMigratedDatabase();
  const settings = {
    logoBaseUrl: 'https://apps.example.com/logos',
    workspaceIdPrefix: 'workspace',
    userIdPrefix: 'user',
    webhookAllowPrivate: false,
  };
  const clocks = { now: () => now, machine: { bootId: 'boot', uptimeMs: () => now } };
  const registry = await openRegistry(await openStorage(url), settings, clocks);
  await createDemoHistory(registry);
  t.assert.fileSnapshot(readable(await exportText(registry)), goldenFile('demo-export.jsonl'), asText);
  await registry.storage.close();
  await drop();
});

function flattened(command: Command): Command[] {
  return [command, ...command.commands.flatMap(flattened)];
}

async function metricsOn(engine: Engine): Promise<string> {
  const { url, drop } = await engine.createMigratedDatabase();
  const { operatorUrl, stop } = await serveHere(url);
  const { text } = await send(operatorUrl, { method: 'GET', path: '/metrics' });
  await stop();
  await drop();
  const own = text.split('\n').filter((line) => /^# (HELP|TYPE) (?!nodejs_|process_)/.test(line));
  return `${own.join('\n')}\n`;
}

/** The ids of an export are random: each becomes its kind and its number, in the order in which they occur. Without images. */
function readable(text: string): string {
  const numbers = new Map<string, string>();
  const withoutImages = text.replaceAll(/"png":"[^"]+"/g, '"png":"(image)"');
  return withoutImages.replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id, prefix) => {
    const known = numbers.get(id) ?? `${prefix}_${numbers.size + 1}`;
    numbers.set(id, known);
    return known;
  });
}
