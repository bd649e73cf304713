import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Config, readConfig } from './config.ts';
import { actorNameRequirement, ConfigError, secretVariables } from './variable-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
after(() => rmSync(folder, { recursive: true }));

const [key = '', otherKey = ''] = ['k', 'o'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
const provider = { OIDC_ISSUER: 'https://issuer.example', OIDC_AUDIENCE: 'https://apps.example.com' };
const client = { ...provider, OIDC_CLIENT_ID: 'console' };
const wordError = 'must be printable ASCII characters without spaces';

/** The limits, each with its setting and its default. */
const limits = {
  RATE_LIMIT_UPDATES_PER_MINUTE: ['updatesPerMinute', 120],
  RATE_LIMIT_READS_PER_MINUTE: ['readsPerMinute', 0],
  RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE: ['operatorRequestsPerMinute', 600],
  STORED_BYTES_PER_DEVELOPER_PER_DAY: ['storedBytesPerDeveloperPerDay', 67_108_864],
  BODY_BYTES_MAX: ['bodyBytesMax', 65_536],
  HEADER_BYTES_MAX: ['headerBytesMax', 16_384],
  HEADERS_TIMEOUT_MS: ['headersTimeoutMs', 10_000],
  REQUEST_TIMEOUT_MS: ['requestTimeoutMs', 30_000],
  REQUESTS_AT_ONCE_MAX: ['requestsAtOnceMax', 1_000],
  CONNECTIONS_MAX: ['connectionsMax', 0],
  STREAMS_AT_ONCE_MAX: ['streamsAtOnceMax', 10],
  STREAM_MS_MAX: ['streamMsMax', 120_000],
  UPLOADS_AT_ONCE_MAX: ['uploadsAtOnceMax', 8],
  STALL_MS_MAX: ['stallMsMax', 30_000],
  DELIVERIES_KEPT_DAYS: ['deliveryRetentionDays', 30],
} satisfies Record<string, [setting: keyof Config, byDefault: number]>;

interface Variables {
  names: string[];
  good: string[];
  bad: string[];
  error: string;
  /** Variables that they require. */
  with?: Record<string, string>;
}

/** Values that variables accept, and values that they reject with an error. */
const variables: Variables[] = [
  {
    names: ['DATABASE_URL'],
    good: [
      ...['sqlite::memory:', 'sqlite:./data/registry.db', 'postgres://registry:secret@db.example/registry'],
      ...['postgresql://db.example/registry', 'postgres://ada:secret@[::1]:5433/registry?sslmode=verify-full'],
    ],
    bad: [
      ...['registry.db', 'sqlite:', 'sqlite3:x', 'sqlite:postgres://ada:secret@db/x', 'sqlite:file:registry.db'],
      'mysql://ada:secret@db/x',
    ],
    error: 'must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
  },
  {
    names: ['DATABASE_POOL_WRITE', 'DATABASE_POOL_READ', 'DATABASE_POOL_LIST'],
    good: ['1', '9999'],
    bad: ['0', '-1', '1.5', 'many', '10000', ' 1'],
    error: 'must be an integer from 1 to 9999',
  },
  {
    names: ['PUBLIC_ADDRESS', 'OPERATOR_ADDRESS'],
    good: ['127.0.0.1:0', '127.8.9.1:65535', 'localhost:80', '[::1]:8080'],
    bad: ['8080', ':8080', '127.0.0.1', '127.0.0.1:65536', '127.0.0.1:-1', '::1:8080', '[127.0.0.1]:80', 'a b:80'],
    error: 'must be HOST:PORT',
  },
  {
    names: ['BASE_URL', 'DEV_BASE_URL', 'OPERATOR_BASE_URL', 'LOGO_BASE_URL'],
    good: ['https://apps.example.com', 'http://127.0.0.1:8080', 'https://example.com/', 'HTTPS://Example.com'],
    bad: [
      ...['apps.example.com', 'ftp://example.com', 'https://', 'https:/example.com', 'https://example.com/?a=b'],
      ...['https://example.com/#', 'https://ada:secret@example.com', 'https://exa mple.com', ' https://example.com'],
    ],
    error: 'must be an http:// or https:// URL',
  },
  {
    names: ['CONSOLE_NAME'],
    good: ['معرض التطبيقات', 'x'.repeat(40)],
    bad: ['x'.repeat(41), ' Example', 'Example\u202e', 'two\nlines', '\u3164'],
    error: 'must be one line of visible text',
  },
  {
    names: ['CONSOLE_MARK'],
    good: [import.meta.filename],
    bad: ['/no/such/file', import.meta.dirname],
    error: 'must name a readable file',
  },
  {
    names: ['CONSOLE_ACCENT'],
    good: ['#3f57d4', '#36c'],
    bad: ['3f57d4', 'blue', '#3f57d4ff', '#000000', '#ffcc00'],
    error: 'must be a ',
  },
  {
    names: ['LOG_LEVEL'],
    good: ['fatal', 'silent'],
    bad: ['INFO', 'loud', '30'],
    error: 'must be one of fatal, error, warn, info, debug, trace, silent',
  },
  {
    names: ['WEBHOOK_PROXY'],
    good: ['http://proxy.example', 'http://127.0.0.1:3128/', 'http://ada:secret@[::1]:3128'],
    bad: ['proxy.example:3128', 'https://ada:secret@proxy', 'http://ada:secret@proxy/path'],
    error: 'must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT',
  },
  {
    names: ['DATABASE_PREPARE', 'UNIQUE_NAMES', 'ALLOW_PLAINTEXT', 'WEBHOOK_ALLOW_PRIVATE'],
    good: ['0', '1'],
    bad: ['true', 'yes', '2', ' 1'],
    error: 'must be one of 0, 1',
  },
  {
    names: ['SECRETS_KEY'],
    good: [key, `${key},${otherKey}`, ` ${key}\n${otherKey}\n`],
    bad: [key.slice(1), `${key}A`, `${key},secret`, ' ,', Buffer.alloc(16).toString('base64'), 'x'.repeat(64)],
    error: 'must be one or more keys of 32 random bytes in base64, separated by commas',
  },
  {
    names: ['APP_REGISTRY_ACTOR'],
    good: ['nightly', 'Ada.L-1_x', 'x'.repeat(64)],
    bad: ['ada@example.com', 'host/user', 'token_01jq', 'oidc:ada', 'maintenance', '-x', 'x'.repeat(65)],
    error: actorNameRequirement,
  },
  {
    names: ['WORKSPACE_ID_PREFIX', 'USER_ID_PREFIX'],
    good: ['w', 'team_space', 'x'.repeat(63)],
    bad: ['Team', '_team', 'team_', 'team-space', 'team1', 'x'.repeat(64)],
    error: 'must be a TypeID prefix',
  },
  {
    names: Object.keys(limits),
    good: ['0', '1', '999999999'],
    bad: ['-1', '1.5', '1e3', '0x10', 'many', '1000000000', ' 1'],
    error: 'must be an integer from 0',
  },
  {
    names: ['CORS_ORIGINS'],
    good: ['https://console.example.com', 'http://localhost:5173', 'https://a.example, https://b.example:8443'],
    bad: [
      ...['*', 'null', 'console.example.com', 'https://console.example.com/', 'https://Console.example.com'],
      ...['https://console.example.com:443', 'https://*.example.com', 'ftp://example.com', 'https://a.example,'],
      'https://a.example https://b.example',
    ],
    error: 'must be a comma-separated list of origins in lower case, such as https://console.example.com',
  },
  {
    names: ['TRUSTED_PROXIES'],
    good: ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '10.0.0.1, 192.0.2.0/24, 2001:db8::/32'],
    bad: ['proxy.example.com', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.1,', 'fe80::1%eth0'],
    error: 'must be a comma-separated list of addresses or networks, such as 10.0.0.0/8',
  },
  {
    names: ['WEBHOOK_RETRY_SECONDS'],
    good: ['5', '0', '5,300', '0.05, 999999.999', Array(100).fill('1').join(',')],
    bad: ['5,', ',', '-1', '1e3', '5 minutes', '0.0001', '1000000', '.5', Array(101).fill('1').join(',')],
    error: 'must be a comma-separated list of at most 100 durations in seconds, such as 5,300,1800',
  },
  {
    names: ['OIDC_ISSUER'],
    good: [
      ...['https://issuer.example', 'https://issuer.example/', 'https://issuer.example:8443/realms/main'],
      ...['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000/x'],
    ],
    bad: [
      ...['http://issuer.example', 'http://localhost.example.com', 'http://127.0.0.1.example.com', 'issuer.example'],
      ...['ftp://issuer.example', 'https://', 'https://issuer.example/?tenant=1', 'https://issuer.example/#'],
      ...['https://ada@issuer.example', 'https://:secret@issuer.example', 'https://issuer.example '],
      'https:\\\\issuer.example',
    ],
    error: 'must be an https:// URL, or an http:// URL of this machine',
    with: { OIDC_AUDIENCE: 'registry' },
  },
  {
    names: ['OIDC_AUDIENCE'],
    good: ['registry', 'https://apps.example.com', 'api://0f8fad5b-d9cb-469f-a165-70867728950e'],
    bad: ['two words', ' registry', 'regi"stry', 'regi\\stry', 'rëgistry'],
    error: wordError,
    with: { OIDC_ISSUER: 'https://issuer.example' },
  },
  { names: ['OIDC_CLIENT_ID'], good: ['console'], bad: ['the console', 'consöle'], error: wordError, with: provider },
  { names: ['OIDC_DEVICE_CLIENT_ID'], good: ['cli'], bad: ['the terminal'], error: wordError, with: client },
  { names: ['OIDC_USER_ID_CLAIM', 'OIDC_SCOPE_PREFIX'], good: ['a:b', ':'], bad: ['two words', '"'], error: wordError },
  {
    names: ['OIDC_CLIENT_SECRET'],
    good: ['x', 'a "secret" with \\ and ~'],
    bad: ['secret and sécret', 'secret\n'],
    error: 'must consist of printable ASCII characters.',
    with: client,
  },
  {
    names: ['OIDC_SIGN_IN_SCOPE'],
    good: ['openid', 'openid profile api://registry/app-registry:review'],
    bad: ['profile', 'openid  profile', ' openid', 'openid,profile', 'openid "x"'],
    error: 'must be scopes separated by single spaces, including openid',
    with: client,
  },
  {
    names: ['OIDC_SIGN_IN_PARAMETERS'],
    good: ['audience=https://apps.example.com', 'resource=https%3A%2F%2Fapps.example.com&prompt=select_account'],
    bad: ['audience', 'audience=', '=x', 'a b=c', 'https://apps.example.com/?audience=x'],
    error: 'must be a URL query',
    with: client,
  },
  {
    names: ['OIDC_TOKEN_TYPE'],
    good: ['at+jwt', 'JWT'],
    bad: ['jwt', 'any'],
    error: 'must be one of at+jwt, JWT',
  },
  {
    names: ['OIDC_SCOPE_CLAIMS'],
    good: ['scope', 'scp,roles', 'scp, https://example.com/roles'],
    bad: ['scp roles', 'scp,', ',', 'scp,,roles', 'scp;"roles"'],
    error: wordError,
  },
];

const defaults = {
  databaseUrl: 'sqlite:./data/registry.db',
  postgres: { pools: { write: 10, read: 10, list: 10 }, prepare: true },
  publicAddress: { host: '127.0.0.1', port: 8080 },
  operatorAddress: { host: '127.0.0.1', port: 8081 },
  baseUrl: 'http://127.0.0.1:8080',
  devBaseUrl: 'http://127.0.0.1:8090',
  operatorBaseUrl: 'http://127.0.0.1:8081',
  logoBaseUrl: 'http://127.0.0.1:8080/logos',
  console: { name: 'App Registry', mark: null, accent: null },
  logLevel: 'info',
  initialSettings: { uniqueNames: true },
  secretKeys: [],
  workspaceIdPrefix: 'workspace',
  userIdPrefix: 'user',
  ...Object.fromEntries(Object.values(limits)),
  corsOrigins: [],
  trustedProxies: [],
  identityProvider: null,
  webhookAllowPrivate: false,
  webhookProxy: null,
  webhookRetryMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 23_095_000],
  commandLineActor: null,
};

