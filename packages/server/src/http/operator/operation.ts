import type { FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { TokenScope } from '../../contract/access-token.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { Caller, Registry } from '../../registry/registry.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { type Form, formBody, formBytesMax, formMediaType, requireFormBody } from '../body/form-body.ts';
import { callerOf } from '../body/idempotency-key.ts';
import { jsonBody, requireJsonBody } from '../body/json-body.ts';
import { expectedRevisions, revisionTag } from '../body/revision-tag.ts';
import { sendJson } from '../body/send-json.ts';
import type { Route } from '../listener/route.ts';
import type { Documented } from '../openapi/openapi.ts';
import { HttpProblem } from '../problem/problem.ts';
import { describeOperation, isOnce, isRevised } from './describe-operation.ts';
import { Nothing, refuseFields, requireNoBody } from './no-body.ts';
import { readQuery } from './read-query.ts';

/** One operation of the operator API: what it takes, what it answers, and who may ask for it. */
export interface Operation {
  method: Route['method'];
  path: string;
  /** Also the name of the function of the registry, where it has one of its own. */
  id: string;
  /** What it does, in a few words, and in a few sentences. */
  summary: string;
  description?: string;
  scope: TokenScope;
  query?: Type.TObject;
  body?: Type.TSchema;
  /** What is taken in place of a JSON body. */
  form?: Form;
  /** Creating answers 201. */
  creates?: true;
  /** Done once under an Idempotency-Key, as all creating is. */
  once?: true;
  /** Whether an If-Match is heeded, or must be there. */
  ifMatch?: 'optional' | 'required';
  answer: Type.TSchema;
  /** Beside what any operation can be refused with. */
  refusals?: ProblemCode[];
  handle: (call: Call) => Promise<object>;
}

/** What an operation is given of its request. The rules of the registry judge it, but for the query. */
interface Call {
  /** What the path names; only what it does name may be asked for. */
  params: Params;
  query: Record<string, unknown>;
  body: unknown;
  caller: Caller;
  /** The revisions that the caller may have seen; without it any will do. */
  ifRevision: readonly number[] | undefined;
}

interface Params {
  id: string;
  userId: string;
  workspaceId: string;
}

/** An operation as a line of the listener's route table, with its description. */
export function operationRoute(registry: Registry, operation: Operation): Route & Documented {
  const { method, path, scope, creates, answer } = operation;
  return {
    method,
    path,
    access: { scope },
    get operation() {
      return describeOperation(operation);
    },
    ...acceptedBody(operation),
    async handle(request, reply) {
      const result = await operation.handle(await readCall(registry, operation, { request, reply }));
      if (isRevised(answer)) reply.header('etag', revisionTag(registry, (result as { revision: number }).revision));
      return sendJson(reply.code(creates ? 201 : 200), result);
    },
  };
}

function acceptedBody({ method, body, form }: Operation): Pick<Route, 'acceptsBody' | 'bytes'> {
  if (method === 'GET') return {};
  if (form) return { acceptsBody: requireFormBody, bytes: { mediaType: formMediaType, bytesMax: formBytesMax(form) } };
  return { acceptsBody: body ? requireJsonBody : requireNoBody };
}

/** What the header lacks is told before what the body and the query should not hold (decision 17). */
async function readCall(
  registry: Registry,
  operation: Operation,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Call> {
  const { query, ifMatch } = operation;
  return {
    params: request.params as Params,
    caller: isOnce(operation) ? callerOf(request, reply) : holderAsCaller(request),
    ifRevision: ifMatch && readIfMatch(registry, request.headers['if-match'], ifMatch),
    body: await readBody(operation, request),
    query: readQuery(query ?? Nothing, request.query as Record<string, unknown>),
  };
}

async function readBody({ body, form }: Operation, request: FastifyRequest): Promise<unknown> {
  if (form) return formBody(request, form);
  if (body) return jsonBody(request);
  return refuseFields(request.body);
}

/** Without an Idempotency-Key, which is not heeded. */
function holderAsCaller({ id, holder }: FastifyRequest): Caller {
  return { actor: (holder as TokenHolder).id, requestId: id };
}

function readIfMatch(registry: Registry, field: string | undefined, need: 'optional' | 'required') {
  const revisions = expectedRevisions(registry, field);
  if (need === 'required' && !revisions) {
    throw new HttpProblem(
      'precondition_required',
      'Send the ETag of the app as it was reviewed, as If-Match: what has changed since is not decided about.',
    );
  }
  return revisions;
}
