import Type from 'typebox';
import { checkValue, requireValidQuery, throwIfInvalid } from './check.ts';
import { runOrTry, type Scope } from './dry-run.ts';
import type { EventWaits, StreamedPage } from './event-waits.ts';
import { asReadRefusal } from './failure.ts';
import type { ProblemCode, ValidationError } from './problem-details.ts';
import type { Caller, Registry, TokenKind, TokenScope } from './registry.ts';
import type { RevisionCondition } from './revision.ts';

/** What the declarations of all operations have, regardless of the interface that they are for. */
export interface Declaration {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** What it does, in a few words, and in a few sentences. */
  summary: string;
  description?: string;
  query?: Type.TObject;
  body?: Type.TSchema;
  /** Whether the body may be left out, which means an empty object. */
  isBodyOptional?: true;
  /** Accepted instead of a JSON body. */
  form?: Form;
  /** Whether it creates an object, which a GET of the path with its id returns: the response has status 201. */
  creates?: true;
  /** Whether it changes a resource that has an `etag`: it honours If-Match. */
  ifMatch?: true;
  /** Whether the response has a secret, which is shown only once. */
  returnsSecret?: true;
  response: Type.TSchema;
  /** Whether the response is a stream of server-sent events, each with such a value as its data. */
  streams?: true;
  refusals?: readonly ProblemCode[];
}

/** An operation of the operator API. Its `refusals` are those beside the ones that every such operation has. */
export interface OperatorOperation extends Declaration {
  scope: TokenScope;
  /** Another scope that suffices. */
  orScope?: TokenScope;
  /** A scope with which it is refused, regardless of the others. */
  notScope?: TokenScope;
}

/**
 * An operation of the public interface as one value, for tokens of one kind. Its `refusals` are all that it has. Its route
 * is served on `node:http` alone, and reads the request for `run` itself.
 */
export interface PublicOperation extends Declaration {
  surface: 'public';
  /** The operationId. */
  id: string;
  kind: Exclude<TokenKind, 'operator'>;
  description: string;
  refusals: readonly ProblemCode[];
  /** The rule itself. Refuses by throwing a `Failure`. */
  run(registry: Registry, ...input: never[]): Promise<unknown>;
}

/** The parameters in a path, such as `id` in `/apps/:id`; unknown when the path is. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

/** A body of some texts and one file (RFC 7578). */
export interface Form {
  /** The schemas of its parts, by their names. */
  parts: Type.TObject;
  /** The part that is the file, regardless of its headers. */
  file: { name: string; bytesMax: number; mediaTypes: readonly string[] };
  /** The longest text of another part. Absent: 1 KiB. */
  textBytesMax?: number;
}

/**
 * An operation of the operator API as one value: its route, OpenAPI entry, permission, command and client method derive
 * from its declaration, and `run` is the rule itself.
 */
export interface Operation<
  Id extends string = string,
  Path extends string = string,
  Query extends Type.TObject = Type.TObject,
  Body extends Type.TSchema = Type.TSchema,
  Response extends Type.TSchema = Type.TSchema,
  Streams extends true = true,
> extends OperatorOperation {
  /** The operationId. */
  id: Id;
  path: Path;
  query?: Query;
  body?: Body;
  form?: Omit<Form, 'parts'> & { parts: Body extends Type.TObject ? Body : never };
  /** Finds errors of an object that the schema of the body cannot express, also where that finds some. */
  bodyErrors?(body: unknown, registry: Registry): ValidationError[];
  response: Response;
  streams?: Streams;
  command?: CommandDeclaration<Response>;
  /** The object that a dry run reports the effects on. Required of an operation whose query has `dryRun`. */
  affects?(call: Pick<ValidCall<Path, Query, Body>, 'params' | 'query' | 'body'>): Scope;
  /** Receives valid input, and returns the response or its stream. Refuses by throwing a `Failure`. */
  run(
    call: ValidCall<Path, Query, Body>,
  ): Promise<Type.Static<Response> | ([Streams] extends [never] ? never : AsyncIterable<StreamedPage>)>;
}

/** The command that calls the operation, derived from its path and schemas. */
export interface CommandDeclaration<Response extends Type.TSchema = Type.TSchema> {
  /** Such as `app create`. */
  name: string;
  /** Default: the summary of the operation. */
  description?: string;
  /**
   * What its arguments are, by name: `<placeholder> description` if they are not named so. Each parameter of the path is
   * one that has no option, and so is any field named here.
   */
  arguments?: Record<string, string>;
  /**
   * What the options for the fields of the query and the body are, in the order of the help, by their paths:
   * `<placeholder> description`. An option is named after its field, unless its text begins with flags of its own:
   * `--developer <id> description`.
   */
  options?: Record<string, string>;
  /** The options for false and for null, by field: `--no-…`, unless the text begins with flags of its own. */
  negations?: Record<string, string>;
  /** Fields whose options cannot be given together: one by another. */
  conflicts?: Record<string, string>;
  /** Options whose values are not sent as they are given, or are checked before. */
  converts?: Record<string, 'duration' | 'time' | 'revision'>;
  /** A required field that `--reason` gives too, unless the option of the field does. */
  reasonGives?: string;
  /** Begins the question that a person confirms who does not name the revision, such as `Approve`. */
  confirms?: string;
  /** The columns of the table of a list: paths in its items. */
  columns?: readonly string[];
  /** Rephrases the response for people. */
  readable?(response: Type.Static<Response>): object;
  /** Sentences before the examples. */
  notes?: string;
  /** Set where no event records the change, which then takes no reason. */
  recordsEvent?: false;
  /** Absent where the command is that of another operation, which does this one too. */
  examples?: readonly string[];
}

