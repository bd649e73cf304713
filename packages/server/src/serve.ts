import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Address, formatAddress } from './config/address.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/variable-reader.ts';
import { exitSoon, failSoon, untilEndSignal } from './end-signal.ts';
import { EventStreams } from './features/events/feed/event-streams.ts';
import { NewEvents } from './features/events/feed/new-events.ts';
import { openRegistry } from './features/settings/settings.ts';
import { Deliveries } from './features/webhooks/delivery/deliver-events.ts';
import { DeliveryMetrics } from './features/webhooks/delivery/delivery-metrics.ts';
import { encryptWebhookSecrets } from './features/webhooks/webhook-secrets.ts';
import { TokenUses } from './http/auth/bearer-auth.ts';
import { Sessions } from './http/auth/sessions.ts';
import { authenticateWith, type IdentityProvider } from './http/identity-provider/identity-provider.ts';
import type { ProviderSignIn } from './http/identity-provider/provider-sign-in.ts';
import { OperatorLimits } from './http/limits/rate-limit.ts';
import { closeListeners, connectionLimits, type DrainLimits, drain, drainLimits } from './http/listener/connections.ts';
import { createListener } from './http/listener/listener.ts';
import { HttpMetrics } from './http/listener/request-context.ts';
import { Cors, OwnHost } from './http/listener/request-header.ts';
import { mount } from './http/listener/route.ts';
import { type ConsoleMark, drawMark } from './http/operator/console.ts';
import { operatorApiPath, operatorRoutes, requireReady } from './http/operator/operator-routes.ts';
import { publicRoutes } from './http/public/public-routes.ts';
import { Failure } from './kernel/failure.ts';
import type { Registry } from './kernel/registry.ts';
import { listen } from './listen.ts';
import { createLogger, type Log } from './log.ts';
import { startMaintenance } from './maintenance.ts';
import {
  measureBuild,
  measureDatabase,
  measureEventFeed,
  measureLog,
  measureRegistry,
  watchClock,
} from './metrics/registry-metrics.ts';
import { assessDatabase, openDatabase } from './open-database.ts';
import { currentBuild, version } from './version.ts';

/** Many proxies end a response that is silent for a minute. */
const heartbeatMsMax = 15_000;

export interface Server {
  /** The addresses of the listeners, with the assigned ports. */
  publicAddress: Address;
  operatorAddress: Address;
  /** Completes current work, then closes everything. */
  stop(limits?: DrainLimits): Promise<void>;
}