/** Variables, each with what it sets. */
const settings: [env: Record<string, string>, config: Record<string, unknown>][] = [
  [
    { DATABASE_URL: 'postgres://registry:secret@db.example/registry' },
    { databaseUrl: 'postgres://registry:secret@db.example/registry' },
  ],
  [
    { DATABASE_POOL_WRITE: '11', DATABASE_POOL_READ: '12', DATABASE_POOL_LIST: '13', DATABASE_PREPARE: '0' },
    { postgres: { pools: { write: 11, read: 12, list: 13 }, prepare: false } },
  ],
  [{ PUBLIC_ADDRESS: '0.0.0.0:80' }, { publicAddress: { host: '0.0.0.0', port: 80 } }],
  [{ OPERATOR_ADDRESS: '[::1]:81' }, { operatorAddress: { host: '::1', port: 81 } }],
  [{ BASE_URL: 'https://apps.example.com/registry/' }, { baseUrl: 'https://apps.example.com/registry' }],
  [{ DEV_BASE_URL: 'https://dev.example.com' }, { devBaseUrl: 'https://dev.example.com' }],
  [{ OPERATOR_BASE_URL: 'https://operator.example.com/' }, { operatorBaseUrl: 'https://operator.example.com' }],
  [{ LOGO_BASE_URL: 'https://cdn.example.com/l/' }, { logoBaseUrl: 'https://cdn.example.com/l' }],
  [
    { CONSOLE_NAME: 'Example Apps', CONSOLE_MARK: import.meta.filename, CONSOLE_ACCENT: '#36C' },
    { console: { name: 'Example Apps', mark: readFileSync(import.meta.filename), accent: '#3366cc' } },
  ],
  [{ LOG_LEVEL: 'warn' }, { logLevel: 'warn' }],
  [{ UNIQUE_NAMES: '0' }, { initialSettings: { uniqueNames: false } }],
  [
    { SECRETS_KEY: `${key}\n${otherKey}\n` },
    { secretKeys: [key, otherKey].map((one) => createSecretKey(one, 'base64')) },
  ],
  [{ WORKSPACE_ID_PREFIX: 'team' }, { workspaceIdPrefix: 'team' }],
  [{ USER_ID_PREFIX: 'member' }, { userIdPrefix: 'member' }],
  ...Object.entries(limits).map(([name, [setting]], at): (typeof settings)[0] => [
    { [name]: String(at + 1) },
    { [setting]: at + 1 },
  ]),
  [
    { CORS_ORIGINS: 'https://a.example,https://b.example' },
    { corsOrigins: ['https://a.example', 'https://b.example'] },
  ],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }, { trustedProxies: ['10.0.0.0/8', '::1'] }],
  [
    {
      OIDC_ISSUER: 'https://Tenant.example:443/a//b/',
      OIDC_AUDIENCE: 'api://registry',
      OIDC_TOKEN_TYPE: 'JWT',
      OIDC_USER_ID_CLAIM: 'https://example.com/user_id',
      OIDC_SCOPE_CLAIMS: 'scp, roles',
      OIDC_SCOPE_PREFIX: 'registry/',
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'hidden',
      OIDC_DEVICE_CLIENT_ID: 'terminal',
      OIDC_SIGN_IN_SCOPE: 'openid registry/review',
      OIDC_SIGN_IN_PARAMETERS: 'resource=https%3A%2F%2Fapps.example.com&prompt=login',
    },
    {
      identityProvider: {
        issuer: 'https://Tenant.example:443/a//b/',
        audience: 'api://registry',
        tokenType: 'JWT',
        userIdClaim: 'https://example.com/user_id',
        scopeClaims: ['scp', 'roles'],
        scopePrefix: 'registry/',
        signIn: {
          clientId: 'console',
          clientSecret: 'hidden',
          scope: 'openid registry/review',
          parameters: { resource: 'https://apps.example.com', prompt: 'login' },
          deviceClientId: 'terminal',
        },
      },
    },
  ],
  [{ WEBHOOK_ALLOW_PRIVATE: '1' }, { webhookAllowPrivate: true }],
  [
    { WEBHOOK_PROXY: 'http://ada:hidden@proxy.example:3128' },
    { webhookProxy: new URL('http://ada:hidden@proxy.example:3128') },
  ],
  [{ WEBHOOK_RETRY_SECONDS: '0.25, 1.1,8' }, { webhookRetryMs: [250, 1_100, 8_000] }],
  [{ APP_REGISTRY_ACTOR: 'nightly' }, { commandLineActor: 'nightly' }],
];

