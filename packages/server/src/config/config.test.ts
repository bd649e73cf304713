import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { errorsOf } from '../../test/config/errors-of.ts';
import { readConfig } from './config.ts';
import { actorNameRequirement } from './variable-reader.ts';

const addressError = 'must be HOST:PORT';
const urlError = 'must be an http:// or https:// URL';
const countError = 'must be an integer from 0';
const prefixError = 'must be a TypeID prefix';
const flagError = 'must be one of 0, 1';
const keyError = 'must be one or more keys of 32 random bytes in base64, separated by commas';
const [key = '', otherKey = ''] = ['k', 'o'].map((letter) => Buffer.alloc(32, letter).toString('base64'));

interface Variable {
  name: string;
  good: string[];
  bad: string[];
  error: string;
  /** Variables that it requires. */
  with?: Record<string, string>;
}

const provider = { OIDC_ISSUER: 'https://issuer.example', OIDC_AUDIENCE: 'https://apps.example.com' };

/** Values that each variable accepts, and values that it rejects with an error. */
const variables: Variable[] = [
  {
    name: 'DATABASE_URL',
    good: [
      'sqlite::memory:',
      'sqlite:./data/registry.db',
      'sqlite:/var/lib/registry.db',
      'postgres://registry:secret@db.example/registry',
      'postgresql://db.example/registry',
      'postgres://localhost/registry?host=/run/postgresql',
      'postgres://ada:secret@[::1]:5433/registry?sslmode=verify-full',
      'postgres://',
    ],
    bad: [
      'registry.db',
      'sqlite:',
      'sqlite3:x',
      'sqlite:postgres://ada:secret@db/x',
      'sqlite:file:registry.db',
      'mysql://ada:secret@db/x',
    ],
    error: 'must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
  },
  ...['DATABASE_POOL_WRITE', 'DATABASE_POOL_READ', 'DATABASE_POOL_LIST'].map((name) => ({
    name,
    good: ['1', '10', '9999'],
    bad: ['0', '-1', '1.5', 'many', '10000', ' 1'],
    error: 'must be an integer from 1 to 9999',
  })),
  ...['PUBLIC_ADDRESS', 'OPERATOR_ADDRESS'].map((name) => ({
    name,
    good: ['127.0.0.1:0', '127.0.0.1:65535', 'localhost:80', '[::1]:8080', '127.8.9.1:8080'],
    bad: [
      '8080',
      ':8080',
      '127.0.0.1',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '127.0.0.1:-1',
      '::1:8080',
      '[::1',
      '[127.0.0.1]:80',
      'a b:80',
    ],
    error: addressError,
  })),
  ...['BASE_URL', 'DEV_BASE_URL', 'OPERATOR_BASE_URL', 'LOGO_BASE_URL'].map((name) => ({
    name,
    good: [
      ...['https://apps.example.com', 'http://127.0.0.1:8080', 'https://example.com/', 'HTTPS://Example.com'],
      ...(name === 'OPERATOR_BASE_URL' ? [] : ['https://example.com/registry/']),
    ],
    bad: [
      'apps.example.com',
      'ftp://example.com',
      'https://',
      'https:/example.com',
      'https://example.com/?',
      'https://example.com/?a=b',
      'https://example.com/#',
      'https://example.com/#top',
      'https://ada:secret@example.com',
      'https://exa mple.com',
      ' https://example.com',
    ],
    error: urlError,
  })),
  {
    name: 'CONSOLE_NAME',
    good: ['Example Apps', 'معرض التطبيقات', 'x'.repeat(40)],
    bad: ['x'.repeat(41), ' Example', 'Example\u202e', 'two\nlines', '\u3164'],
    error: 'must be one line of visible text',
  },
  {
    name: 'CONSOLE_MARK',
    good: [import.meta.filename],
    bad: ['/no/such/file', import.meta.dirname],
    error: 'must name a readable file',
  },
  {
    name: 'LOG_LEVEL',
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    bad: ['INFO', 'loud', '30'],
    error: 'must be one of fatal, error, warn, info, debug, trace, silent',
  },
  {
    name: 'WEBHOOK_PROXY',
    good: ['http://proxy.example', 'http://127.0.0.1:3128/', 'http://ada:secret@[::1]:3128'],
    bad: [
      'proxy.example:3128',
      'https://ada:secret@proxy',
      'socks5://ada:secret@proxy',
      'http://ada:secret@proxy/path',
    ],
    error: 'must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT',
  },
  ...['DATABASE_PREPARE', 'UNIQUE_NAMES', 'ALLOW_PLAINTEXT', 'WEBHOOK_ALLOW_PRIVATE'].map((name) => ({
    name,
    good: ['0', '1'],
    bad: ['true', 'false', 'yes', '2', ' 1'],
    error: flagError,
  })),
  {
    name: 'SECRETS_KEY',
    good: [key, `${key},${otherKey}`, ` ${key}\n${otherKey}\n`],
    bad: [key.slice(1), `${key}A`, `${key},secret`, ' ,', Buffer.alloc(16).toString('base64'), 'x'.repeat(64)],
    error: keyError,
  },
  {
    name: 'APP_REGISTRY_ACTOR',
    good: ['nightly', 'Ada.L-1_x', 'x'.repeat(64)],
    bad: [
      'ada@example.com',
      'host/user',
      'token_01jq3w4m2je6vs9a1w7p3n0d5e',
      'oidc:ada',
      'maintenance',
      '-x',
      'x'.repeat(65),
    ],
    error: actorNameRequirement,
  },
  ...['WORKSPACE_ID_PREFIX', 'USER_ID_PREFIX'].map((name) => ({
    name,
    good: ['w', 'team_space', 'x'.repeat(63)],
    bad: ['Team', '_team', 'team_', 'team-space', 'team1', 'x'.repeat(64)],
    error: prefixError,
  })),
  ...[
    'RATE_LIMIT_UPDATES_PER_MINUTE',
    'STORED_BYTES_PER_DEVELOPER_PER_DAY',
    'RATE_LIMIT_READS_PER_MINUTE',
    'BODY_BYTES_MAX',
    'HEADER_BYTES_MAX',
    'HEADERS_TIMEOUT_MS',
    'REQUEST_TIMEOUT_MS',
    'REQUESTS_AT_ONCE_MAX',
    'DELIVERIES_KEPT_DAYS',
    'STREAMS_AT_ONCE_MAX',
    'UPLOADS_AT_ONCE_MAX',
    'STALL_MS_MAX',
  ].map((name) => ({
    name,
    good: ['0', '1', '999999999'],
    bad: ['-1', '1.5', '1e3', '0x10', 'many', '1000000000', ' 1'],
    error: countError,
  })),
  {
    name: 'CORS_ORIGINS',
    good: ['https://console.example.com', 'http://localhost:5173', 'https://a.example, https://b.example:8443'],
    bad: [
      '*',
      'null',
      'console.example.com',
      'https://console.example.com/',
      'https://Console.example.com',
      'https://console.example.com:443',
      'https://*.example.com',
      'ftp://example.com',
      'https://a.example,',
      'https://a.example https://b.example',
    ],
    error: 'must be a comma-separated list of origins in lower case, such as https://console.example.com',
  },
  {
    name: 'TRUSTED_PROXIES',
    good: ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '10.0.0.1, 192.0.2.0/24, 2001:db8::/32'],
    bad: ['proxy.example.com', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.1,', 'loopback', 'fe80::1%eth0'],
    error: 'must be a comma-separated list of addresses or networks, such as 10.0.0.0/8',
  },
  {
    name: 'WEBHOOK_RETRY_SECONDS',
    good: ['5', '0', '5,300', '0.05, 999999.999', Array(100).fill('1').join(',')],
    bad: ['5,', ',', '-1', '1e3', '5 minutes', '0.0001', '1000000', '.5', Array(101).fill('1').join(',')],
    error: 'must be a comma-separated list of at most 100 durations in seconds, such as 5,300,1800',
  },
  {
    name: 'OIDC_ISSUER',
    good: [
      'https://issuer.example',
      'https://issuer.example/',
      'https://issuer.example:8443/realms/main',
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]:3000/x',
    ],
    bad: [
      'http://issuer.example',
      'http://localhost.example.com',
      'http://127.0.0.1.example.com',
      'issuer.example',
      'ftp://issuer.example',
      'https://',
      'https://issuer.example/?tenant=1',
      'https://issuer.example/#',
      'https://ada:secret@issuer.example',
      'https://ada@issuer.example',
      'https://:secret@issuer.example',
      'https://issuer.example ',
      'https:\\\\issuer.example',
    ],
    error: 'must be an https:// URL, or an http:// URL of this machine',
    with: { OIDC_AUDIENCE: 'registry' },
  },
  {
    name: 'OIDC_AUDIENCE',
    good: ['registry', 'https://apps.example.com', 'api://0f8fad5b-d9cb-469f-a165-70867728950e'],
    bad: ['two words', ' registry', 'regi"stry', 'regi\\stry', 'rëgistry'],
    error: 'must be printable ASCII characters without spaces',
    with: { OIDC_ISSUER: 'https://issuer.example' },
  },
  {
    name: 'OIDC_CLIENT_ID',
    good: ['console', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    bad: ['the console', 'consöle'],
    error: 'must be printable ASCII characters without spaces',
    with: provider,
  },
  {
    name: 'OIDC_CLIENT_SECRET',
    good: ['x', 'a "secret" with \\ and ~'],
    bad: ['secret and sécret', 'secret\n'],
    error: 'must consist of printable ASCII characters.',
    with: { ...provider, OIDC_CLIENT_ID: 'console' },
  },
  {
    name: 'OIDC_DEVICE_CLIENT_ID',
    good: ['console', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    bad: ['the terminal', 'terminäl'],
    error: 'must be printable ASCII characters without spaces',
    with: { ...provider, OIDC_CLIENT_ID: 'console' },
  },
  {
    name: 'OIDC_SIGN_IN_SCOPE',
    good: ['openid', 'openid profile api://registry/app-registry:review'],
    bad: ['profile', 'openid  profile', ' openid', 'openid,profile', 'openid "x"'],
    error: 'must be scopes separated by single spaces, including openid',
    with: { ...provider, OIDC_CLIENT_ID: 'console' },
  },
  {
    name: 'OIDC_SIGN_IN_PARAMETERS',
    good: ['audience=https://apps.example.com', 'resource=https%3A%2F%2Fapps.example.com&prompt=select_account'],
    bad: ['audience', 'audience=', '=x', 'a b=c', 'https://apps.example.com/?audience=x'],
    error: 'must be a URL query',
    with: { ...provider, OIDC_CLIENT_ID: 'console' },
  },
  {
    name: 'OIDC_TOKEN_TYPE',
    good: ['at+jwt', 'JWT'],
    bad: ['jwt', 'at+JWT', 'any'],
    error: 'must be one of at+jwt, JWT',
  },
  ...['OIDC_USER_ID_CLAIM', 'OIDC_SCOPE_PREFIX'].map((name) => ({
    name,
    good: ['oid', 'https://example.com/user_id', 'a:b', ':'],
    bad: ['two words', 'oid ', '"', '\\', 'ö'],
    error: 'must be printable ASCII characters without spaces',
  })),
  {
    name: 'OIDC_SCOPE_CLAIMS',
    good: ['scope', 'scp,roles', 'scp, https://example.com/roles'],
    bad: ['scp roles', 'scp,', ',', 'scp,,roles', 'scp;"roles"'],
    error: 'must be printable ASCII characters without spaces',
  },
];

test('an empty environment gives every setting its default', () => {
  assert.deepEqual(readConfig({}), {
    databaseUrl: 'sqlite:./data/registry.db',
    postgres: { pools: { write: 10, read: 10, list: 10 }, prepare: true },
    publicAddress: { host: '127.0.0.1', port: 8080 },
    operatorAddress: { host: '127.0.0.1', port: 8081 },
    baseUrl: 'http://127.0.0.1:8080',
    devBaseUrl: 'http://127.0.0.1:8090',
    operatorBaseUrl: 'http://127.0.0.1:8081',
    logoBaseUrl: 'http://127.0.0.1:8080/logos',
    console: { name: 'App Registry', mark: null },
    logLevel: 'info',
    initialSettings: { uniqueNames: true },
    secretKeys: [],
    workspaceIdPrefix: 'workspace',
    userIdPrefix: 'user',
    updatesPerMinute: 120,
    readsPerMinute: 0,
    storedBytesPerDeveloperPerDay: 67_108_864,
    bodyBytesMax: 65_536,
    headerBytesMax: 16_384,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    requestsAtOnceMax: 1_000,
    connectionsMax: 0,
    streamsAtOnceMax: 10,
    uploadsAtOnceMax: 8,
    stallMsMax: 30_000,
    corsOrigins: [],
    trustedProxies: [],
    identityProvider: null,
    webhookAllowPrivate: false,
    webhookProxy: null,
    webhookRetryMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 23_095_000],
    deliveryRetentionDays: 30,
    commandLineActor: null,
  });
});

