import { completePostgresUrl, postgresUrlProblem, postgresVariables } from '../storage/postgres-url.ts';
import { type Address, formatAddress, isLoopback } from './address.ts';
import { environment } from './env.ts';
import { type Environment, VariableReader } from './variable-reader.ts';

const tokenTypes = ['at+jwt', 'JWT'] as const;
/** The schedule of the Standard Webhooks specification, cut off at 24 hours in total. */
const retrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 23_095];
/** Parameters that the registry itself sets in sign-in requests. */
const signInParameters = [
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'code', 'code_challenge'],
  ...['code_challenge_method', 'code_verifier', 'grant_type', 'nonce', 'redirect_uri', 'request', 'request_uri'],
  ...['response_mode', 'response_type', 'scope', 'state'],
];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How a registry runs. `docs/configuration.md` describes each variable. */
export type Config = ReturnType<typeof readSettings>;

/** Reads the configuration. Throws a `ConfigError` that lists every invalid variable. */
export function readConfig(env: Environment = environment): Config {
  const reader = new VariableReader(env);
  const config = readSettings(reader);
  if (!reader.flag('ALLOW_PLAINTEXT', false)) requireTls(config, reader);
  reader.finish();
  return config;
}

function readSettings(reader: VariableReader) {
  const publicAddress = reader.address('PUBLIC_ADDRESS', '127.0.0.1:8080');
  const operatorAddress = reader.address('OPERATOR_ADDRESS', '127.0.0.1:8081');
  const baseUrl = reader.url('BASE_URL', `http://${formatAddress(publicAddress)}`);
  return {
    databaseUrl: readDatabaseUrl(reader),
    /** How a process uses PostgreSQL. */
    postgres: {
      /** How many connections it opens at most, for each kind of work. */
      pools: {
        write: reader.poolSize('DATABASE_POOL_WRITE', 10),
        read: reader.poolSize('DATABASE_POOL_READ', 10),
        list: reader.poolSize('DATABASE_POOL_LIST', 10),
      },
      /** Whether the statements that are executed again and again are prepared. */
      prepare: reader.flag('DATABASE_PREPARE', true),
    },
    publicAddress,
    operatorAddress,
    /** Without a trailing slash, like all base URLs here. */
    baseUrl,
    devBaseUrl: reader.url('DEV_BASE_URL', 'http://127.0.0.1:8090'),
    /** Of the operator listener. */
    operatorBaseUrl: reader.hostUrl('OPERATOR_BASE_URL', `http://${formatAddress(operatorAddress)}`),
    logoBaseUrl: reader.url('LOGO_BASE_URL', `${baseUrl}/logos`),
    /** What the console is called, the image file beside that name, and its colour; null for those of this program. */
    console: {
      name: reader.title('CONSOLE_NAME', 'App Registry'),
      mark: reader.fileContent('CONSOLE_MARK'),
      accent: reader.accent('CONSOLE_ACCENT'),
    },
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    /** The settings of a new database, which stores them from then on. */
    initialSettings: { uniqueNames: reader.flag('UNIQUE_NAMES', true) },
    /** Encrypt the secrets that the database stores: the first one encrypts, all decrypt. */
    secretKeys: reader.keys('SECRETS_KEY'),
    workspaceIdPrefix: reader.idPrefix('WORKSPACE_ID_PREFIX', 'workspace'),
    userIdPrefix: reader.idPrefix('USER_ID_PREFIX', 'user'),
    /** For tokens without a limit of their own; 0 means no limit, here and below. */
    updatesPerMinute: reader.count('RATE_LIMIT_UPDATES_PER_MINUTE', 120),
    readsPerMinute: reader.count('RATE_LIMIT_READS_PER_MINUTE', 0),
    operatorRequestsPerMinute: reader.count('RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE', 600),
    storedBytesPerDeveloperPerDay: reader.count('STORED_BYTES_PER_DEVELOPER_PER_DAY', 67_108_864),
    bodyBytesMax: reader.count('BODY_BYTES_MAX', 65_536),
    headerBytesMax: reader.count('HEADER_BYTES_MAX', 16_384),
    headersTimeoutMs: reader.count('HEADERS_TIMEOUT_MS', 10_000),
    requestTimeoutMs: reader.count('REQUEST_TIMEOUT_MS', 30_000),
    requestsAtOnceMax: reader.count('REQUESTS_AT_ONCE_MAX', 1_000),
    /** Connections to the public listener; the limit of open files also applies. */
    connectionsMax: reader.count('CONNECTIONS_MAX', 0),
    /** Long lists streamed at the same time. */
    streamsAtOnceMax: reader.count('STREAMS_AT_ONCE_MAX', 10),
    /** How long such a list may take, in which its snapshot holds back the log of the database. */
    streamMsMax: reader.count('STREAM_MS_MAX', 120_000),
    /** Images received, waiting or drawn at the same time. */
    uploadsAtOnceMax: reader.count('UPLOADS_AT_ONCE_MAX', 8),
    /** How long a client may read nothing of its response. */
    stallMsMax: reader.count('STALL_MS_MAX', 30_000),
    /** Origins whose pages may call the public listener. */
    corsOrigins: reader.origins('CORS_ORIGINS'),
    /** Addresses, and networks in CIDR notation, whose `X-Forwarded-*` is trusted. */
    trustedProxies: reader.networks('TRUSTED_PROXIES'),
    identityProvider: readIdentityProvider(reader),
    /** Whether webhooks may also have `http:` URLs and addresses that are not public. */
    webhookAllowPrivate: reader.flag('WEBHOOK_ALLOW_PRIVATE', false),
    /** The HTTP proxy that connects to receivers of webhooks; null to connect directly. */
    webhookProxy: reader.proxy('WEBHOOK_PROXY'),
    /** How long to wait after each failed attempt of a delivery; one more attempt follows the last. */
    webhookRetryMs: reader.seconds('WEBHOOK_RETRY_SECONDS', retrySeconds).map((seconds) => Math.round(seconds * 1_000)),
    /** How long finished deliveries are retained; 0 means for ever. */
    deliveryRetentionDays: reader.count('DELIVERIES_KEPT_DAYS', 30),
    /** Who runs commands, in the events of their changes; null for the host and user of the system. */
    commandLineActor: reader.actorName('APP_REGISTRY_ACTOR') ?? null,
  };
}

