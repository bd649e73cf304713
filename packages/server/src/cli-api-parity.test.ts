import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommandLineInterface } from '@appregistrar/testkit/cli-api-parity/command-line-interface';
import { OperatorApiInterface } from '@appregistrar/testkit/cli-api-parity/operator-api-interface';
import { outcomeOf } from '@appregistrar/testkit/cli-api-parity/parity-interface';
import { ParityRegistry } from '@appregistrar/testkit/cli-api-parity/parity-registry';
import { RemoteInterface } from '@appregistrar/testkit/cli-api-parity/remote-interface';
import { scenario } from '@appregistrar/testkit/cli-api-parity/scenario';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import Type from 'typebox';
import { program } from './cli/program.ts';
import { operatorOperations } from './features/operations.ts';
import { type OperatorOperation, refusalsOf } from './kernel/operation.ts';
import type { ProblemCode } from './kernel/problem-details.ts';

/** Refusals that no command can have: it has no header, no token, no body and no idempotency key. */
const httpOnlyRefusals = new Set<ProblemCode>([
  'malformed_request',
  'invalid_json',
  'token_missing',
  'token_invalid',
  'insufficient_scope',
  'https_required',
  'origin_not_allowed',
  'host_not_served',
  'not_implemented',
  'request_timeout',
  'request_in_progress',
  'idempotency_key_reused',
  'token_issued',
  'webhook_created',
  'secret_replaced',
  'precondition_required',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'unavailable',
]);

/** The case of a changing command takes the first by itself; the others are about the output, or hidden copies. */
const commonOptions = ['--reason', '--actor', '--all', '--columns'];

/** Commands on files of the machine that they run on, which no operation can read or create. */
const fileCommands = ['event archive', 'event restore'];
/** Runs until it is ended. `listen.test.ts` tests it. */
const endlessCommand = 'webhook listen';

onSqlite((engine) => {
  let commandLine: CommandLineInterface;
  let operatorApi: OperatorApiInterface;
  let remote: RemoteInterface;
  before(async () => {
    commandLine = new CommandLineInterface(await ParityRegistry.open(engine));
    operatorApi = new OperatorApiInterface(await ParityRegistry.open(engine));
    remote = await RemoteInterface.open(await ParityRegistry.open(engine));
  });
  after(async () => {
    for (const used of [operatorApi, remote]) {
      await used.close();
      await used.target.close();
    }
    await commandLine.target.close();
  });

  for (const [index, parityCase] of scenario.entries()) {
    const { operationId, refused, command } = parityCase;
    const outcome = refused ? `are refused with ${refused}` : 'succeed';
    test(`${index + 1}. ${operationId} and "${command.slice(0, 2).join(' ')}" ${outcome} alike`, async () => {
      const expected = await outcomeOf(commandLine, parityCase);
      assert.deepEqual(await outcomeOf(operatorApi, parityCase), expected);
      assert.deepEqual(await outcomeOf(remote, parityCase), expected, 'through a server');
      assert.equal(expected.refused, refused);
    });
  }
});

test('every operation runs through the API and the command line, with every parameter and every refusal', () => {
  const covered = new Set(
    scenario.flatMap(({ operationId, refused, request: { query = {}, body = {}, form = {} } }) => [
      refused ? `${operationId} refused with ${refused}` : `${operationId} done`,
      ...namesIn({ ...query, ...body, ...form }).map((name) => `${operationId} with ${name}`),
    ]),
  );
  assert.deepEqual(
    Object.entries<OperatorOperation>(operatorOperations)
      // What a stream sends without an end, a command reads page by page.
      .filter(([, { streams }]) => !streams)
      .flatMap(([operationId, operation]) => casesOf(operation).map((one) => `${operationId} ${one}`))
      .filter((one) => !covered.has(one)),
    [],
    'add cases to the scenario that do this by both interfaces; an operation without a command needs one',
  );
});

test('every command on the objects of a registry has a case that covers all of its options', async () => {
  const groups = (await program()).commands.filter(({ commands }) => commands.length > 0);
  const unused = groups.flatMap((group) =>
    group.commands.flatMap((command) => {
      const name = `${group.name()} ${command.name()}`;
      const cases = scenario.filter((one) => one.command.slice(0, 2).join(' ') === name);
      const options = command.options.filter(
        ({ long, hidden }) =>
          !hidden && !commonOptions.includes(`${long}`) && !cases.some((one) => one.command.includes(`${long}`)),
      );
      if (fileCommands.includes(name) || name === endlessCommand) return [];
      return cases.length === 0 ? [name] : options.map(({ long }) => `${name} ${long}`);
    }),
  );
  assert.deepEqual(unused, [], 'add cases to the scenario that use this; a command without an operation needs one');
});

/** What the cases of an operation must cover, by its declaration. */
function casesOf(operation: OperatorOperation): string[] {
  const { query = Type.Object({}), body, form } = operation;
  // A flag cannot be invalid, and neither can a path that only names an object.
  const canBeInvalid = form || [query, body].some((schema) => schema && !hasOnlyFlags(schema));
  const parameters = [query, body, form?.parts].flatMap((schema) => namesIn(schema && fieldsOf(schema)));
  return [
    'done',
    ...parameters.map((name) => `with ${name}`),
    ...refusalsOf(operation)
      .filter((code) => !httpOnlyRefusals.has(code) && (code !== 'invalid_content' || canBeInvalid))
      .map((code) => `refused with ${code}`),
  ];
}

function hasOnlyFlags(schema: Type.TSchema): boolean {
  return Type.IsObject(schema) && Object.values(schema.properties).every((field) => Type.IsBoolean(field));
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