test('every variable sets its own setting', () => {
  const env = {
    DATABASE_URL: 'postgres://registry:secret@db.example/registry',
    DATABASE_POOL_WRITE: '11',
    DATABASE_POOL_READ: '12',
    DATABASE_POOL_LIST: '13',
    DATABASE_PREPARE: '0',
    PUBLIC_ADDRESS: '0.0.0.0:80',
    OPERATOR_ADDRESS: '[::1]:81',
    BASE_URL: 'https://apps.example.com/registry/',
    DEV_BASE_URL: 'https://dev.example.com',
    OPERATOR_BASE_URL: 'https://operator.example.com/',
    LOGO_BASE_URL: 'https://cdn.example.com/l/',
    CONSOLE_NAME: 'Example Apps',
    CONSOLE_MARK: import.meta.filename,
    LOG_LEVEL: 'warn',
    UNIQUE_NAMES: '0',
    SECRETS_KEY: key,
    WORKSPACE_ID_PREFIX: 'team',
    USER_ID_PREFIX: 'member',
    RATE_LIMIT_UPDATES_PER_MINUTE: '1',
    RATE_LIMIT_READS_PER_MINUTE: '2',
    STORED_BYTES_PER_DEVELOPER_PER_DAY: '10',
    BODY_BYTES_MAX: '3',
    HEADER_BYTES_MAX: '4',
    HEADERS_TIMEOUT_MS: '5',
    REQUEST_TIMEOUT_MS: '6',
    REQUESTS_AT_ONCE_MAX: '7',
    CONNECTIONS_MAX: '10',
    STREAMS_AT_ONCE_MAX: '8',
    UPLOADS_AT_ONCE_MAX: '7',
    STALL_MS_MAX: '9',
    CORS_ORIGINS: 'https://a.example,https://b.example',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    OIDC_ISSUER: 'https://tenant.example/',
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
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_PROXY: 'http://ada:hidden@proxy.example:3128',
    WEBHOOK_RETRY_SECONDS: '0.25, 1.1,8',
    DELIVERIES_KEPT_DAYS: '9',
    APP_REGISTRY_ACTOR: 'nightly',
  };
  assert.deepEqual(readConfig(env), {
    databaseUrl: 'postgres://registry:secret@db.example/registry',
    postgres: { pools: { write: 11, read: 12, list: 13 }, prepare: false },
    publicAddress: { host: '0.0.0.0', port: 80 },
    operatorAddress: { host: '::1', port: 81 },
    baseUrl: 'https://apps.example.com/registry',
    devBaseUrl: 'https://dev.example.com',
    operatorBaseUrl: 'https://operator.example.com',
    logoBaseUrl: 'https://cdn.example.com/l',
    console: { name: 'Example Apps', mark: readFileSync(import.meta.filename) },
    logLevel: 'warn',
    initialSettings: { uniqueNames: false },
    secretKeys: [createSecretKey(key, 'base64')],
    workspaceIdPrefix: 'team',
    userIdPrefix: 'member',
    updatesPerMinute: 1,
    readsPerMinute: 2,
    storedBytesPerDeveloperPerDay: 10,
    bodyBytesMax: 3,
    headerBytesMax: 4,
    headersTimeoutMs: 5,
    requestTimeoutMs: 6,
    requestsAtOnceMax: 7,
    connectionsMax: 10,
    streamsAtOnceMax: 8,
    uploadsAtOnceMax: 7,
    stallMsMax: 9,
    corsOrigins: ['https://a.example', 'https://b.example'],
    trustedProxies: ['10.0.0.0/8', '::1'],
    identityProvider: {
      issuer: 'https://tenant.example/',
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
    webhookAllowPrivate: true,
    webhookProxy: new URL('http://ada:hidden@proxy.example:3128'),
    webhookRetryMs: [250, 1_100, 8_000],
    deliveryRetentionDays: 9,
    commandLineActor: 'nightly',
  });
});

test('unset base URLs are derived from the addresses that are set', () => {
  const { baseUrl, logoBaseUrl } = readConfig({ PUBLIC_ADDRESS: '[::1]:9090' });
  assert.deepEqual([baseUrl, logoBaseUrl], ['http://[::1]:9090', 'http://[::1]:9090/logos']);
  assert.equal(readConfig({ BASE_URL: 'https://apps.example.com' }).logoBaseUrl, 'https://apps.example.com/logos');
});

describe('a variable', () => {
  for (const { name, good, bad, error, with: others = {} } of variables) {
    test(`${name} accepts every valid value`, () => {
      for (const value of good) assert.deepEqual(errorsOf({ ...others, [name]: value }), [], value);
    });

    test(`${name} alone is reported, by its name, when it is invalid`, () => {
      for (const value of bad) {
        const [first, ...more] = errorsOf({ ...others, [name]: value });
        assert.ok(first?.startsWith(`${name} ${error}`), `${value}: ${first}`);
        assert.deepEqual(more, [], value);
      }
    });

    test(`${name} counts as unset when it is empty`, () => {
      assert.deepEqual(readConfig({ [name]: '' }), readConfig({}));
    });
  }
});

test('all errors are reported together', () => {
  const env = Object.fromEntries(variables.map(({ name, bad }) => [name, bad[0]]));
  const names = errorsOf(env).map((error) => error.split(' ')[0]);
  assert.deepEqual(names.toSorted(), variables.map(({ name }) => name).toSorted());
});

test('the operator base URL has no path, as the console sends requests to the root of its host', () => {
  for (const path of ['/registry', '/registry/', '/a/b']) {
    assert.deepEqual(errorsOf({ OPERATOR_BASE_URL: `https://example.com${path}` }), [
      'OPERATOR_BASE_URL must have no path: the console and the operator API are served at the root of the host.',
    ]);
  }
});

test('an error leaves out a value that can contain a password', () => {
  for (const { name, bad } of variables.filter((variable) =>
    /_URL$|^OIDC_ISSUER$|SECRET$|KEY$|PROXY$/.test(variable.name),
  )) {
    for (const value of bad) assert.doesNotMatch(errorsOf({ [name]: value }).join(), /secret/);
  }
});

describe('the file of keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'keys');
  const errorsWith = (text: string, env = {}) => {
    writeFileSync(path, text);
    return errorsOf({ ...env, SECRETS_KEY_FILE: path });
  };

  test('holds one key in each line', () => {
    assert.deepEqual(errorsWith(`${key}\n${otherKey}\n`), []);
    const expected = [key, otherKey].map((one) => createSecretKey(one, 'base64'));
    assert.deepEqual(readConfig({ SECRETS_KEY_FILE: path }).secretKeys, expected);
  });

  test('is reported without its content when it holds anything else', () => {
    for (const text of ['secret\n', `${key}\nsecret`]) {
      const [error = '', ...others] = errorsWith(text);
      assert.ok(error.startsWith(`SECRETS_KEY_FILE ${keyError}`), error);
      assert.doesNotMatch(error, /secret\b/);
      assert.deepEqual(others, []);
    }
  });

  test('is reported when it cannot be read, and beside keys in the environment', () => {
    assert.deepEqual(errorsOf({ SECRETS_KEY_FILE: join(folder, 'none') }), [
      'SECRETS_KEY_FILE must name a readable file (ENOENT).',
    ]);
    assert.deepEqual(errorsWith(key, { SECRETS_KEY: key }), [
      'SECRETS_KEY_FILE must not be set together with SECRETS_KEY.',
    ]);
  });
});

