import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommandLineInterface } from 'app-registry-testkit/cli-api-parity/command-line-interface';
import { OperatorApiInterface } from 'app-registry-testkit/cli-api-parity/operator-api-interface';
import { Twin } from 'app-registry-testkit/cli-api-parity/parity';
import { outcomeAt } from 'app-registry-testkit/cli-api-parity/parity-interface';
import { scenario } from 'app-registry-testkit/cli-api-parity/scenario';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { program } from './cli/program.ts';
import type { Documented } from './http/openapi/openapi.ts';
import { problemMediaType } from './http/problem/problem.ts';

/** What a command cannot be refused with: it has no header, no token, no body and no key. */
const ofRequestsAlone = new Set([
  'malformed_request',
  'invalid_json',
  'token_missing',
  'token_invalid',
  'insufficient_scope',
  'https_required',
  'origin_not_allowed',
  'host_not_served',
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

forEachEngine((engine) => {
  let commands: CommandLineInterface;
  let operations: OperatorApiInterface;
  before(async () => {
    commands = new CommandLineInterface(await Twin.open(engine));
    operations = new OperatorApiInterface(await Twin.open(engine));
  });
  after(async () => {
    await operations.close();
    await operations.twin.close();
    await commands.twin.close();
  });

  for (const [index, line] of scenario.entries()) {
    const { operation, refused, command } = line;
    const outcome = refused ? `is refused with ${refused}` : 'is done';
    test(`${index + 1}. ${operation} ${outcome}, and so is "${command.slice(0, 2).join(' ')}"`, async () => {
      const told = await outcomeAt(commands, line);
      assert.deepEqual(await outcomeAt(operations, line), told);
      assert.equal('refusal' in told ? (told.refusal as { code: string }).code : undefined, refused);
    });
  }

  test('every operation is done at both doors, with all that it takes, and refused for every reason', () => {
    const wanted = new Set(operations.operations.flatMap(linesWanted));
    const asked = new Set(
      scenario.flatMap(({ operation, refused, request: { query = {}, body = {}, form = {} } }) => [
        refused ? `${operation} refused with ${refused}` : `${operation} done`,
        ...namesIn({ ...query, ...body, ...form }).map((name) => `${operation} with ${name}`),
      ]),
    );
    assert.deepEqual(
      [...wanted].filter((one) => !asked.has(one)),
      [],
      'add lines to the scenario that do this at both doors; what has no command needs one',
    );
  });
});

test('every command on the objects of a registry is one of the doors, with every option that it has', async () => {
  const groups = (await program()).commands.filter(({ commands }) => commands.length > 0);
  const unused = groups.flatMap((group) =>
    group.commands.flatMap((command) => {
      const name = `${group.name()} ${command.name()}`;
      const typed = scenario.filter((line) => line.command.slice(0, 2).join(' ') === name);
      const options = command.options.filter(({ long }) => !typed.some((line) => line.command.includes(`${long}`)));
      return typed.length === 0 ? [name] : options.map(({ long }) => `${name} ${long}`);
    }),
  );
  assert.deepEqual(unused, [], 'add lines to the scenario that use this; what has no operation needs one');
});

interface Parameter {
  in: string;
  name: string;
  schema: Schema;
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
}

function linesWanted({ operation }: Documented): string[] {
  const { operationId, parameters, requestBody, responses } = operation;
  const query = (parameters as Parameter[]).filter((parameter) => parameter.in === 'query');
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema: Schema }> };
  const bodies = Object.values(content).flatMap(({ schema }) => namesIn(membersOf(schema)));
  const codes = Object.values(responses).flatMap((response) =>
    Object.keys(response.content?.[problemMediaType]?.examples ?? {}),
  );
  // A flag has no value that could be wrong, and neither has a path that only names what is sought.
  const canBeFaulty = requestBody !== undefined || query.some(({ schema }) => schema.type !== 'boolean');
  return [
    `${operationId} done`,
    ...[...query.map(({ name }) => name), ...bodies].map((name) => `${operationId} with ${name}`),
    ...codes
      .filter((code) => !ofRequestsAlone.has(code) && (code !== 'invalid_content' || canBeFaulty))
      .map((code) => `${operationId} refused with ${code}`),
  ];
}

/** An object with the members that a schema knows, and theirs. */
function membersOf({ properties }: Schema): object | null {
  if (!properties) return null;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, membersOf(schema)]));
}

/** The names of all members, such as `name` and `oauthInfo/loginUrl`. */
function namesIn(value: unknown): string[] {
  return Object.entries(value ?? {}).flatMap(([name, inside]) => {
    const inner = typeof inside === 'object' && !Array.isArray(inside) ? namesIn(inside) : [];
    return inner.length > 0 ? inner.map((innerName) => `${name}/${innerName}`) : [name];
  });
}
