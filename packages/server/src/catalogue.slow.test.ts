import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createToken } from '@appregistrar/testkit/calls/access';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { created, tableCounts } from '@appregistrar/testkit/registry/import-file';
import { quickStop } from '../test/programs/quick-stop.ts';
import { readConfig } from './config/config.ts';
import type { DeveloperApp, PlatformApp } from './features/apps/app-schemas.ts';
import type {
  AppRecord,
  DeveloperRecord,
  ImportRecord,
  InstallationRecord,
} from './features/import-export/import-record-schema.ts';
import { openRegistry } from './features/settings/settings.ts';
import { commandLine } from './kernel/registry.ts';
import { type Server, startServer } from './serve.ts';
import { openStorage } from './storage/open-storage.ts';

const script = fileURLToPath(new URL('../../../scripts/make-catalogue.ts', import.meta.url));
const size = { developers: 20, apps: 100, installations: 2_000 };
const atOnce = 8;

/** A made-up catalogue, as in its file. */
interface Catalogue {
  file: string;
  developers: Map<string, DeveloperRecord>;
  apps: AppRecord[];
  installationsOf: Map<string, InstallationRecord[]>;
}

let folder: string;
let catalogue: Catalogue;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
  catalogue = await makeCatalogue(join(folder, 'catalogue.jsonl'));
});
after(() => rm(folder, { recursive: true }));

onSqlite((engine) => {
  let cli: CommandLine;
  let server: Server;
  let tokens: Tokens;

  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(async () => {
    await server?.stop(quickStop);
    await cli.close();
  });

  test('a complete catalogue is imported after a dry run', async () => {
    const { developers, apps, installationsOf } = catalogue;
    assert.deepEqual([developers.size, apps.length], [size.developers, size.apps]);
    assert.equal([...installationsOf.values()].flat().length, size.installations);
    assert.deepEqual(await cli.done('import', catalogue.file, '--dry-run'), { dryRun: true, ...created(size) });
    assert.deepEqual(await cli.done('import', catalogue.file), { dryRun: false, ...created(size) });
    const storage = await openStorage(cli.databaseUrl);
    // One for each.
    const events = size.developers + size.apps + size.installations;
    assert.deepEqual(await tableCounts(storage), { ...size, events });
    await storage.close();
  });

  test('every app reads as it is in the file', async () => {
    server = await startServer(configOf(cli));
    tokens = await issueTokens(cli, catalogue);
    await forEachApp(async (record) => {
      const { status, body } = await send<PlatformApp>(server, getRequest(record, tokens));
      assert.equal(status, 200);
      const { installations, ...app } = body;
      assert.deepEqual(app, platformApp(record));
      assert.deepEqual(
        installations.map(({ id, appId, ...rest }) => rest).toSorted(byWorkspace),
        installationsOf(record).toSorted(byWorkspace),
      );
      assert.ok(installations.every(({ appId }) => appId === record.id));
      assert.deepEqual(installations, installations.toSorted(byCreation));
    });
  });

  test('every app can be updated by its developer, unless it awaits review', async () => {
    await forEachApp(async (record, index) => {
      const shortDescription = `Description ${index}.`;
      const { status, body } = await send<DeveloperApp>(server, {
        ...updateRequest(record, tokens),
        body: JSON.stringify({ listingInfo: { shortDescription } }),
      });
      if (record.reviewStatus === 'AWAITING_REVIEW') {
        assert.deepEqual([status, (body as unknown as { code: string }).code], [409, 'app_under_review']);
        return;
      }
      assert.equal(status, 200);
      const { updatedAt, ...rest } = body;
      assert.ok(Date.parse(updatedAt) >= Date.parse(record.updatedAt ?? record.createdAt));
      assert.deepEqual(rest, developerApp(record, shortDescription));
    });
  });

  test('every app reads as its update left it', async () => {
    await forEachApp(async (record) => {
      const { body } = await send<PlatformApp>(server, getRequest(record, tokens));
      const isAsImported = body.updatedAt === platformApp(record).updatedAt;
      assert.equal(isAsImported, record.reviewStatus === 'AWAITING_REVIEW', record.id);
      assert.equal(body.installations.length, installationsOf(record).length);
    });
  });
});

