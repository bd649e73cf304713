const noLimit = Number.MAX_SAFE_INTEGER;
const checkIntervalMsMax = 1_000;

/** Limits for requests. 0 means no limit. */
export interface ListenerLimits {
  bodyBytesMax: number;
  headerBytesMax: number;
  headersTimeoutMs: number;
  /** For the header and the body together. */
  requestTimeoutMs: number;
  requestsAtOnceMax: number;
}

/** The limits of time and size, as options of Fastify and Node. */
export function serverLimits(limits: ListenerLimits) {
  const headerBytesMax = limits.headerBytesMax || noLimit;
  return {
    bodyLimit: limits.bodyBytesMax || noLimit,
    requestTimeout: limits.requestTimeoutMs,
    routerOptions: { maxParamLength: headerBytesMax },
    http: { maxHeaderSize: headerBytesMax, ...timeouts(limits) },
  };
}

/** The header is part of the request, and Node rejects a longer timeout for it. */
function timeouts({ headersTimeoutMs, requestTimeoutMs }: ListenerLimits) {
  const headersTimeout =
    requestTimeoutMs > 0 ? Math.min(headersTimeoutMs || requestTimeoutMs, requestTimeoutMs) : headersTimeoutMs;
  const shortest = Math.min(headersTimeout || checkIntervalMsMax, checkIntervalMsMax);
  return { requestTimeout: requestTimeoutMs, headersTimeout, connectionsCheckingInterval: shortest };
}

/** File descriptors for everything but public connections. Of fewer than twice as many, half are reserved. */
const reservedMax = 512;

interface ConnectionLimits {
  public: number;
  operator: number;
}

/**
 * How many connections the listeners accept at most. A flood on the public listener must leave descriptors to the
 * operator listener, so that a supervisor gets its response, and to the database, files and webhooks.
 */
export function connectionLimits(connectionsMax: number, openFilesMax: number = readOpenFilesMax()): ConnectionLimits {
  const reserved = Math.min(reservedMax, Math.floor(openFilesMax / 2));
  return {
    public: Math.min(connectionsMax || Number.POSITIVE_INFINITY, openFilesMax - reserved),
    operator: Math.ceil(reserved / 4),
  };
}

/** The limit of this process, which Node has raised as far as it may be. */
function readOpenFilesMax(): number {
  // Otherwise the report looks up the names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { userLimits?: { open_files?: { soft?: number | string } } } = process.report.getReport();
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