test('an empty environment gives every setting its default', () => {
  assert.deepEqual(readConfig({}), defaults);
});

test('every variable sets its own setting', () => {
  const env = Object.assign({}, ...settings.map(([given]) => given));
  assert.deepEqual(readConfig(env), Object.assign({}, defaults, ...settings.map(([, read]) => read)));
});

test('unset base URLs are derived from the addresses that are set', () => {
  const { baseUrl, logoBaseUrl } = readConfig({ PUBLIC_ADDRESS: '[::1]:9090' });
  assert.deepEqual([baseUrl, logoBaseUrl], ['http://[::1]:9090', 'http://[::1]:9090/logos']);
  assert.equal(readConfig({ BASE_URL: 'https://apps.example.com' }).logoBaseUrl, 'https://apps.example.com/logos');
});

for (const { names, good, bad, error, with: others = {} } of variables) {
  for (const name of names) {
    test(`${name} is valid, or is alone reported by its name, or counts as unset when it is empty`, () => {
      for (const value of good) assert.deepEqual(errorsOf({ ...others, [name]: value }), [], value);
      for (const value of bad) {
        const [first, ...more] = errorsOf({ ...others, [name]: value });
        assert.ok(first?.startsWith(`${name} ${error}`), `${value}: ${first}`);
        assert.deepEqual(more, [], value);
      }
      assert.deepEqual(readConfig({ [name]: '' }), readConfig({}));
    });
  }
}

