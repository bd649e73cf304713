import type { Engine } from '@appregistrar/testkit/engines/engines';
import { apiRequest, type HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture, type RegistryFixtureSettings } from '@appregistrar/testkit/registry/registry-fixture';
import { readConfig } from '../../src/config/config.ts';
import { EventStreams } from '../../src/features/events/feed/event-streams.ts';
import { NewEvents } from '../../src/features/events/feed/new-events.ts';
import { Sessions } from '../../src/http/auth/sessions.ts';
import { authenticateWith, type IdentityProvider } from '../../src/http/identity-provider/identity-provider.ts';
import { OperatorLimits } from '../../src/http/limits/rate-limit.ts';
import type { ListenerLimits } from '../../src/http/listener/connections.ts';
import { createListener } from '../../src/http/listener/listener.ts';
import { HttpMetrics } from '../../src/http/listener/request-context.ts';
import { OwnHost } from '../../src/http/listener/request-header.ts';
import { mount, type Route } from '../../src/http/listener/route.ts';
import { drawMark } from '../../src/http/operator/console.ts';
import { operatorApiPath, operatorRoutes } from '../../src/http/operator/operator-routes.ts';
import { type TokenScope, tokenScopes } from '../../src/kernel/registry.ts';
import { inject } from './inject.ts';
import { ListenerFixture, type ListenerParts } from './listener-fixture.ts';

export interface OperatorFixtureSettings extends RegistryFixtureSettings, Partial<ListenerLimits> {
  operatorBaseUrl?: string;
  trustedProxies?: string[];
  consoleFolder?: string;
  console?: { name: string; mark: Buffer | null };
  /** Its tokens are accepted too, and sessions that stand for them. */
  identityProvider?: IdentityProvider;
  uploadsAtOnceMax?: number;
  /** 0, no limit, by default. */
  operatorRequestsPerMinute?: number;
}

export interface OperatorRequest {
  /** The scope of the token; `admin` unless given. */
  as?: TokenScope;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

/** The operator listener on a registry. */
export class OperatorFixture extends ListenerFixture {
  /** An operator token with each scope alone. */
  readonly tokens: Record<TokenScope, { id: string; token: string }>;
  /** The mounted routes. */
  readonly routes: Route[];
  readonly #host: string;

  static async open(engine: Engine, settings: OperatorFixtureSettings = {}): Promise<OperatorFixture> {
    const data = await RegistryFixture.open(engine, settings);
    const log = new CapturedLog();
    const { identityProvider = null } = settings;
    const config = { ...readConfig({}), ...settings, identityProvider };
    const { host } = new URL(config.operatorBaseUrl);
    const parts = { logger: log.logger, metrics: new HttpMetrics(), draining: new AbortController().signal };
    const listener = createListener({ ...config, ...parts, ownHost: new OwnHost(config.operatorBaseUrl) });
    const sessions = new Sessions(data.registry, config);
    const { storage } = data.registry;
    const limits = new OperatorLimits(settings.operatorRequestsPerMinute ?? 0);
    const mountOptions = {
      authenticate: authenticateWith(data.registry, identityProvider),
      sessions,
      limits,
      closed: operatorApiPath,
    };
    const routes = operatorRoutes(data.registry, {
      ...config,
      ...parts,
      sessions,
      limits,
      ...endedSources(data),
      requireReady: () => storage.ping(),
      build: { version: '1.2.3' },
      warnings: () => storage.warnings(),
      providerSignIn: null,
      mark: config.console.mark && (await drawMark(config.console.mark)),
    });
    mount(listener, routes, mountOptions);
    const issued: [TokenScope, { id: string; token: string }][] = [];
    for (const scope of tokenScopes) issued.push([scope, await data.newToken('operator', { scopes: [scope] })]);
    const tokens = Object.fromEntries(issued) as OperatorFixture['tokens'];
    const documentText = (await inject(listener, { path: '/openapi.json', headers: { host } })).payload;
    return new OperatorFixture({ data, log, listener, documentText, tokens, routes, host });
  }

  private constructor({
    tokens,
    routes,
    host,
    ...parts
  }: ListenerParts & Pick<OperatorFixture, 'tokens' | 'routes'> & { host: string }) {
    super(parts);
    this.tokens = tokens;
    this.routes = routes;
    this.#host = host;
  }

  /** Sends the listener's own host unless the headers have another. */
  override send<View>({ headers, ...request }: HttpRequest): Promise<HttpResponse<View>> {
    return super.send<View>({ ...request, headers: { host: this.#host, ...headers } });
  }

  /** Calls an operation such as `POST /apps`, relative to `/operator/v1`. */
  call<View>(operation: string, { as = 'admin', ...given }: OperatorRequest = {}): Promise<HttpResponse<View>> {
    const [method = '', path = ''] = operation.split(' ');
    return this.send<View>(apiRequest(this.tokens[as].token, { ...given, method, path: `/operator/v1${path}` }));
  }
}

/** Nothing waits here: a stream ends with what there is, as an injected request gets its response as a whole. */
function endedSources({ registry }: RegistryFixture) {
  const newEvents = new NewEvents(registry.storage);
  newEvents.stop();
  return { newEvents, eventStreams: new EventStreams(registry, { newEvents, heartbeatMs: 1 }) };
}
