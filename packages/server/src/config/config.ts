import { type Address, text } from './address.ts';
import { environment } from './env.ts';
import { type Environment, isLoopback, VariableReader } from './variable-reader.ts';

const tokenTypes = ['at+jwt', 'JWT'] as const;
/** The schedule of the Standard Webhooks specification as far as 24 hours; the last wait is what is left of them. */
const retrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 23_095];
/** What a request to sign in says of itself. */
const parametersOfSignIn = [
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'code', 'code_challenge'],
  ...['code_challenge_method', 'code_verifier', 'grant_type', 'nonce', 'redirect_uri', 'request', 'request_uri'],
  ...['response_mode', 'response_type', 'scope', 'state'],
];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How a registry runs. `docs/operating.md` tells each variable. */
export interface Config {
  databaseUrl: string;
  publicAddress: Address;
  operatorAddress: Address;
  /** Without a slash at the end, as all base addresses here. */
  baseUrl: string;
  devBaseUrl: string;
  /** Of the operator listener. */
  operatorBaseUrl: string;
  logoBaseUrl: string;
  logLevel: (typeof logLevels)[number];
  uniqueNames: boolean;
  workspaceIdPrefix: string;
  userIdPrefix: string;
  /** For each token that has no limit of its own; 0 means no limit, here and below. */
  updatesPerMinute: number;
  readsPerMinute: number;
  bodyBytesMax: number;
  headerBytesMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  requestsAtOnceMax: number;
  /** Long lists that are sent at one time. */
  streamsAtOnceMax: number;
  /** How long a reader may take nothing of its answer. */
  stallMsMax: number;
  /** Whose pages browsers let call the public listener. */
  corsOrigins: string[];
  /** Addresses, and networks in CIDR notation, whose `X-Forwarded-*` is believed. */
  trustedProxies: string[];
  /** Whose access tokens are accepted beside the registry's own. */
  identityProvider: IdentityProvider | null;
  /** Whether webhooks may also have `http:` addresses and addresses that are not public. */
  webhookAllowPrivate: boolean;
  /** How long to wait after each attempt of a delivery that fails; after the last of these there is one more attempt. */
  webhookRetryMs: number[];
  /** How long deliveries are kept once they are finished; 0 means for ever. */
  deliveryRetentionDays: number;
}

interface IdentityProvider {
  issuer: string;
  audience: string;
  /** What the header of its access tokens must say; with `JWT` it may also say nothing of use. */
  tokenType: (typeof tokenTypes)[number];
  userIdClaim: string;
  scopeClaims: string[];
  scopePrefix: string;
  /** How people sign in to the console by way of it, if they do. */
  signIn: SignIn | null;
}

interface SignIn {
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** What is asked for; null for the scopes of operators. */
  scope: string | null;
  /** What else the request says. */
  parameters: Record<string, string>;
}

/** Reads the whole configuration. Throws a `ConfigError` that names every faulty variable. */
export function readConfig(env: Environment = environment): Config {
  const reader = new VariableReader(env);
  const publicAddress = reader.address('PUBLIC_ADDRESS', '127.0.0.1:8080');
  const operatorAddress = reader.address('OPERATOR_ADDRESS', '127.0.0.1:8081');
  const baseUrl = reader.url('BASE_URL', `http://${text(publicAddress)}`);
  const config: Config = {
    databaseUrl: reader.databaseUrl(),
    publicAddress,
    operatorAddress,
    baseUrl,
    devBaseUrl: reader.url('DEV_BASE_URL', 'http://127.0.0.1:8090'),
    operatorBaseUrl: reader.hostUrl('OPERATOR_BASE_URL', `http://${text(operatorAddress)}`),
    logoBaseUrl: reader.url('LOGO_BASE_URL', `${baseUrl}/logos`),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    uniqueNames: reader.flag('UNIQUE_NAMES', true),
    workspaceIdPrefix: reader.idPrefix('WORKSPACE_ID_PREFIX', 'workspace'),
    userIdPrefix: reader.idPrefix('USER_ID_PREFIX', 'user'),
    updatesPerMinute: reader.count('RATE_LIMIT_UPDATES_PER_MINUTE', 120),
    readsPerMinute: reader.count('RATE_LIMIT_READS_PER_MINUTE', 0),
    bodyBytesMax: reader.count('BODY_BYTES_MAX', 65_536),
    headerBytesMax: reader.count('HEADER_BYTES_MAX', 16_384),
    headersTimeoutMs: reader.count('HEADERS_TIMEOUT_MS', 10_000),
    requestTimeoutMs: reader.count('REQUEST_TIMEOUT_MS', 30_000),
    requestsAtOnceMax: reader.count('REQUESTS_AT_ONCE_MAX', 1_000),
    streamsAtOnceMax: reader.count('STREAMS_AT_ONCE_MAX', 10),
    stallMsMax: reader.count('STALL_MS_MAX', 30_000),
    corsOrigins: reader.origins('CORS_ORIGINS'),
    trustedProxies: reader.networks('TRUSTED_PROXIES'),
    identityProvider: readIdentityProvider(reader),
    webhookAllowPrivate: reader.flag('WEBHOOK_ALLOW_PRIVATE', false),
    webhookRetryMs: reader.seconds('WEBHOOK_RETRY_SECONDS', retrySeconds).map((seconds) => Math.round(seconds * 1_000)),
    deliveryRetentionDays: reader.count('DELIVERIES_KEPT_DAYS', 30),
  };
  if (!reader.flag('ALLOW_PLAINTEXT', false)) requireTls(config, reader);
  reader.finish();
  return config;
}

