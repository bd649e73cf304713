import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freshSqlite } from './frame/fresh-database.ts';
import { askFor } from './frame/http-request.ts';
import { PostgresCluster } from './frame/postgres-cluster.ts';
import type { Run } from './frame/run.ts';
import { Service } from './frame/service.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';
import { everyDoor, secretAtEachPlace } from './secrets/interfaces.ts';
import { makeSecrets, type Secret } from './secrets/secret.ts';

/** A database to look into. */
interface Place {
  url: string;
  /** All that it holds, as bytes or rows. */
  stored: () => Promise<string>;
}

export const torture: Torture = {
  summary: 'every kind of secret through every door, looked for in logs, answers, events, exports and the database',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'sqlite' },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) {
      const place = engine === 'sqlite' ? sqlitePlace(run) : await postgresPlace(run);
      Object.assign(figures, await sendAndLook(run, engine, place));
    }
    return figures;
  },
  mutants: [
    {
      name: 'logged-header',
      what: 'the log tells the authorization of a request',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'http/listener/request-log.ts',
          find: 'const client = JSON.stringify(this.#proxies.clientOf(request));',
          replace: 'const client = JSON.stringify(request.headers.authorization ?? null);',
        },
      ],
    },
    {
      name: 'logged-address',
      what: 'the log tells the whole address of a request',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'http/listener/request-log.ts',
          find: 'const client = JSON.stringify(this.#proxies.clientOf(request));',
          replace: 'const client = JSON.stringify(request.url);',
        },
      ],
    },
    {
      name: 'plain-tokens',
      what: 'tokens are stored as they are',
      patches: [
        {
          file: 'registry/tokens/access-token-text.ts',
          find: "return hash('sha256', text, 'hex');",
          replace: 'return text;',
        },
      ],
    },
    {
      name: 'told-token',
      what: 'the event of a new token tells its text',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'registry/tokens/issue-token.ts',
          find: "type: 'token.issued', subjectId, after }",
          replace: "type: 'token.issued', subjectId, after: { ...after, token } }",
        },
      ],
    },
    {
      name: 'open-folder',
      what: 'everybody on the machine may read the data directory',
      options: { engines: 'sqlite' },
      patches: [{ file: 'storage/sqlite/storage.ts', find: 'mode: 0o700', replace: 'mode: 0o755' }],
    },
  ],
};

async function sendAndLook(run: Run, engine: string, { url, stored }: Place): Promise<Figures> {
  const service = await Service.create({ source: run.source, databaseUrl: url, env: { LOG_LEVEL: 'trace' } });
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
  const secrets = await makeSecrets(service, operatorToken);

  const doors = await everyDoor(service);
  const answers = new Map<string, string>();
  let requests = 0;
  for (const secret of secrets) {
    for (const { what, answer } of secretAtEachPlace(doors, secret)) {
      answers.set(what, await answer());
      requests += 1;
    }
  }
  const events = await askFor(`${service.operatorUrl}/operator/v1/events?limit=100`, { token: operatorToken });
  const exported = await service.command('export');
  await service.stop();

  for (const secret of secrets) {
    for (const [what, answer] of answers) look(secret, answer, `the answer to ${what}`);
    look(secret, log, 'the log');
    look(secret, JSON.stringify(events), 'an event');
    look(secret, exported, 'the export');
    if (!secret.isStored) look(secret, await stored(), `the database (${engine})`);
  }
  return {
    [`${engine}-requests`]: requests,
    [`${engine}-secrets`]: secrets.length,
    [`${engine}-log-bytes`]: log.length,
  };
}

/** By the program under test, which makes the database too: a mutant is to do all of it. */
async function firstToken(service: Service): Promise<string> {
  const issued = await service.command('token', 'issue', '--kind', 'operator', '--scope', 'admin', '--json');
  return JSON.parse(issued).token;
}

/** A piece of it is as bad: most of a token is random. */
function look({ name, text }: Secret, where: string, what: string): void {
  const heart = text.slice(-24, -6);
  promise(!where.includes(heart), `${what} tells ${name}`);
}

function sqlitePlace(run: Run): Place {
  const { path: neighbour, remove } = freshSqlite();
  run.atEnd(remove);
  const folder = join(dirname(neighbour), 'data');
  const stored = async () => {
    const mode = statSync(folder).mode & 0o777;
    promise(mode === 0o700, `the data directory has the mode ${mode.toString(8)}`);
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('\n');
  };
  return { url: `sqlite:${join(folder, 'registry.db')}`, stored };
}

async function postgresPlace(run: Run): Promise<Place> {
  const cluster = await PostgresCluster.create();
  run.atEnd(() => cluster.remove());
  const stored = async () => {
    const tables = await cluster.ask<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => cluster.ask(`select to_json(t)::text as row from "${name}" t`)),
    );
    return JSON.stringify(rows);
  };
  return { url: cluster.url(), stored };
}
