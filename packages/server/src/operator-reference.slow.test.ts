import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { jsonOf, runHere } from '@appregistrar/testkit/programs/command-line';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { approvedContent } from '../../client/src/operator/index.ts';
import { serveHere } from '../test/programs/serve-here.ts';
import { environment } from './config/env.ts';
import type { OperatorApp } from './features/apps/app-schemas.ts';
import type { Event } from './features/events/event.ts';
import { readReference } from './http/openapi/reference-page.ts';
import { operatorPages } from './http/operator/operator-docs.ts';
import type { PageOf } from './kernel/page.ts';

// The operations are tested on both engines; these are the pages that describe them.
test('the commands of the pages about the operator API work, in sequence', async () => {
  await afterCommands(operatorPages.map(readReference).join('\n'), async ({ list }) => {
    const [app, ...others] = await list<OperatorApp>('app', 'list', '--view', 'full');
    assert.deepEqual(others, []);
    assert.equal(app?.reviewStatus, 'REJECTED');
    assert.ok(app.logoId);
    assert.equal(approvedContent(app)?.logoId, app.logoId);
    const types = (await list<Event>('event', 'list', '--app', app.id)).map(({ type }) => type.replace('app.', ''));
    assert.deepEqual(types, ['created', 'updated', 'updated', 'submitted', 'approved', 'revoked']);
    assert.equal((await list('developer', 'list')).length, 2, 'the repeat of a creation creates nothing');
  });
});

interface Registry {
  /** The items that a command lists. */
  list<Item>(...command: string[]): Promise<Item[]>;
}

/** Runs the commands of a page unchanged except the port, beside a server on a separate database. */
async function afterCommands(page: string, verify: (registry: Registry) => Promise<void>): Promise<void> {
  const database = await sqlite.createDatabase();
  const cwd = await mkdtemp(join(tmpdir(), 'operator-api-'));
  const server = await serveHere(database.url);
  try {
    const script = blocks(page).replaceAll(':8081/', `:${new URL(server.operatorUrl).port}/`);
    const path = [dirname(linkedLauncher), environment.PATH].join(delimiter);
    const env = { PATH: path, DATABASE_URL: database.url };
    const result = await Program.run(['bash', '-euo', 'pipefail', '-c', script], { env, cwd });
    assert.equal(result.status, 0, result.stdout + result.stderr);
    await verify({
      list: async <Item>(...command: string[]) =>
        jsonOf<PageOf<Item>>(await runHere(...command, '--database-url', database.url, '--json')).items,
    });
  } finally {
    await server.stop();
    await database.drop();
    await rm(cwd, { recursive: true });
  }
}

function blocks(page: string): string {
  const found = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  assert.ok(found.length > 0);
  return found.join('');
}