function readIdentityProvider(reader: VariableReader): IdentityProvider | null {
  const issuer = reader.issuer('OIDC_ISSUER');
  const audience = reader.word('OIDC_AUDIENCE');
  const reading = {
    tokenType: reader.oneOf('OIDC_TOKEN_TYPE', tokenTypes, 'at+jwt'),
    userIdClaim: reader.word('OIDC_USER_ID_CLAIM') ?? 'sub',
    scopeClaims: reader.words('OIDC_SCOPE_CLAIMS', ['scope', 'scp']),
    scopePrefix: reader.word('OIDC_SCOPE_PREFIX') ?? 'app-registry:',
    signIn: readSignIn(reader, { issuer, audience }),
  };
  if (issuer !== undefined && audience !== undefined) return { issuer, audience, ...reading };
  if (issuer !== undefined)
    reader.fault('OIDC_AUDIENCE', 'must be set with OIDC_ISSUER: what tokens for this registry name as their audience');
  if (audience !== undefined) reader.fault('OIDC_ISSUER', 'must be set with OIDC_AUDIENCE: whose tokens are accepted');
  return null;
}

function readSignIn(
  reader: VariableReader,
  { issuer, audience }: { issuer: string | undefined; audience: string | undefined },
): SignIn | null {
  const clientId = reader.word('OIDC_CLIENT_ID');
  const clientSecret = reader.secret('OIDC_CLIENT_SECRET') ?? null;
  const scope = reader.scope('OIDC_SIGN_IN_SCOPE') ?? null;
  const parameters = reader.parameters('OIDC_SIGN_IN_PARAMETERS', parametersOfSignIn);
  if (clientId !== undefined) {
    if (issuer === undefined) reader.fault('OIDC_ISSUER', 'must be set with OIDC_CLIENT_ID: who signs people in');
    if (clientId === audience)
      reader.fault('OIDC_CLIENT_ID', 'must not be OIDC_AUDIENCE: the ID tokens of a client have its id as theirs');
    return { clientId, clientSecret, scope, parameters };
  }
  if (clientSecret !== null || scope !== null || Object.keys(parameters).length > 0)
    reader.fault(
      'OIDC_CLIENT_ID',
      'must be set with OIDC_CLIENT_SECRET and OIDC_SIGN_IN_*: which client signs people in',
    );
  return null;
}

/** A token must not cross a network in plain text (decision 4). */
function requireTls(config: Config, reader: VariableReader): void {
  if (!isLocal(config.publicAddress) && !config.baseUrl.startsWith('https:')) {
    reader.fault(
      'PUBLIC_ADDRESS',
      'is not a loopback address, so BASE_URL must be the https: address of the proxy in front, or ALLOW_PLAINTEXT must be 1',
    );
  }
  if (!isLocal(config.operatorAddress) && !config.operatorBaseUrl.startsWith('https:')) {
    reader.fault(
      'OPERATOR_ADDRESS',
      'is not a loopback address, so OPERATOR_BASE_URL must be the https: address of the proxy in front, or ALLOW_PLAINTEXT must be 1',
    );
  }
}

/** Whether no other machine can reach it. What is no address at all is told as such. */
function isLocal({ host }: Address): boolean {
  return host === '' || isLoopback(host);
}
