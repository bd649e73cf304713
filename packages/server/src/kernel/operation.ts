import type Type from 'typebox';
import { checkValue } from './check.ts';
import { runOrTry, type Scope } from './dry-run.ts';
import type { EventWaits, StreamedPage } from './event-waits.ts';
import { requireValid, throwIfInvalid } from './failure.ts';
import type { Form, OperatorOperation, PathParams } from './operation-declaration.ts';
import type { ValidationError } from './problem-details.ts';
import type { Caller, Registry, TokenScope } from './registry.ts';
import type { RevisionCondition } from './revision.ts';

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
  /** Finds errors that the schema of the body cannot express, also where that finds some. */
  bodyErrors?(body: unknown, registry: Registry): ValidationError[];
  response: Response;
  streams?: Streams;
  command?: CommandDeclaration;
  /** The object that a dry run reports the effects on. Required of an operation whose query has `dryRun`. */
  affects?(call: Pick<ValidCall<Path, Query, Body>, 'params' | 'query' | 'body'>): Scope;
  /** Receives valid input, and returns the response or its stream. Refuses by throwing a `Failure`. */
  run(
    call: ValidCall<Path, Query, Body>,
  ): Promise<Type.Static<Response> | ([Streams] extends [never] ? never : AsyncIterable<StreamedPage>)>;
}

/** The command that calls the operation, derived from its path and schemas. */
export interface CommandDeclaration {
  /** Such as `app create`. */
  name: string;
  /** Default: the summary of the operation. */
  description?: string;
  /** What the arguments for the parameters of the path are, by name: `<placeholder> description` if they are not named so. */
  arguments?: Record<string, string>;
  /**
   * What the options for the fields of the query and the body are, by field: `<placeholder> description`. An option is
   * named after its field, unless its text begins with flags of its own: `--developer <id> description`. `revision` is
   * that of an operation with `ifMatch`.
   */
  options?: Record<string, string>;
  /** Fields whose options cannot be given together: one by another. */
  conflicts?: Record<string, string>;
  /** The columns of the table of a list: paths in its items. */
  columns?: readonly string[];
  /** Sentences before the examples. */
  notes?: string;
  /** Set where no event records the change, which then takes no reason. */
  recordsEvent?: false;
  examples: readonly string[];
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
  admitAgain: () => Promise<void>;
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

// biome-ignore lint/suspicious/noExplicitAny: `run` takes the input of one operation only.
export type AnyOperation = Operation<string, string, any, any, any, any>;

/** What a caller sends; the rest of a call has defaults for a caller who may do everything, and waits for no one. */
export type CallInput = { caller: Caller } & Partial<Call<unknown>>;

/**
 * Validates the input of a call, and runs the operation. Refuses with `invalid_content`, or with what the operation
 * refuses. A key for a retry (decision 23) identifies the operation, its parameters and its body.
 */
export async function runOperation<One extends AnyOperation>(
  one: One,
  registry: Registry,
  { params = {}, query = {}, body = {}, caller, ...more }: CallInput,
): Promise<Type.Static<One['response']>> {
  const valid = {
    params,
    query: one.query && requireValid(one.query, query),
    body: validBody(one, body, registry),
  };
  const idempotency = caller.idempotency && {
    ...caller.idempotency,
    content: [one.id, params, valid.body ?? null, more.ifRevision ?? null, more.unlessRevision ?? null],
  };
  const dryRun = query.dryRun === true;
  const call = {
    ...{ scopes: ['admin'], dryRun, caller: { ...caller, idempotency } },
    ...{ disconnected: () => new AbortController().signal, admitAgain: async () => {} },
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
  throwIfInvalid([...(errors ?? []), ...(bodyErrors?.(body, registry) ?? [])]);
  return value;
}

/** The operations of a list, by their ids. */
export function byId<const Listed extends readonly AnyOperation[]>(
  ...operations: Listed
): { [One in Listed[number] as One['id']]: One } {
  return Object.fromEntries(operations.map((one) => [one.id, one])) as { [One in Listed[number] as One['id']]: One };
}
