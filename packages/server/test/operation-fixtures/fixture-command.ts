import { type OperatorOperationId, operatorOperations } from '../../src/features/operations.ts';
import { settingDeclarations } from '../../src/features/settings/settings.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { OperationCase } from './operation-fixture.ts';

/** Options that are not named after their field. */
const optionNames: Record<string, string> = {
  appId: 'app',
  developerId: 'developer',
  developerIds: 'developer',
  fields: 'field',
  hasWarnings: 'warnings',
  ids: 'id',
  isNew: 'new',
  requestId: 'request',
  scopes: 'scope',
  userId: 'user',
  workspaceId: 'workspace',
  'createWebhook types': 'type',
  'updateWebhook types': 'type',
};

/** How commands take the parameters of a path, where they are not its arguments. */
const pathOptions: Partial<Record<OperatorOperationId, (path: string[]) => string[]>> = {
  getAppRevision: ([id = '', revision = '']) => [id, /^\d+$/.test(revision) ? '--revision' : '--at', revision],
};

/** The command line that does the same as a request. */
export function commandOf({ operationId, request }: Pick<OperationCase, 'operationId' | 'request'>): string[] {
  const { id, item, query, body, form, revision } = request;
  const path = [id, item].filter((parameter) => parameter !== undefined);
  return [
    ...commandName(operationId).split(' '),
    ...(form ? [form.image, '--developer', form.developerId] : []),
    ...(pathOptions[operationId]?.(path) ?? path),
    ...optionsOf(operationId, { ...query, ...body }),
    ...(revision === undefined ? [] : [decidesOnRevision(operationId) ? '--revision' : '--if-match', `${revision}`]),
  ];
}

/** Whether the revision of a request is one that it decides on, and not a precondition. */
export function decidesOnRevision(operationId: OperatorOperationId): boolean {
  const { body }: AnyOperation = operatorOperations[operationId];
  return body?.properties?.revision !== undefined;
}

/** Fields whose options are durations with a unit. */
const inSeconds = new Set(['expiresIn', 'overlap']);

function optionsOf(operationId: OperatorOperationId, fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === 'q') return [`${value}`];
    if (name in settingDeclarations) return [name, `${value}`];
    if (name === 'types' && value === null) return ['--all-types'];
    if (isContent(value)) return optionsOf(operationId, value);
    const option = optionNames[`${operationId} ${name}`] ?? optionNames[name] ?? kebabCase(name);
    if (value === true) return [`--${option}`];
    if (value === false || value === null) return [`--no-${option}`];
    if (inSeconds.has(name)) return [`--${option}`, `${value}s`];
    return [`--${option}`, ...[value].flat().map(valueText)];
  });
}

function isContent(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A message about a field is given as `name=…`. */
function valueText(value: unknown): string {
  if (typeof value !== 'object') return `${value}`;
  const { pointer, message } = value as { pointer: string; message: string };
  return `${pointer.slice(1)}=${message}`;
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function commandName(operationId: OperatorOperationId): string {
  const { command }: AnyOperation = operatorOperations[operationId];
  if (!command) throw new Error(`${operationId} has no command`);
  return command.name;
}