test('all errors are reported together', () => {
  const invalid = variables.flatMap(({ names, bad }) => names.map((name) => [name, bad[0]] as const));
  const reported = namesIn(errorsOf(Object.fromEntries(invalid)));
  assert.deepEqual(reported.toSorted(), invalid.map(([name]) => name).toSorted());
});

test('the operator base URL has no path, as the console sends requests to the root of its host', () => {
  for (const path of ['/registry', '/registry/', '/a/b']) {
    assert.deepEqual(errorsOf({ OPERATOR_BASE_URL: `https://example.com${path}` }), [
      'OPERATOR_BASE_URL must have no path: the console and the operator API are served at the root of the host.',
    ]);
  }
});

test('an error leaves out a value that can contain a password', () => {
  for (const { names, bad } of variables) {
    for (const name of names.filter((one) => /_URL$|^OIDC_ISSUER$|SECRET$|KEY$|PROXY$/.test(one))) {
      for (const value of bad) assert.doesNotMatch(errorsOf({ [name]: value }).join(), /secret/);
    }
  }
});

describe('the URL of a PostgreSQL database', () => {
  test('is completed with the variables of libpq, where it does not say otherwise', () => {
    const env = { PGHOST: 'a', PGPORT: '6432', PGUSER: 'ada', PGPASSWORD: 'p&w', PGSSLMODE: 'require', PGAPPNAME: '' };
    const complete = (DATABASE_URL: string) => readConfig({ ...env, DATABASE_URL }).databaseUrl;
    assert.equal(
      complete('postgres:///registry?sslmode=disable'),
      'postgres:///registry?sslmode=disable&host=a&port=6432&user=ada&password=p%26w',
    );
    assert.equal(complete('postgres://eve:pw@c:1/registry'), 'postgres://eve:pw@c:1/registry?sslmode=require');
    const named = readConfig({ PGDATABASE: 'other', DATABASE_URL: 'postgres://ada@db' });
    assert.equal(named.databaseUrl, 'postgres://ada@db?dbname=other');
    assert.equal(readConfig(env).databaseUrl, 'sqlite:./data/registry.db');
  });

  test('is refused for what is wrong in it or in these variables, without their values', () => {
    assert.deepEqual(errorsOf({ PGSSLMODE: 'secret', DATABASE_URL: 'postgres://ada@db/registry' }), [
      'DATABASE_URL needs an sslmode (PGSSLMODE) of disable, require, verify-ca, verify-full.',
    ]);
    assert.deepEqual(errorsOf({ DATABASE_URL: 'postgres://ada:secret@[db/x' }), [
      'DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with one host, and special characters as %XX.',
    ]);
  });
});

