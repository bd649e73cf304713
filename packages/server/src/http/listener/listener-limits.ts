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