/** Starts the service: the database and both listeners. If that fails, throws and leaves nothing open. */
export async function startServer(config: Config, logger: Log = createLogger(config.logLevel)): Promise<Server> {
  const storage = await openDatabase(config, { logger, onSyncFailed: failSoon });
  const shutdown = new AbortController();
  const { signal: draining } = shutdown;
  const requireThisReady = () => requireReady({ draining, ping: () => storage.ping() });
  const listeners: FastifyInstance[] = [];
  try {
    await assessDatabase(storage, logger);
    const registry = await openRegistry(storage, config);
    await encryptWebhookSecrets(registry);
    const metrics = new HttpMetrics();
    const build = currentBuild();
    measureBuild(build, metrics.registry);
    measureDatabase(registry, metrics.registry);
    measureRegistry(registry, metrics.registry, requireThisReady);
    measureLog(logger, metrics.registry);
    const options = { logger, metrics, draining, ...config };
    const cors = new Cors(config.corsOrigins);
    const connectionsMax = connectionLimits(config.connectionsMax);

    const publicListener = createListener({ ...options, cors, connectionsMax: connectionsMax.public });
    const identityProvider = await identityProviderOf(config, logger);
    const tokenUses = new TokenUses(registry, logger);
    const mountOptions = { authenticate: authenticateWith(registry, identityProvider), tokenUses };
    mount(publicListener, publicRoutes(registry, config), { ...mountOptions, cors });
    // Health checks need a response even under overload.
    const operatorListener = createListener({
      ...options,
      ownHost: new OwnHost(config.operatorBaseUrl),
      requestsAtOnceMax: 0,
      connectionsMax: connectionsMax.operator,
    });
    const sessions = new Sessions(registry, config);
    const providerSignIn = await providerSignInOf(config, { identityProvider, logger });
    const newEvents = new NewEvents(storage);
    const eventStreams = new EventStreams(registry, { newEvents, heartbeatMs: heartbeatMs(config) });
    measureEventFeed(registry, { newEvents, eventStreams }, metrics.registry);
    const limits = new OperatorLimits(config.operatorRequestsPerMinute);
    const operatorParts = {
      sessions,
      limits,
      identityProvider,
      providerSignIn,
      requireReady: requireThisReady,
      newEvents,
      eventStreams,
      warnings: () => storage.warnings(),
      build,
      mark: await markOf(config),
      metrics,
    };
    mount(operatorListener, operatorRoutes(registry, { ...options, ...operatorParts }), {
      ...mountOptions,
      sessions,
      limits,
      closed: operatorApiPath,
    });
    listeners.push(publicListener, operatorListener);

    const publicAddress = await listen(publicListener, config.publicAddress);
    const operatorAddress = await listen(operatorListener, config.operatorAddress);
    const deliveries = deliveriesOf(registry, config, { logger, metrics });
    storage.onInserted = (rows) => deliveries.notify(rows);
    const stopMaintenance = startMaintenance(registry, { ...config, logger });
    const endClock = watchClock(registry, metrics.registry, (jumpMs) =>
      logger.warn({ jumpSeconds: jumpMs / 1_000 }, 'the clock was set'),
    );
    const endTokenUses = tokenUses.start();
    const endKeys = identityProvider?.start();
    const addresses = { public: formatAddress(publicAddress), operator: formatAddress(operatorAddress) };
    logger.info({ ...addresses, engine: storage.engine }, 'serving');
    if (registry.secrets.isEmpty)
      logger.info('webhook secrets are stored as plain text: set SECRETS_KEY to encrypt them');
    return {
      publicAddress,
      operatorAddress,
      stop: async (limits = drainLimits) => {
        shutdown.abort();
        logger.info('stopping');
        newEvents.stop();
        endKeys?.();
        endClock();
        const [cutOff] = await Promise.all([drain(listeners, limits), deliveries.stop(), stopMaintenance()]);
        if (cutOff !== null) {
          const details = { connections: cutOff, seconds: limits.cutOffMs / 1_000 };
          logger.warn(details, 'requests that did not complete in time were cut off');
        }
        await endTokenUses();
        await storage.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    await closeListeners(listeners);
    await storage.close();
    throw error;
  }
}

/** A stream is never silent for so long that its client would count as stalled. */
function heartbeatMs({ stallMsMax }: Config): number {
  return stallMsMax === 0 ? heartbeatMsMax : Math.min(heartbeatMsMax, Math.ceil(stallMsMax / 2));
}

/** The image beside the name of the console. An operator learns of an unusable one at the start. */
async function markOf({ console: { mark } }: Config): Promise<ConsoleMark | null> {
  try {
    return mark && (await drawMark(mark));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reasons = error.errors?.map(({ detail }) => detail).join(' ');
    throw new ConfigError(`The configuration is invalid:\n  CONSOLE_MARK cannot be used. ${reasons}`);
  }
}

/** Runs the service until SIGTERM or SIGINT; a second signal exits immediately. */
export async function serve(config: Config): Promise<void> {
  const server = await startServer(config);
  process.send?.('serving');
  await untilEndSignal(() => process.exit(1));
  await server.stop();
  exitSoon();
}

async function identityProviderOf(
  { identityProvider, userIdPrefix }: Config,
  logger: Logger,
): Promise<IdentityProvider | null> {
  if (!identityProvider) return null;
  const { IdentityProvider } = await import('./http/identity-provider/identity-provider.ts');
  return new IdentityProvider({ ...identityProvider, userIdPrefix }, { logger });
}

async function providerSignInOf(
  { identityProvider: settings, operatorBaseUrl }: Config,
  { identityProvider, logger }: { identityProvider: IdentityProvider | null; logger: Logger },
): Promise<ProviderSignIn | null> {
  if (!settings?.signIn || !identityProvider) return null;
  const { ProviderSignIn } = await import('./http/identity-provider/provider-sign-in.ts');
  const { signIn, scopePrefix } = settings;
  return new ProviderSignIn(signIn, { identityProvider, scopePrefix, operatorBaseUrl, logger });
}

function deliveriesOf(
  registry: Registry,
  { webhookAllowPrivate, webhookProxy, webhookRetryMs }: Config,
  { logger, metrics }: { logger: Logger; metrics: HttpMetrics },
): Deliveries {
  return new Deliveries(registry, {
    logger,
    metrics: new DeliveryMetrics(registry, metrics.registry),
    allowPrivate: webhookAllowPrivate,
    proxy: webhookProxy,
    retryMs: webhookRetryMs,
    userAgent: `app-registry/${version()}`,
  });
}