describe('a secret in a file', () => {
  /** What the file may hold, and what not. */
  const secrets: Record<string, [valid: string, invalid?: string]> = {
    DATABASE_URL: ['postgres://ada:hidden@db.example/registry', 'mysql://ada:hidden@db.example'],
    PGPASSWORD: [' hidden '],
    SECRETS_KEY: [`${key}\n${otherKey}`, `${key}\nhidden`],
    OIDC_CLIENT_SECRET: [' hidden ', 'hidden\u{e9}'],
    WEBHOOK_PROXY: ['http://ada:hidden@proxy.example:3128', 'ftp://ada:hidden@proxy.example'],
  };
  const fileOf = (text: string) => {
    const file = join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };

  for (const name of secretVariables) {
    const [valid = '', invalid] = secrets[name] ?? [];
    const others = { ...client, ...(name === 'PGPASSWORD' && { DATABASE_URL: 'postgres://ada@db.example/registry' }) };
    const withFile = (text: string) => ({ ...others, [`${name}_FILE`]: fileOf(text) });

    test(`${name} is read without a byte order mark at its start and the line break at its end`, () => {
      for (const text of [valid, `${valid}\n`, `\ufeff${valid}\r\n`]) {
        const config = readConfig(withFile(text));
        assert.deepEqual(config, readConfig({ ...others, [name]: valid }));
        assert.notDeepEqual(config, readConfig(others));
      }
    });

    test(`${name}_FILE is reported beside ${name}, for an empty file, and without an invalid content`, () => {
      const both = errorsOf({ ...withFile(valid), [name]: valid });
      assert.deepEqual(both, [`${name}_FILE must not be set together with ${name}.`]);
      for (const empty of ['', '\n'])
        assert.deepEqual(errorsOf(withFile(empty)), [`${name}_FILE must name a non-empty file.`]);
      if (invalid === undefined) return;
      const errors = errorsOf(withFile(invalid));
      assert.deepEqual(namesIn(errors), [`${name}_FILE`]);
      assert.doesNotMatch(errors.join(), /hidden/);
    });
  }

  test('can be named by the first variable of a file that begins with a byte order mark', () => {
    const file = fileOf('sqlite::memory:');
    assert.equal(readConfig({ '\ufeffDATABASE_URL_FILE': file }).databaseUrl, 'sqlite::memory:');
  });

  test('is reported with all others that cannot be read, beside all other errors', () => {
    const files = Object.fromEntries(secretVariables.map((name) => [`${name}_FILE`, join(folder, 'none')]));
    assert.deepEqual(errorsOf({ ...client, ...files, LOG_LEVEL: 'loud' }), [
      ...secretVariables.map((name) => `${name}_FILE must name a readable file (ENOENT).`),
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
    ]);
  });
});