describe('a token must not cross a network unencrypted', () => {
  const reachable = [
    '0.0.0.0:80',
    '[::]:80',
    '192.0.2.1:80',
    'example.com:80',
    'localhost.example.com:80',
    '127.0.0.1.example.com:80',
  ];

  test('so a public address that other machines reach needs an https: base URL', () => {
    for (const PUBLIC_ADDRESS of reachable) {
      const expected = [
        'PUBLIC_ADDRESS is not a loopback address, so BASE_URL must be the https: URL of the proxy in front, or ALLOW_PLAINTEXT must be 1.',
      ];
      assert.deepEqual(errorsOf({ PUBLIC_ADDRESS }), expected);
      assert.deepEqual(errorsOf({ PUBLIC_ADDRESS, BASE_URL: 'http://apps.example.com' }), expected);
      assert.deepEqual(errorsOf({ PUBLIC_ADDRESS, BASE_URL: 'https://apps.example.com' }), []);
      assert.deepEqual(errorsOf({ PUBLIC_ADDRESS, ALLOW_PLAINTEXT: '1' }), []);
      assert.deepEqual(errorsOf({ PUBLIC_ADDRESS, ALLOW_PLAINTEXT: '0' }), expected);
    }
  });

  test('and so does such an operator address, regardless of the public base URL', () => {
    for (const OPERATOR_ADDRESS of reachable) {
      const expected = [
        'OPERATOR_ADDRESS is not a loopback address, so OPERATOR_BASE_URL must be the https: URL of the proxy in front, or ALLOW_PLAINTEXT must be 1.',
      ];
      assert.deepEqual(errorsOf({ OPERATOR_ADDRESS }), expected);
      assert.deepEqual(errorsOf({ OPERATOR_ADDRESS, BASE_URL: 'https://apps.example.com' }), expected);
      assert.deepEqual(errorsOf({ OPERATOR_ADDRESS, OPERATOR_BASE_URL: 'https://operator.example.com' }), []);
      assert.deepEqual(errorsOf({ OPERATOR_ADDRESS, ALLOW_PLAINTEXT: '1' }), []);
    }
  });
});

