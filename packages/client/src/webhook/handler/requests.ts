import type { BodyReader } from './read-body.ts';

/**
 * What the handler reads of a `Request`.
 *
 * @example
 * const received: WebRequest = new Request('https://hooks.example.com/', { method: 'POST', body: '{}' });
 * console.log((await webhookHandler({ secret, on: {} })(received)).status);
 */
export interface WebRequest {
  /** `POST`, for a webhook. */
  readonly method: string;
  /** The headers, by names of any case. */
  readonly headers: {
    /** The value of a header. */
    get(name: string): string | null;
  };
  /** The raw body. */
  readonly body: {
    /** Reads it in chunks. */
    getReader(): BodyReader;
  } | null;
  /** Whether the body was read already. */
  readonly bodyUsed: boolean;
}

/**
 * What the handler reads of a request of `node:http`, or of a framework on it such as Express.
 *
 * @example
 * const isParsed = ({ body }: NodeRequest) => typeof body === 'object';
 * console.log(isParsed({ method: 'POST', headers: {}, [Symbol.asyncIterator]: async function* () {} }));
 */
export interface NodeRequest {
  /** `POST`, for a webhook. */
  readonly method?: string | undefined;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Set by a body parser. */
  readonly body?: unknown;
  /** The raw body, as some frameworks set it beside the parsed one. */
  readonly rawBody?: unknown;
  /** Whether the body was read already. */
  readonly readableDidRead?: boolean;
  /** The chunks of the body. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, unknown>;
}

/**
 * What the handler uses of a response of `node:http`.
 *
 * @example
 * const handle = async (received: NodeRequest, response: NodeResponse) =>
 *   webhookHandler({ secret, on: {} })(received, response);
 * console.log(handle.length);
 */
export interface NodeResponse {
  /** Whether the response was begun already. */
  readonly headersSent: boolean;
  /** Begins the response. */
  writeHead(
    status: number,
    headers: Record<string, string>,
  ): {
    /** Ends it without a body. */
    end(): unknown;
  };
}

/** A request, however it was received. */
export interface ReceivedRequest {
  method: string | undefined;
  headers: WebRequest['headers'] | NodeRequest['headers'];
  /** The raw body, or a reader of it. Throws a `TypeError` if it was read already. */
  openBody(): RawBody | BodyReader;
}

type RawBody = string | Uint8Array | ArrayBuffer;

export function isWebRequest(request: WebRequest | NodeRequest): request is WebRequest {
  return typeof request.headers.get === 'function';
}

export function fromWeb({ method, headers, body, bodyUsed }: WebRequest): ReceivedRequest {
  const openBody = () => {
    if (bodyUsed) throw alreadyRead();
    return body?.getReader() ?? '';
  };
  return { method, headers, openBody };
}

export function fromNode(request: NodeRequest): ReceivedRequest {
  const { method, headers } = request;
  const openBody = () => {
    const raw = [request.rawBody, request.body].find(isRaw);
    if (raw !== undefined) return raw;
    // Not by `body`: a parser that has not read this request may have set it all the same.
    if (request.readableDidRead) throw alreadyRead();
    const chunks = request[Symbol.asyncIterator]();
    return { read: () => chunks.next() };
  };
  return { method, headers, openBody };
}

function isRaw(body: unknown): body is RawBody {
  return typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;
}

function alreadyRead(): TypeError {
  return new TypeError(
    'The body of the webhook was already read or parsed. Put the handler before the body parser, or behind express.raw({ type: "*/*" }).',
  );
}