/** The input of an operation, regardless of the interface that calls it. */
export interface Call<Params> extends RevisionCondition {
  params: Params;
  query: Record<string, unknown>;
  body: unknown;
  caller: Caller;
  /** What the caller may do. */
  scopes: readonly TokenScope[];
  /** Whether this is a dry run. */
  dryRun: boolean;
  /** The means to wait for events, of the operations that do. */
  waits?: EventWaits;
  /** Where an earlier stream was lost. */
  lastEventId?: string;
  /** A signal that the client has disconnected, or at least sends no more. */
  disconnected: () => AbortSignal;
  /** Repeats the check of the token, for a response that comes long after the request. */
  reauthorize: () => Promise<void>;
}

/** A call whose input is valid. */
type ValidCall<Path extends string, Query extends Type.TObject, Body extends Type.TSchema> = Omit<
  Call<PathParams<Path>>,
  'query' | 'body'
> & { registry: Registry; query: Type.Static<Query>; body: Type.Static<Body> };

/** Declares an operation; types what its `run` receives and returns. */
export function operation<
  const Id extends string,
  const Path extends string,
  Response extends Type.TSchema,
  Query extends Type.TObject = Type.TObject<Record<never, never>>,
  Body extends Type.TSchema = Type.TUndefined,
  Streams extends true = never,
>(declared: Operation<Id, Path, Query, Body, Response, Streams>): Operation<Id, Path, Query, Body, Response, Streams> {
  return declared;
}

/** Declares an operation of the public interface. */
export function publicOperation<const Declared extends PublicOperation>(declared: Declared): Declared {
  return declared;
}

// biome-ignore lint/suspicious/noExplicitAny: `run` takes the input of one operation only.
export type AnyOperation = Operation<string, string, any, any, any, any>;

/** The query of an operation that takes none. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** What a caller sends; the rest of a call has defaults for a caller who may do everything, and waits for no one. */
export type CallInput = { caller: Caller } & Partial<Call<unknown>>;

/**
 * Validates the input of a call, and runs the operation. Refuses with `invalid_content`, or with what the operation
 * refuses. A key for a retry identifies the operation, its parameters and its body.
 */
export async function runOperation<One extends AnyOperation>(
  one: One,
  registry: Registry,
  input: CallInput,
): Promise<Type.Static<One['response']>> {
  if (one.method !== 'GET') return runValid(one, registry, input);
  return runValid(one, registry, input).catch((error) => {
    throw asReadRefusal(error);
  });
}

async function runValid<One extends AnyOperation>(
  one: One,
  registry: Registry,
  { params = {}, query = {}, body = {}, caller, ...more }: CallInput,
): Promise<Type.Static<One['response']>> {
  const valid = {
    params,
    query: requireValidQuery(one.query ?? NoFields, query),
    body: validBody(one, body, registry),
  };
  const idempotency = caller.idempotency && {
    ...caller.idempotency,
    content: [one.id, params, valid.body ?? null, more.ifRevision ?? null, more.unlessRevision ?? null],
  };
  const dryRun = query.dryRun === true;
  const call = {
    ...{ scopes: ['admin'], dryRun, caller: { ...caller, idempotency } },
    ...{ disconnected: () => new AbortController().signal, reauthorize: async () => {} },
    ...more,
    ...valid,
  };
  const run = (on: Registry) => one.run({ ...call, registry: on } as never) as Promise<Type.Static<One['response']>>;
  return one.affects ? runOrTry(registry, { dryRun, scope: one.affects(valid as never) }, run as never) : run(registry);
}

function validBody({ body: ofJson, form, bodyErrors }: AnyOperation, body: unknown, registry: Registry): unknown {
  const schema = ofJson ?? form?.parts;
  if (!schema) return undefined;
  const { value, errors } = checkValue(schema, body);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  throwIfInvalid([...(errors ?? []), ...((isObject && bodyErrors?.(body, registry)) || [])]);
  return value;
}

/** The operations of a list, by their ids. */
export function byId<const Listed extends readonly AnyOperation[]>(
  ...operations: Listed
): { [One in Listed[number] as One['id']]: One } {
  return Object.fromEntries(operations.map((one) => [one.id, one])) as { [One in Listed[number] as One['id']]: One };
}

/** Whether it honours an Idempotency-Key: a repeat under the same one changes nothing more. A DELETE needs none. */
export function takesIdempotencyKey({ method }: Declaration): boolean {
  return method === 'POST' || method === 'PATCH';
}

/** What any operation of the operator API can be refused with. */
const commonRefusals: ProblemCode[] = [
  'malformed_request',
  'token_missing',
  'token_invalid',
  'insufficient_scope',
  'https_required',
  'origin_not_allowed',
  'request_timeout',
  'expectation_failed',
  'host_not_served',
  'invalid_content',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  'too_many_requests',
  'unavailable',
];
const bodyRefusals: ProblemCode[] = ['body_too_large', 'unsupported_media_type'];
const idempotencyRefusals: ProblemCode[] = ['request_in_progress', 'idempotency_key_reused'];

/** Everything that an operation of the operator API can be refused with. */
export function refusalsOf(operation: OperatorOperation): ProblemCode[] {
  const { method, form, ifMatch, refusals = [] } = operation;
  // A client can send a body to any operation that changes something, also to one that takes none.
  const refusesBodies = method !== 'GET';
  return [
    ...commonRefusals,
    ...(refusesBodies ? bodyRefusals : []),
    ...(refusesBodies && !form ? (['invalid_json'] as const) : []),
    ...(takesIdempotencyKey(operation) ? idempotencyRefusals : []),
    ...(ifMatch ? (['precondition_failed'] as const) : []),
    ...refusals,
  ];
}