describe('an identity provider', () => {
  const both = provider;

  test('needs an issuer and an audience, and has defaults for the rest', () => {
    assert.deepEqual(readConfig(both).identityProvider, {
      issuer: 'https://issuer.example',
      audience: 'https://apps.example.com',
      tokenType: 'at+jwt',
      userIdClaim: 'sub',
      scopeClaims: ['scope', 'scp'],
      scopePrefix: 'app-registry:',
      signIn: null,
    });
  });

  test('signs people in with its client, which is public unless it has a secret', () => {
    assert.deepEqual(readConfig({ ...both, OIDC_CLIENT_ID: 'console' }).identityProvider?.signIn, {
      clientId: 'console',
      clientSecret: null,
      scope: null,
      parameters: {},
      deviceClientId: null,
    });
  });

  test('requires a client for any other sign-in setting, and an issuer for the client', () => {
    const others = {
      OIDC_CLIENT_SECRET: 'x',
      OIDC_DEVICE_CLIENT_ID: 'x',
      OIDC_SIGN_IN_SCOPE: 'openid',
      OIDC_SIGN_IN_PARAMETERS: 'prompt=login',
    };
    for (const [name, value] of Object.entries(others)) {
      assert.match(errorsOf({ ...both, [name]: value }).join(), /^OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET/);
    }
    assert.match(errorsOf({ OIDC_CLIENT_ID: 'console' }).join(), /^OIDC_ISSUER must be set when OIDC_CLIENT_ID is set/);
  });

  test('rejects its audience as the client, and reserved or repeated parameters', () => {
    const { OIDC_AUDIENCE } = both;
    assert.match(
      errorsOf({ ...both, OIDC_CLIENT_ID: OIDC_AUDIENCE }).join(),
      /^OIDC_CLIENT_ID must differ from OIDC_AUDIENCE/,
    );
    assert.match(
      errorsOf({ ...both, OIDC_CLIENT_ID: 'console', OIDC_DEVICE_CLIENT_ID: OIDC_AUDIENCE }).join(),
      /^OIDC_DEVICE_CLIENT_ID must differ from OIDC_AUDIENCE/,
    );
    const errorsWith = (OIDC_SIGN_IN_PARAMETERS: string) =>
      errorsOf({ ...both, OIDC_CLIENT_ID: 'console', OIDC_SIGN_IN_PARAMETERS }).join();
    assert.match(
      errorsWith('state=x&prompt=login&scope=openid'),
      /must not contain parameters that the registry sets: state, scope/,
    );
    assert.match(errorsWith('prompt=a&prompt=b'), /must not repeat a parameter/);
  });

  test('needs both the issuer and the audience', () => {
    const invalidWith = ({ OIDC_ISSUER, OIDC_AUDIENCE }: Partial<typeof both>) =>
      errorsOf({ OIDC_ISSUER, OIDC_AUDIENCE }).map((error) => error.split(' ')[0]);
    assert.deepEqual(invalidWith({ OIDC_ISSUER: both.OIDC_ISSUER }), ['OIDC_AUDIENCE']);
    assert.deepEqual(invalidWith({ OIDC_AUDIENCE: both.OIDC_AUDIENCE }), ['OIDC_ISSUER']);
  });

  test('has the exact issuer that is configured', () => {
    for (const OIDC_ISSUER of ['https://Issuer.example/a//b/', 'https://issuer.example:443']) {
      assert.equal(readConfig({ ...both, OIDC_ISSUER }).identityProvider?.issuer, OIDC_ISSUER);
    }
  });
});
