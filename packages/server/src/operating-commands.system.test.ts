import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { runHere } from '@appregistrar/testkit/programs/command-line';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { ids, otherWorkspace, person } from '../test/pages/operated-registry.ts';
import { assertRestored, changeEverything, readKnown } from '../test/pages/restored-registry.ts';
import { runPage, type Scenario, type Scene } from '../test/pages/run-page.ts';
import type { AccessToken } from './features/access/access-token.ts';
import { erasedEmail } from './features/developers/developer.ts';
import { firstIdAt } from './kernel/ids.ts';
import type { PageOf } from './kernel/page.ts';
import { openStorage } from './storage/open-storage.ts';

const page = await OperatingPage.read();
const dayMs = 86_400_000;
/** The TypeID of the app in the example of JSON Lines. */
const importedAppId = 'app_00000000000000000000000002';

const scenarios: Record<string, Scenario> = {
  'Shared settings': {
    engine: 'sqlite',
    guarantee: 'a running server follows a setting that the command line changes',
    async work({ registry, run }) {
      const server = await registry.serve();
      const name = 'Of two apps';
      await registry.cli.done('app', 'create', '--developer', ids.DEVELOPER, '--name', name);
      assert.equal((await server.updateApp({ name })).status, 409);
      await run();
      assert.equal((await server.updateApp({ name })).status, 200);
    },
  },

  'Import JSON Lines': {
    engine: 'sqlite',
    guarantee: 'a running server has every object of the file',
    async work({ section, registry, run }) {
      const server = await registry.serve();
      await writeFile(join(registry.folder, 'registry.jsonl'), section.blocks('jsonl')[0] ?? assert.fail());
      await run();
      const { view } = await server.getApp({}, importedAppId);
      assert.equal(`${view.name} of ${view.developer.email}`, 'Old of eve@example.com');
      assert.equal(view.installations.length, 1);
    },
  },

  'Move to another database': {
    guarantee: 'the other database has the same contents, including restorable deleted apps, without tokens and events',
    async work({ registry, run }) {
      const { cli, folder } = registry;
      const { id } = await cli.done<{ id: string }>('app', 'create', '--developer', ids.DEVELOPER, '--name', 'Gone');
      await cli.done('app', 'delete', id);
      await run();
      const other = `sqlite:${join(folder, 'other.db')}`;
      const exported = await runHere('export', '--database-url', other);
      assert.equal(exported.stdout, await readFile(join(folder, 'registry.jsonl'), 'utf8'));
      const { access_tokens: tokens, events } = await stateOf(other);
      assert.deepEqual(tokens, []);
      assert.doesNotMatch(JSON.stringify(events), /"token\./);
      assert.equal((await runHere('app', 'restore', id, '--database-url', other)).status, 0);
    },
  },

  'Back up and restore SQLite': {
    engine: 'sqlite',
    guarantee: 'later changes are undone, the replaced database is retained, and no earlier ETag matches',
    async work({ registry, run }) {
      const server = await registry.serve();
      const before = await readKnown(server);
      await run();
      const since = await changeEverything(registry, server);
      const [backup = ''] = (await readdir(registry.folder)).filter((file) => file.endsWith('.db'));
      assert.equal((await registry.cli.refused('restore', join(registry.folder, backup))).code, 'backup_refused');
      await registry.stopServers();
      const [, replaced] = /^replaced +(.+)$/m.exec(await run()) ?? [];
      await assertRestored(await registry.serve(), before, since);
      assert.equal((await (await registry.serve(`sqlite:${replaced}`)).getApp()).view.name, since.view.name);
    },
  },

  Upgrade: { guarantee: 'an up-to-date database is unchanged, beside its server', work: changesNothing },
  'Roll back': { guarantee: 'the database is unchanged, beside its server', work: changesNothing },

  'Archive the oldest events': {
    guarantee: 'old events move to a file that belongs to the database, beside its server, and come back',
    async work({ registry, run }) {
      await registry.serve();
      const storage = await openStorage(registry.cli.databaseUrl);
      const [event = assert.fail()] = await rowsOf(storage, 'events');
      const occurredAt = Date.now() - 100 * dayMs;
      const old = { ...event, id: firstIdAt('event', occurredAt), occurred_at: occurredAt };
      await storage.write(async (transaction) => {
        await transaction.insertNew('events', [old]);
        // Where the feed has an old event.
        if (storage.engine === 'postgres')
          await execute(transaction, `update events set position = 0 where id = '${old.id}'`);
      });
      const before = await rowsOf(storage, 'events');
      await run();
      assert.deepEqual(await rowsOf(storage, 'events'), before.slice(1));
      await registry.cli.done('event', 'restore', join(registry.folder, 'events-1.jsonl.gz'));
      assert.deepEqual(await rowsOf(storage, 'events'), before);
      await storage.close();
    },
  },

  'Rotate and revoke tokens': {
    engine: 'sqlite',
    guarantee: 'both tokens are valid in their overlap, until the old one is revoked, which every server then refuses',
    async work({ registry, run }) {
      const servers = [await registry.serve(), await registry.serve()];
      const statuses = async (request: (server: (typeof servers)[number]) => Promise<{ status: number }>) =>
        (await Promise.all(servers.map(request))).map(({ status }) => status);
      const get = (token: string) => statuses((server) => server.getApp(bearer(token)));
      const update = (token: string) => statuses((server) => server.updateApp({}, bearer(token)));

      const listed = await run({ '--json |': '--json | tee issued |' });
      const old = JSON.parse(await readFile(join(registry.folder, 'issued'), 'utf8'));
      assert.equal(Date.parse(old.expiresAt) - Date.parse(old.createdAt), 90 * dayMs);
      assert.ok(listed.includes(old.id) && !listed.includes(old.token));

      await run({ '--json |': '--json | tee rotated |' });
      const { token: replacement } = JSON.parse(await readFile(join(registry.folder, 'rotated'), 'utf8'));
      assert.deepEqual(await get(old.token), [200, 200]);
      assert.deepEqual(await get(replacement), [200, 200]);
      await registry.shell.run('app-registry token revoke "$OLD"');
      assert.deepEqual(await get(old.token), [401, 401]);
      assert.deepEqual(await get(replacement), [200, 200]);

      const { developer } = registry.tokens;
      assert.deepEqual(await update(developer), [200, 200]);
      const reissued = tokenIn(await run());
      assert.deepEqual(await update(developer), [401, 401]);
      assert.deepEqual(await update(reissued), [200, 200]);
    },
  },

  'Stop a malicious app': {
    engine: 'sqlite',
    guarantee:
      'the platform sees it rejected and disabled everywhere, and its developer has no access, until it is approved',
    async work({ registry, run }) {
      const server = await registry.serve();
      const seen = async () => {
        const { reviewStatus, installations } = (await server.getApp()).view;
        return [reviewStatus, ...installations.map(({ enabled }) => enabled)];
      };
      assert.deepEqual(await seen(), ['APPROVED', true, false]);
      await run();
      assert.deepEqual(await seen(), ['REJECTED', false, false]);
      assert.equal((await server.updateApp({})).refusal, '401 token_invalid');
      await run();
      assert.deepEqual(await seen(), ['APPROVED', true, false]);
      await run();
      assert.equal((await server.getApp()).refusal, '404 app_not_found');
      await registry.cli.done('app', 'restore', ids.APP);
      assert.deepEqual((await server.getApp()).view.installations, []);
    },
  },

  'Investigate an incident': {
    engine: 'sqlite',
    guarantee:
      'the stolen token is refused, its changes and their apps and workspaces are found, and what it changed is put back',
    async work({ registry, run }) {
      const server = await registry.serve();
      const [token = assert.fail()] = (
        await registry.cli.done<PageOf<AccessToken>>('token', 'list', '--kind', 'developer')
      ).items;
      const stolen = { '"$TOKEN"': token.id };
      const evil = 'https://login.Evil.example/callback';
      assert.equal((await server.updateApp({ oauthInfo: { callbackUrl: evil } })).status, 200);
      await run(stolen);
      assert.equal((await server.updateApp({})).status, 401);
      assert.match(
        await run(stolen),
        new RegExp(`appId +${ids.APP}\n.*name +Invoice Sync\n.*types +app.updated 1\n`, 's'),
      );
      for (const listed of [await run(stolen), await run()]) {
        assert.equal(listed.match(/^\S+Z\tapp\./gm)?.length, 1);
        assert.match(listed, new RegExp(`\t${token.id}\t${ids.APP}\t.*after.oauthInfo.callbackUrl "${evil}"`));
      }
      assert.match(
        await run(),
        new RegExp(`before.oauthInfo.callbackUrl null.*workspaceIds\\s[\\s-]*${ids.WORKSPACE}`, 's'),
      );
      assert.match(await run(), /callbackUrl +https:\/\/good\.example\/callback/);
    },
  },

  'Stop a hostile developer': {
    engine: 'sqlite',
    guarantee:
      'every server refuses the developer and shows their app as rejected and disabled, until the suspension ends',
    async work({ registry, run }) {
      const server = await registry.serve();
      const seen = async () => {
        const { reviewStatus, installations } = (await server.getApp()).view;
        return [reviewStatus, ...installations.map(({ enabled }) => enabled)];
      };
      assert.match(await run(), /affected/);
      assert.deepEqual(await seen(), ['REJECTED', false, false]);
      assert.equal((await server.updateApp({})).refusal, '403 developer_suspended');
      await run();
      assert.deepEqual(await seen(), ['APPROVED', true, false]);
      assert.equal((await server.updateApp({})).status, 200);
    },
  },

  'Offboard a workspace': {
    engine: 'sqlite',
    guarantee: 'its installations are deleted, and those of other workspaces remain',
    async work({ registry, run }) {
      const server = await registry.serve();
      assert.match(await run(), new RegExp(ids.WORKSPACE));
      const { installations } = (await server.getApp()).view;
      assert.deepEqual(
        installations.map(({ workspaceId }) => workspaceId),
        [otherWorkspace],
      );
    },
  },

  'Erase a developer': {
    guarantee:
      'no response, output, export or table contains the email address and name; the id, apps and history remain',
    async work({ registry, run }) {
      const { cli } = registry;
      const server = await registry.serve();
      const { id } = await cli.done<{ id: string }>('app', 'create', '--developer', ids.DEVELOPER, '--name', 'Stays');
      const events = (await stateOf(cli.databaseUrl)).events ?? [];
      assert.equal((await server.getApp()).view.developer.email, person.email);
      await run();
      assert.equal((await server.getApp()).view.developer.userId, ids.SUCCESSOR);
      assert.deepEqual((await server.getApp({}, id)).view.developer, { userId: ids.DEVELOPER, email: erasedEmail });
      assert.equal((await server.updateApp({})).status, 401);

      const stored = await stateOf(cli.databaseUrl);
      assert.deepEqual(stored.events?.slice(0, events.length), events);
      const outputs = [
        JSON.stringify(stored),
        (await cli.run('developer', 'list')).stdout,
        (await cli.run('export')).stdout,
      ];
      for (const text of outputs) assert.doesNotMatch(text, new RegExp(`${person.email}|${person.firstName}`));
    },
  },
};

forEachEngine((engine) => runPage(page, { engine, ofSystem: false, scenarios }));

async function changesNothing({ registry, run }: Scene): Promise<void> {
  const server = await registry.serve();
  const before = await stateWithoutCounts(registry.cli.databaseUrl);
  await run();
  assert.deepEqual(await stateWithoutCounts(registry.cli.databaseUrl), before);
  assert.equal((await server.updateApp({ name: 'It goes on' })).status, 200);
}

/** Ignores what a server writes as maintenance. */
async function stateWithoutCounts(databaseUrl: string): Promise<Record<string, object[]>> {
  const {
    daily_counts: _,
    weekly_installations: _weekly,
    counted_events: _counted,
    clock_observations: _observed,
    comparison_key_versions: _aligned,
    pending_projections: _marked,
    search_texts: _searched,
    app_comparison_keys: _compared,
    ...state
  } = await stateOf(databaseUrl);
  return state;
}

async function stateOf(databaseUrl: string): Promise<Record<string, object[]>> {
  const storage = await openStorage(databaseUrl);
  return everything(storage).finally(() => storage.close());
}

function tokenIn(printed: string): string {
  return /appreg_\w+/.exec(printed)?.[0] ?? assert.fail(printed);
}
