import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import Type from 'typebox';
import { listCommands, nameOf } from '../test/cli/list-commands.ts';
import { commandOf } from '../test/operation-fixtures/fixture-command.ts';
import { HttpInterface, LocalInterface, RemoteInterface } from '../test/operation-fixtures/fixture-interfaces.ts';
import { operationCases } from '../test/operation-fixtures/operation-fixtures.ts';
import { operatorOperations } from './features/operations.ts';
import { type AnyOperation, type OperatorOperation, refusalsOf } from './kernel/operation.ts';
import type { ProblemCode } from './kernel/problem-details.ts';

/** Refusals that no command can have, by the folder of their tests: it has no header, token, body or idempotency key. */
const httpOnlyRefusals: Record<string, ProblemCode[]> = {
  'http/listener/': [
    'malformed_request',
    'https_required',
    'host_not_served',
    'not_implemented',
    'request_timeout',
    'expectation_failed',
    'headers_too_large',
    'internal_error',
    'unavailable',
  ],
  // `resources.test.ts` tests it of every operation.
  'src/': ['precondition_failed'],
  'http/limits/': ['too_many_requests'],
  'http/operator/': ['invalid_json', 'body_too_large', 'unsupported_media_type'],
  'http/auth/': ['token_missing', 'token_invalid', 'insufficient_scope', 'origin_not_allowed'],
  'kernel/': ['request_in_progress', 'idempotency_key_reused', 'token_created'],
  'features/webhooks/': ['webhook_created', 'secret_replaced'],
};

/**
 * Their commands have code of their own: one reads page by page what the operation sends without an end, the other imports
 * files of any size. `event-feed.test.ts` and `imports.http.test.ts` test them.
 */
const ownCommands = ['streamEvents', 'runImport'];

/** Commands without an operation, such as `serve` and `backup`: on files, on a whole registry, or without an end. */
const otherCommands = /^(event archive|event restore|webhook listen|[a-z-]+)$/;
/** Every change on the database has the first two; `operation-commands.test.ts` and `list-output.test.ts` test the others. */
const commonOptions = ['--reason', '--actor', '--if-match', '--all', '--columns'];

onSqlite((engine) => {
  let interfaces: HttpInterface[];
  before(async () => {
    interfaces = [
      await LocalInterface.open(engine),
      await HttpInterface.open(engine),
      await RemoteInterface.open(engine),
    ];
  });
  after(async () => {
    for (const used of interfaces) await used.close();
  });

  for (const [operationId, cases] of operationCases) {
    test(`${operationId} gives the same by a command, by HTTP and by a command with --url`, async () => {
      for (const { names } of interfaces) names.forget();
      for (const one of cases) {
        if (one.isGiven) {
          await Promise.all(interfaces.map((used) => used.prepare(one)));
          continue;
        }
        const [local, ...others] = await Promise.all(interfaces.map((used) => used.outcomeOf(one)));
        assert.equal(local?.refused, one.refused, JSON.stringify([one, local?.result]));
        for (const other of others) assert.deepEqual(other, local, JSON.stringify(one));
      }
    });
  }
});

test('every operation has requests with every parameter and every refusal that a command can have', () => {
  const covered = new Set(
    operationCases.flatMap(([, cases]) =>
      cases.flatMap(({ operationId, refused, request: { query, body, form, revision } }) => [
        refused ? `${operationId} refused with ${refused}` : `${operationId} done`,
        ...namesIn({ ...query, ...body, ...form, ...(revision !== undefined && { revision }) }).map(
          (name) => `${operationId} with ${name}`,
        ),
      ]),
    ),
  );
  assert.deepEqual(
    Object.entries<OperatorOperation>(operatorOperations)
      .filter(([operationId]) => !ownCommands.includes(operationId))
      .flatMap(([operationId, operation]) => requirementsOf(operation).map((one) => `${operationId} ${one}`))
      .filter((one) => !covered.has(one)),
    [],
    'add requests to packages/server/test/operation-fixtures/',
  );
});

test('every refusal of a request is one that its operation declares', () => {
  const undeclared = operationCases.flatMap(([, cases]) =>
    cases.flatMap(({ operationId, refused }) =>
      refused && !refusalsOf(operatorOperations[operationId]).includes(refused) ? [`${operationId} ${refused}`] : [],
    ),
  );
  assert.deepEqual(undeclared, []);
});

test('every command of an operation has a request for each of its options', async () => {
  const lines = operationCases.flatMap(([, cases]) => cases.map(commandOf));
  const unused = (await listCommands()).flatMap((command) => {
    const name = nameOf(command);
    const used = lines.filter((line) => `${line.join(' ')} `.startsWith(`${name} `));
    if (used.length === 0) return otherCommands.test(name) ? [] : [name];
    return command.options
      .filter(({ long, hidden }) => !hidden && !commonOptions.includes(`${long}`))
      .filter(({ long }) => !used.some((line) => line.includes(`${long}`)))
      .map(({ long }) => `${name} ${long}`);
  });
  assert.deepEqual(unused, [], 'add requests to packages/server/test/operation-fixtures/');
});

/** What the requests of an operation must cover, by its declaration. */
function requirementsOf(operation: OperatorOperation): string[] {
  const { query = Type.Object({}), body, form } = operation;
  // A flag cannot be invalid, and neither can a path that only names an object. Commands check durations themselves.
  const isDuration = (name: string) => (operation as AnyOperation).command?.converts?.[name] === 'duration';
  const canBeInvalid = form || [query, body].some((schema) => schema && !hasOnlyFlags(schema, isDuration));
  const parameters = [query, body, form?.parts].flatMap((schema) => namesIn(schema && fieldsOf(schema)));
  const others = new Set(Object.values(httpOnlyRefusals).flat());
  return [
    'done',
    ...parameters.map((name) => `with ${name}`),
    ...refusalsOf(operation)
      .filter((code) => !others.has(code) && (code !== 'invalid_content' || canBeInvalid))
      .map((code) => `refused with ${code}`),
  ];
}

function hasOnlyFlags(schema: Type.TSchema, isDuration: (name: string) => boolean): boolean {
  if (!Type.IsObject(schema)) return false;
  return Object.entries(schema.properties).every(([name, field]) => Type.IsBoolean(field) || isDuration(name));
}

/** An object with the fields that a schema declares, and theirs. */
function fieldsOf(schema: Type.TSchema): object | null {
  if (!Type.IsObject(schema)) return null;
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, fieldsOf(field)]));
}

/** The names of all fields, such as `name` and `oauthInfo/loginUrl`. */
function namesIn(value: unknown): string[] {
  return Object.entries(value ?? {}).flatMap(([name, field]) => {
    const inner = typeof field === 'object' && !Array.isArray(field) ? namesIn(field) : [];
    return inner.length > 0 ? inner.map((innerName) => `${name}/${innerName}`) : [name];
  });
}