for (const [address, baseUrl] of [
  ['PUBLIC_ADDRESS', 'BASE_URL'],
  ['OPERATOR_ADDRESS', 'OPERATOR_BASE_URL'],
] as const) {
  test(`${address} that other machines reach needs an https: ${baseUrl}, as no token crosses a network unencrypted`, () => {
    const reachable = ['0.0.0.0:80', '[::]:80', '192.0.2.1:80', 'localhost.example.com:80', '127.0.0.1.example.com:80'];
    for (const value of reachable) {
      const errorsWith = (env: Record<string, string>) => errorsOf({ [address]: value, ...env });
      const refused = [
        `${address} is not a loopback address, so ${baseUrl} must be the https: URL of the proxy in front, or ALLOW_PLAINTEXT must be 1.`,
      ];
      assert.deepEqual(errorsWith({}), refused);
      assert.deepEqual(errorsWith({ [baseUrl]: 'http://example.com' }), refused);
      assert.deepEqual(errorsWith({ DEV_BASE_URL: 'https://example.com', ALLOW_PLAINTEXT: '0' }), refused);
      assert.deepEqual(errorsWith({ [baseUrl]: 'https://example.com' }), []);
      assert.deepEqual(errorsWith({ ALLOW_PLAINTEXT: '1' }), []);
    }
  });
}

