import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCommands, nameOf as nameOfCommand } from '../test/cli/list-commands.ts';
import { operatorOperations, publicOperations } from './features/operations.ts';
import { settingDeclarations } from './features/settings/settings.ts';
import type { OpenApiDocument } from './http/openapi/openapi.ts';
import { readReference } from './http/openapi/reference-page.ts';
import { operatorDocument, scopesText } from './http/operator/operator-document.ts';
import { publicDocument } from './http/public/public-document.ts';
import type { AnyOperation, Declaration, OperatorOperation } from './kernel/operation.ts';

// The compiler demands a handler for each; the tests of the client demand its methods.

const baseUrl = 'https://apps.example.com';

test('every operation of the operator API has an OpenAPI entry, a row in the permission matrix and a command', async () => {
  const document = operatorDocument({ baseUrl, operatorBaseUrl: baseUrl });
  const reference = readReference('operator-api.md');
  const commands = (await listCommands()).map(nameOfCommand);
  const missing = Object.entries<OperatorOperation>(operatorOperations).flatMap(([operationId, operation]) => {
    const row = `| \`${nameOf(operation).replace('/operator/v1', '')}\` | ${scopesText(operation)} |`;
    return [
      isDescribed(document, operationId, operation) ? [] : `${operationId} has no OpenAPI entry`,
      reference.includes(row) ? [] : `${operationId} has no row "${row}" in docs/operator-api.md`,
    ].flat();
  });
  const withoutCommand = Object.values<AnyOperation>(operatorOperations)
    .filter(({ command }) => !command || !commands.includes(command.name))
    .map(({ id, command }) => `${id} names the command "${command?.name}", which does not exist`);
  assert.deepEqual([...missing, ...withoutCommand], []);
});

test('every setting has a row in docs/operator-api.md', () => {
  const reference = readReference('operator-api.md');
  const rows = Object.entries(settingDeclarations).map(
    ([name, { default: value, help }]) => `| \`${name}\` | \`${value}\` | ${help} |`,
  );
  assert.deepEqual(
    rows.filter((row) => !reference.includes(row)),
    [],
  );
});

test('every operation of the public interface has an OpenAPI entry', () => {
  const document = publicDocument({ baseUrl, devBaseUrl: baseUrl });
  const missing = Object.entries<Declaration>(publicOperations).filter(
    ([operationId, operation]) => !isDescribed(document, operationId, operation),
  );
  assert.deepEqual(missing, []);
});

/** Whether the document has the operation, under its method and path. */
function isDescribed({ paths }: OpenApiDocument, operationId: string, operation: Declaration): boolean {
  const [method = '', path = ''] = nameOf(operation).split(' ');
  const entry = paths[path]?.[method.toLowerCase()];
  return typeof entry === 'object' && entry !== null && 'operationId' in entry && entry.operationId === operationId;
}

/** The method and the path as documents write it, such as `GET /operator/v1/apps/{id}`. */
function nameOf({ method, path }: Declaration): string {
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
}
