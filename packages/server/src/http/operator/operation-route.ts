import type { FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { TokenHolder } from '../../features/access/authenticate.ts';
import type { EventWaits, StreamedPage } from '../../kernel/event-waits.ts';
import { ofRead, requireValid } from '../../kernel/failure.ts';
import { type AnyOperation, type Call, runOperation } from '../../kernel/operation.ts';
import { type OperatorOperation, takesIdempotencyKey } from '../../kernel/operation-declaration.ts';
import type { Registry, TokenScope } from '../../kernel/registry.ts';
import { revisionCondition, withCurrentTag } from '../body/entity-tag.ts';
import { sendEventStream } from '../body/event-stream.ts';
import { formBody, formBytesMax, formMediaType, requireFormBody } from '../body/form-body.ts';
import { callerOf, replayedField } from '../body/idempotency-key.ts';
import { acceptJsonBody, jsonBody, NoFields, refuseFields, requireJsonBody, sendJson } from '../body/json-body.ts';
import { UploadsAtOnce } from '../limits/concurrent-requests.ts';
import { traceparentOf } from '../listener/request-log.ts';
import { type Route, route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';

/** The routes of these operations, in their order. */
export function operationRoutes(
  registry: Registry,
  operations: readonly AnyOperation[],
  { waits, uploadsAtOnceMax }: { waits: EventWaits; uploadsAtOnceMax: number },
): Route[] {
  const uploads = new UploadsAtOnce(uploadsAtOnceMax);
  return operations.map((operation) => operationRoute(registry, operation, { waits, uploads }));
}

function operationRoute(
  registry: Registry,
  operation: AnyOperation,
  { waits, uploads }: { waits: EventWaits; uploads: UploadsAtOnce },
): Route {
  const { method, path, scope, orScope, notScope, creates, form } = operation;
  return route<string, { scope: TokenScope }>({
    method,
    path,
    access: { scope, ...(orScope && { orScope }), ...(notScope && { notScope }) },
    ...acceptedBody(operation, uploads),
    async handle(request, reply, holder, admitAgain) {
      const call = { request, reply, holder, admitAgain };
      const work = async () => runOperation(operation, registry, { ...(await readCall(operation, call)), waits });
      const result: unknown = await withCurrentTag(() => (form ? uploads.run(request, work) : work())).catch(
        refuseAs(operation),
      );
      if (operation.streams) return sendEventStream(reply, result as AsyncIterable<StreamedPage>);
      if (hasTag(result)) reply.header('etag', result.etag);
      return sendJson(reply.code(creates ? 201 : 200), result);
    },
  });
}

/** A refused read does not say that nothing was changed. */
function refuseAs({ method }: OperatorOperation): (error: unknown) => never {
  return (error) => {
    throw method === 'GET' ? ofRead(error) : error;
  };
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
      uploads.admit(request);
    },
    bytes: { mediaType: formMediaType, bytesMax: formBytesMax(form) },
  };
}

interface Received<Params> {
  request: FastifyRequest & { params: Params };
  reply: FastifyReply;
  holder: TokenHolder;
  admitAgain: () => Promise<void>;
}

/** A problem of the header is reported before those of the body and the query (decision 17). */
async function readCall<Params>(
  operation: OperatorOperation,
  { request, reply, holder, admitAgain }: Received<Params>,
): Promise<Call<Params>> {
  const { query = NoFields, ifMatch, streams } = operation;
  const call = {
    params: request.params,
    caller: takesIdempotencyKey(operation)
      ? callerOf(request, holder, () => void reply.headers(replayedField))
      : { actor: holder.id, requestId: request.id, traceparent: traceparentOf(request.headers) },
    scopes: holder.scopes,
    disconnected: () => disconnectionOf(reply),
    admitAgain,
    ...(ifMatch && readCondition(request, ifMatch)),
    ...(streams && readLastEventId(request)),
    body: await readBody(operation, request),
    query: readQuery(query, request.query),
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

function readCondition({ headers }: FastifyRequest, ifMatch: 'optional' | 'required') {
  const condition = revisionCondition(headers);
  if (ifMatch === 'required' && !condition.ifRevision) {
    throw new HttpProblem(
      'precondition_required',
      'Send the ETag of the reviewed app as If-Match, so that later changes are not decided on.',
    );
  }
  return condition;
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

/**
 * The parameters of a query, as values of the types in their schema. Refuses, with all errors, those that are of
 * another type or out of bounds, unknown, or given twice.
 */
function readQuery(schema: Type.TObject, query: unknown): Record<string, unknown> {
  const values = Object.fromEntries(
    Object.entries(query ?? {}).map(([name, text]) => [name, typedValue(text, typeOf(schema, name))]),
  );
  requireValid(schema, values);
  return values;
}

/** A query has only text; text that is not a value of the type stays text, for the schema to refuse. */
function typedValue(text: unknown, type: unknown): unknown {
  if (type === 'integer' && typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf({ properties }: Type.TObject, name: string): unknown {
  const schema: { type?: unknown } | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema?.type;
}