describe('an identity provider', () => {
  test('has defaults for all but the issuer and the audience, and for all but the client of its sign-in', () => {
    const { signIn, ...others } = readConfig(client).identityProvider ?? {};
    assert.deepEqual(others, {
      issuer: 'https://issuer.example',
      audience: 'https://apps.example.com',
      tokenType: 'at+jwt',
      userIdClaim: 'sub',
      scopeClaims: ['scope', 'scp'],
      scopePrefix: 'app-registry:',
    });
    const none = { clientSecret: null, scope: null, parameters: {}, deviceClientId: null };
    assert.deepEqual(signIn, { clientId: 'console', ...none });
    assert.equal(readConfig(provider).identityProvider?.signIn, null);
  });

  const { OIDC_ISSUER, OIDC_AUDIENCE, OIDC_CLIENT_ID } = client;
  const withoutClient = /^OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET/;
  const refusals: [why: string, env: Record<string, string>, error: RegExp][] = [
    ['an issuer without an audience', { OIDC_ISSUER }, /^OIDC_AUDIENCE must be set/],
    ['an audience without an issuer', { OIDC_AUDIENCE }, /^OIDC_ISSUER must be set/],
    ['a client without an issuer', { OIDC_CLIENT_ID }, /^OIDC_ISSUER must be set when OIDC_CLIENT_ID is set/],
    ['a secret without a client', { ...provider, OIDC_CLIENT_SECRET: 'x' }, withoutClient],
    ['a device client without a client', { ...provider, OIDC_DEVICE_CLIENT_ID: 'x' }, withoutClient],
    ['a scope without a client', { ...provider, OIDC_SIGN_IN_SCOPE: 'openid' }, withoutClient],
    ['parameters without a client', { ...provider, OIDC_SIGN_IN_PARAMETERS: 'prompt=login' }, withoutClient],
    ['its audience as the client', { ...provider, OIDC_CLIENT_ID: OIDC_AUDIENCE }, /^OIDC_CLIENT_ID must differ/],
    [
      'its audience as the device client',
      { ...client, OIDC_DEVICE_CLIENT_ID: OIDC_AUDIENCE },
      /^OIDC_DEVICE_CLIENT_ID must differ/,
    ],
    [
      'reserved parameters',
      { ...client, OIDC_SIGN_IN_PARAMETERS: 'state=x&prompt=login&scope=openid' },
      /must not contain parameters that the registry sets: state, scope\.$/,
    ],
    ['repeated parameters', { ...client, OIDC_SIGN_IN_PARAMETERS: 'prompt=a&prompt=b' }, /must not repeat a parameter/],
  ];
  for (const [why, env, error] of refusals) {
    test(`is refused for ${why}`, () => {
      const errors = errorsOf(env);
      assert.equal(errors.length, 1);
      assert.match(errors.join(), error);
    });
  }
});

/** The errors that the configuration of an environment is refused with, without indentation. */
function errorsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    const [first, ...lines] = error.message.split('\n');
    assert.equal(first, 'The configuration is invalid:');
    return lines.map((line) => line.trim());
  }
}

function namesIn(errors: string[]): (string | undefined)[] {
  return errors.map((error) => error.split(' ')[0]);
}