async function makeCatalogue(file: string): Promise<Catalogue> {
  const options = Object.entries({ ...size, output: file }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  await promisify(execFile)(process.execPath, [script, ...options]);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const records: ImportRecord[] = lines.map((line) => JSON.parse(line));
  const developers = records.filter((record) => record.type === 'developer');
  return {
    file,
    developers: new Map(developers.map((developer) => [developer.userId, developer])),
    apps: records.filter((record) => record.type === 'app'),
    installationsOf: Map.groupBy(
      records.filter((record) => record.type === 'installation'),
      ({ appId }) => appId,
    ),
  };
}

function configOf({ databaseUrl }: CommandLine) {
  return readConfig({
    DATABASE_URL: databaseUrl,
    PUBLIC_ADDRESS: '127.0.0.1:0',
    OPERATOR_ADDRESS: '127.0.0.1:0',
    RATE_LIMIT_UPDATES_PER_MINUTE: '0',
    RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE: '0',
    STORED_BYTES_PER_DEVELOPER_PER_DAY: '0',
    LOG_LEVEL: 'silent',
  });
}

interface Tokens {
  platform: string;
  /** By the developer's user id. */
  developers: Map<string, string>;
}

async function issueTokens(cli: CommandLine, { developers }: Catalogue): Promise<Tokens> {
  const storage = await openStorage(cli.databaseUrl);
  const registry = await openRegistry(storage, configOf(cli));
  const issued = [...developers.keys()].map(async (developerId) => {
    const { token } = await createToken(registry, commandLine, { kind: 'developer', developerId });
    return [developerId, token] as const;
  });
  const { token: platform } = await createToken(registry, commandLine, { kind: 'platform' });
  const tokens = { platform, developers: new Map(await Promise.all(issued)) };
  await storage.close();
  return tokens;
}

async function forEachApp(work: (record: AppRecord, index: number) => Promise<void>): Promise<void> {
  const waiting = catalogue.apps.entries();
  const worker = async () => {
    for (const [index, record] of waiting) await work(record, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

type AppRequest = RequestInit & { path: string };

function getRequest({ id }: AppRecord, tokens: Tokens): AppRequest {
  return { path: `/platform/apps/v1/${id}`, headers: { authorization: `Bearer ${tokens.platform}` } };
}

function updateRequest({ id, developerId }: AppRecord, tokens: Tokens): AppRequest {
  const authorization = `Bearer ${tokens.developers.get(developerId)}`;
  return {
    path: `/developer/apps/v1/${id}`,
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
  };
}

async function send<Body>(server: Server, { path, ...init }: AppRequest): Promise<{ status: number; body: Body }> {
  const response = await fetch(`http://127.0.0.1:${server.publicAddress.port}${path}`, init);
  return { status: response.status, body: (await response.json()) as Body };
}

/** The expected response of Get App for an imported app, without its installations. */
function platformApp(record: AppRecord): Omit<PlatformApp, 'installations'> {
  const { type, createdAt, updatedAt, ...developer } = catalogue.developers.get(record.developerId) as DeveloperRecord;
  return {
    id: record.id,
    name: record.name,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt ?? record.createdAt,
    reviewStatus: record.reviewStatus ?? 'DRAFT',
    developer,
  };
}

/** The expected response of Update App for an imported app whose short description was changed. */
function developerApp(record: AppRecord, shortDescription: string): Omit<DeveloperApp, 'updatedAt'> {
  return {
    id: record.id,
    name: record.name,
    createdAt: record.createdAt,
    reviewStatus: record.reviewStatus ?? 'DRAFT',
    installationCount: installationsOf(record).length,
    listingInfo: { backgroundColor: '#ffffff', ...record.listingInfo, shortDescription },
    oauthInfo: record.oauthInfo ?? {},
  };
}

function installationsOf({ id }: AppRecord) {
  return (catalogue.installationsOf.get(id) ?? []).map(({ workspaceId, userId, createdAt, enabled = true }) => ({
    workspaceId,
    userId,
    createdAt,
    enabled,
  }));
}

function byWorkspace(one: { workspaceId: string }, other: { workspaceId: string }): number {
  return one.workspaceId < other.workspaceId ? -1 : 1;
}

function byCreation(one: { createdAt: string; id: string }, other: { createdAt: string; id: string }): number {
  return `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1;
}