/** Its access tokens are accepted as well as the registry's own. */
function readIdentityProvider(reader: VariableReader) {
  const issuer = reader.issuer('OIDC_ISSUER');
  const audience = reader.word('OIDC_AUDIENCE');
  const settings = {
    /** The `typ` header of its access tokens; `JWT` also accepts tokens without one. */
    tokenType: reader.oneOf('OIDC_TOKEN_TYPE', tokenTypes, 'at+jwt'),
    userIdClaim: reader.word('OIDC_USER_ID_CLAIM') ?? 'sub',
    scopeClaims: reader.words('OIDC_SCOPE_CLAIMS', ['scope', 'scp']),
    scopePrefix: reader.word('OIDC_SCOPE_PREFIX') ?? 'app-registry:',
    signIn: readSignIn(reader, issuer, audience),
  };
  if (issuer !== undefined && audience !== undefined) return { issuer, audience, ...settings };
  if (issuer !== undefined)
    reader.addError('OIDC_AUDIENCE', 'must be set when OIDC_ISSUER is set: the audience of tokens for this registry');
  if (audience !== undefined)
    reader.addError('OIDC_ISSUER', 'must be set when OIDC_AUDIENCE is set: the issuer whose tokens are accepted');
  return null;
}

/** Sign-in to the console with this provider; null when it is off. */
function readSignIn(reader: VariableReader, issuer: string | undefined, audience: string | undefined) {
  const clientId = reader.word('OIDC_CLIENT_ID');
  const settings = {
    /** Null for a public client. */
    clientSecret: reader.secret('OIDC_CLIENT_SECRET') ?? null,
    /** The scopes to request; null for those of operators. */
    scope: reader.scope('OIDC_SIGN_IN_SCOPE') ?? null,
    /** Further parameters of the request. */
    parameters: reader.parameters('OIDC_SIGN_IN_PARAMETERS', signInParameters),
    /** The public client of the command line (RFC 8628); null when it signs no one in. */
    deviceClientId: reader.word('OIDC_DEVICE_CLIENT_ID') ?? null,
  };
  const { clientSecret, scope, parameters, deviceClientId } = settings;
  if (clientId !== undefined) {
    if (issuer === undefined)
      reader.addError('OIDC_ISSUER', 'must be set when OIDC_CLIENT_ID is set: the provider that people sign in with');
    if (deviceClientId !== null && deviceClientId === audience)
      reader.addError('OIDC_DEVICE_CLIENT_ID', 'must differ from OIDC_AUDIENCE: it is the audience of ID tokens');
    if (clientId === audience)
      reader.addError('OIDC_CLIENT_ID', 'must differ from OIDC_AUDIENCE: the client id is the audience of ID tokens');
    return { clientId, ...settings };
  }
  if (clientSecret !== null || scope !== null || Object.keys(parameters).length > 0 || deviceClientId !== null)
    reader.addError(
      'OIDC_CLIENT_ID',
      'must be set when OIDC_CLIENT_SECRET, OIDC_DEVICE_CLIENT_ID or OIDC_SIGN_IN_* is set: the client that people sign in with',
    );
  return null;
}

/** A token must not cross a network unencrypted. */
function requireTls(config: Config, reader: VariableReader): void {
  for (const [variable, urlVariable, address, url] of [
    ['PUBLIC_ADDRESS', 'BASE_URL', config.publicAddress, config.baseUrl],
    ['OPERATOR_ADDRESS', 'OPERATOR_BASE_URL', config.operatorAddress, config.operatorBaseUrl],
  ] as const) {
    if (isLocal(address) || url.startsWith('https:')) continue;
    reader.addError(
      variable,
      `is not a loopback address, so ${urlVariable} must be the https: URL of the proxy in front, or ALLOW_PLAINTEXT must be 1`,
    );
  }
}

/** Whether no other machine can reach it. An address that could not be parsed has an error already. */
function isLocal({ host }: Address): boolean {
  return host === '' || isLoopback(host);
}

/** Complete: with what libpq reads from variables. Errors leave out the value, which can contain a password. */
function readDatabaseUrl(reader: VariableReader): string {
  const url = reader.value('DATABASE_URL')?.trim() ?? 'sqlite:./data/registry.db';
  const addError = (requirement: string) => reader.addError('DATABASE_URL', requirement);
  if (/^postgres(?:ql)?:/.test(url)) {
    const values = Object.entries(postgresVariables).flatMap(([name, variable]) => {
      const value = reader.value(variable);
      return value === undefined ? [] : [[name, value] as const];
    });
    const complete = completePostgresUrl(url, values);
    const problem = postgresUrlProblem(complete);
    if (problem !== null) addError(problem);
    return complete;
  }
  if (!/^sqlite:(?!\w+:\/\/|file:)./.test(url))
    addError('must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE');
  return url;
}
