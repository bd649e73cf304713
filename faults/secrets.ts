import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { apiRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { listOperations } from './secrets/operations.ts';
import { createSecrets, type Secret } from './secrets/secret.ts';
import { requestsWith } from './secrets/secret-requests.ts';

/** A database whose stored data can be searched. */
interface SearchableDatabase {
  url: string;
  /** All stored data, as bytes or rows. */
  readStored: () => Promise<string>;
}

export const faultInjection: FaultInjection = {
  summary:
    'every kind of secret in every part of every request, searched for in logs, responses, events, exports and the database',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'sqlite' },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) {
      const database = engine === 'sqlite' ? sqliteDatabase(run) : await postgresDatabase(run);
      Object.assign(figures, await sendAndSearch(run, engine, database));
    }
    return figures;
  },
  defects: [
    {
      name: 'logged-header',
      what: 'the log contains the authorization of a request',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'http/listener/request-context.ts',
          in: 'RequestLog.log',
          find: 'client: this.#clientOf(request),',
          replace: 'client: request.headers.authorization ?? null,',
        },
      ],
    },
  ],
};

async function sendAndSearch(run: Run, engine: string, { url, readStored }: SearchableDatabase): Promise<Figures> {
  const key = randomBytes(32).toString('base64');
  const env = { LOG_LEVEL: 'trace', SECRETS_KEY: key };
  const service = await Service.create({ source: run.source, databaseUrl: url, env });
  const operatorToken = await firstToken(service);
  let log = '';
  const launched = service.launch();
  for (const stream of [launched.child.stdout, launched.child.stderr]) {
    stream?.on('data', (text: string) => {
      log += text;
    });
  }
  run.atEnd(() => service.kill());
  await service.untilReady();
  const secrets = [...(await createSecrets(service, operatorToken)), { name: 'the key of secrets', text: key }];

  const operations = await listOperations(service);
  const responses = new Map<string, string>();
  let requests = 0;
  for (const secret of secrets) {
    for (const { what, origin, request } of requestsWith(secret, operations)) {
      const { status, headers, text } = await send(origin, request);
      responses.set(what, `${status}\n${JSON.stringify(headers)}\n${text}`);
      requests += 1;
    }
  }
  const listEvents = apiRequest(operatorToken, { path: '/operator/v1/events?limit=100' });
  const events = (await send(service.operatorUrl, listEvents)).view;
  const exported = await service.command('export');
  await service.stop();

  for (const secret of secrets) {
    for (const [what, response] of responses) assertAbsent(secret, response, `the response to ${what}`);
    assertAbsent(secret, log, 'the log');
    assertAbsent(secret, JSON.stringify(events), 'an event');
    assertAbsent(secret, exported, 'the export');
    assertAbsent(secret, await readStored(), `the database (${engine})`);
  }
  return {
    [`${engine}-requests`]: requests,
    [`${engine}-secrets`]: secrets.length,
    [`${engine}-log-bytes`]: log.length,
  };
}

/** Issued by the program under test, which creates the database too, so that a defect affects both. */
async function firstToken(service: Service): Promise<string> {
  await service.command('migrate');
  const issued = await service.command('token', 'create', '--kind', 'operator', '--scope', 'admin', '--json');
  return JSON.parse(issued).token;
}

/** Searches for a part of the secret: most of a token is random, so a part is as bad as all of it. */
function assertAbsent({ name, text }: Secret, searched: string, where: string): void {
  const part = text.slice(-24, -6);
  guarantee(!searched.includes(part), `${where} contains ${name}`);
}

function sqliteDatabase(run: Run): SearchableDatabase {
  const { path, remove } = freshSqlite();
  run.atEnd(remove);
  const folder = join(dirname(path), 'data');
  const readStored = async () => {
    const mode = statSync(folder).mode & 0o777;
    guarantee(mode === 0o700, `the data directory has the mode ${mode.toString(8)}`);
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('\n');
  };
  return { url: `sqlite:${join(folder, 'registry.db')}`, readStored };
}

async function postgresDatabase(run: Run): Promise<SearchableDatabase> {
  const cluster = await PostgresCluster.create();
  run.atEnd(() => cluster.remove());
  const readStored = async () => {
    const tables = await cluster.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => cluster.query(`select to_json(t)::text as row from "${name}" t`)),
    );
    return JSON.stringify(rows);
  };
  return { url: cluster.url(), readStored };
}
