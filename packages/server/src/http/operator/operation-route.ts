import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { Principal } from '../../features/access/access-token.ts';
import type { EventWaits, StreamedPage } from '../../kernel/event-waits.ts';
import {
  type AnyOperation,
  type Call,
  NoFields,
  type OperatorOperation,
  runOperation,
  takesIdempotencyKey,
} from '../../kernel/operation.ts';
import type { Registry, TokenScope } from '../../kernel/registry.ts';
import { formBody, formBytesMax, formMediaType, requireFormBody } from '../body/form-body.ts';
import { callerOf, refuseConditions, replayedField, revisionCondition, withCurrentTag } from '../body/header-fields.ts';
import { acceptJsonBody, jsonBody, refuseFields, requireJsonBody, sendJson } from '../body/json-body.ts';
import type { UploadsAtOnce } from '../limits/concurrent-requests.ts';
import { traceparentOf } from '../listener/request-context.ts';
import { type Route, route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';
import { toProblem } from '../problem/to-problem.ts';

/** The route of an operation. */
export function operationRoute(
  registry: Registry,
  operation: AnyOperation,
  { waits, uploads }: { waits: EventWaits; uploads: UploadsAtOnce },
): Route {
  const { method, path, scope, orScope, notScope, creates, form, returnsSecret = false } = operation;
  return route<string, { scope: TokenScope }>({
    method,
    path,
    access: { scope, ...(orScope && { orScope }), ...(notScope && { notScope }) },
    returnsSecret,
    ...acceptedBody(operation, uploads),
    async handle(request, reply, principal, reauthorize) {
      const call = { request, reply, principal, reauthorize };
      const work = async () => runOperation(operation, registry, { ...(await readCall(operation, call)), waits });
      const result: unknown = await withCurrentTag(() => (form ? uploads.run(request, work) : work()));
      if (operation.streams) return sendEventStream(reply, result as AsyncIterable<StreamedPage>);
      if (hasTag(result)) reply.header('etag', result.etag);
      if (!creates) return sendJson(reply, result);
      return sendJson(reply.code(201).header('location', locationOf(request, result as { id: string })), result);
    },
  });
}

/** The path of a new object, which is that of its collection with its id. */
function locationOf({ url }: FastifyRequest, { id }: { id: string }): string {
  return `${url.split('?')[0]}/${id}`;
}

function acceptedBody(
  { method, body, isBodyOptional, form }: OperatorOperation,
  uploads: UploadsAtOnce,
): Pick<Route, 'acceptsBody' | 'bytes'> {
  if (method === 'GET') return {};
  if (!form) return { acceptsBody: body && !isBodyOptional ? requireJsonBody : acceptJsonBody };
  return {
    acceptsBody: (request) => {
      requireFormBody(request);
      uploads.acquire(request);
    },
    bytes: { mediaType: formMediaType, bytesMax: formBytesMax(form) },
  };
}

interface Received<Params> {
  request: FastifyRequest & { params: Params };
  reply: FastifyReply;
  principal: Principal;
  reauthorize: () => Promise<void>;
}

/** A problem of the header is reported before those of the body and the query. */
async function readCall<Params>(
  operation: OperatorOperation,
  { request, reply, principal, reauthorize }: Received<Params>,
): Promise<Call<Params>> {
  const { method, query = NoFields, ifMatch, streams } = operation;
  if (method !== 'GET' && !ifMatch) refuseConditions(request.headers);
  const call = {
    params: request.params,
    caller: takesIdempotencyKey(operation)
      ? callerOf(request, principal, () => void reply.headers(replayedField))
      : { actor: principal.id, requestId: request.id, traceparent: traceparentOf(request.headers) },
    scopes: principal.scopes,
    disconnected: () => disconnectionOf(reply),
    reauthorize,
    ...(ifMatch && revisionCondition(request.headers)),
    ...(streams && readLastEventId(request)),
    body: await readBody(operation, request),
    query: readQuery(query, request),
  };
  if (call.query.dryRun !== true) return { ...call, dryRun: false };
  // What is only tried is neither the first request with a key nor its repeat.
  return { ...call, caller: { ...call.caller, idempotency: undefined }, dryRun: true };
}

async function readBody({ body, isBodyOptional, form }: OperatorOperation, request: FastifyRequest): Promise<unknown> {
  if (form) return formBody(request, form);
  if (isBodyOptional && request.body === undefined) return {};
  if (body) return jsonBody(request);
  return refuseFields(request.body);
}

function readLastEventId({ headers }: FastifyRequest): { lastEventId?: string } {
  const lastEventId = headers['last-event-id'];
  return typeof lastEventId === 'string' && lastEventId !== '' ? { lastEventId } : {};
}

function hasTag(result: unknown): result is { etag: string } {
  return typeof result === 'object' && result !== null && 'etag' in result && typeof result.etag === 'string';
}

/** A client that only half-closes its connection still gets its response. Which of both it is shows only then. */
function disconnectionOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const { socket } = raw;
  if (socket?.readableEnded || raw.destroyed) abort();
  socket?.once('end', abort);
  raw.once('close', () => {
    socket?.off('end', abort);
    abort();
  });
  return controller.signal;
}

/** The parameters of a query, as values of the types in their schema. The operation validates them. */
function readQuery(schema: Type.TObject, { url, query }: FastifyRequest): Record<string, unknown> {
  if (!isPercentEncoded(url)) {
    throw new HttpProblem(
      'malformed_request',
      'The query is malformed. Check its percent-encoding, which is that of UTF-8: %25 is a percent sign.',
    );
  }
  return Object.fromEntries(
    Object.entries(query ?? {}).map(([name, given]) => [name, typedValue(given, typeOf(schema, name))]),
  );
}

/** The framework keeps what it cannot decode. */
function isPercentEncoded(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** A query has only text; text that is not a value of the type stays text, for the schema to refuse. */
function typedValue(text: unknown, type: unknown): unknown {
  // A parameter that takes several values is repeated for each.
  if (type === 'array') return [text].flat();
  if (type === 'integer' && typeof text === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf({ properties }: Type.TObject, name: string): unknown {
  const schema: { type?: unknown } | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema?.type;
}

export const eventStreamMediaType = 'text/event-stream';
/** When a browser connects again by itself. */
const reconnectMs = 3_000;
const heartbeat = ': still here\n\n';

/**
 * Sends events as they come (HTML, 9.2). The next ones are only read once the client has read these, so that no more of
 * them than one page is ever in memory.
 */
export function sendEventStream(reply: FastifyReply, pages: AsyncIterable<StreamedPage>): FastifyReply {
  return (
    reply
      .header('content-type', eventStreamMediaType)
      // Otherwise nginx would hold events back.
      .header('x-accel-buffering', 'no')
      .send(Readable.from(textOf(pages), { objectMode: false, highWaterMark: 1 }))
  );
}

/** A client that connects again gets the problem that a stream ends with. */
async function* textOf(pages: AsyncIterable<StreamedPage>): AsyncGenerator<string, void, void> {
  let isFirst = true;
  try {
    for await (const { items, nextCursor } of pages) {
      const messages = items.map(({ event, cursor }) => `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`).join('');
      // An id without data only says where to go on.
      yield isFirst ? `retry: ${reconnectMs}\n${messages}id: ${nextCursor}\n\n` : messages || heartbeat;
      isFirst = false;
    }
  } catch (error) {
    if (toProblem(error).unexpected) throw error;
  }
}
