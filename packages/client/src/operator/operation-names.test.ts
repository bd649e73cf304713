import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperatorOperationId, operatorOperations } from '../../../server/src/features/operations.ts';
import { OperatorClient } from './operator-client.ts';
import { methodName } from './testing/method-name.ts';

// Decision record 0001: an operation has one name in every layer.

const operationIds = Object.keys(operatorOperations) as OperatorOperationId[];

/** Other words for list, get, create, update and delete. */
const otherVerbs = ['show', 'add', 'issue', 'set', 'change', 'remove', 'destroy'];

/** Commands with another name than their operation. */
const otherCommands: Partial<Record<OperatorOperationId, { command: string | undefined; why: string }>> = {
  getAppRevision: { command: 'app get', why: 'its options --revision and --at name the revision' },
  getCaller: { command: 'whoami', why: 'command lines call it so' },
  runImport: { command: 'import', why: 'the command imports files of any size itself' },
  streamEvents: { command: 'event read-feed', why: 'a command reads the feed in pages' },
};

/** Operations whose path does not begin with their group. */
const otherPaths: Partial<Record<OperatorOperationId, string>> = {
  listDeliveries: 'a list is that of one webhook',
};

test('an operation has the verb list, get, create, update or delete, or one of the domain', () => {
  assert.deepEqual(
    operationIds.filter((id) => otherVerbs.includes(/^[a-z]+/.exec(id)?.[0] ?? '')),
    [],
  );
});

test('each operation has a method of its own, and each method but the following of events is an operation', () => {
  const methods = operationIds.map(methodName);
  assert.deepEqual([...methods, 'events.follow', 'request'].toSorted(), clientMethods().toSorted());
});

for (const id of operationIds) {
  const { group, verb, rest } = partsOf(id);
  const { path, method, command } = operatorOperations[id];

  test(`${id} has the same name as its client method, its command and its path`, () => {
    const isOfMany = ['list', 'stream', 'search'].includes(verb) && rest === '';
    assert.equal(id, verb + pascalCase(isOfMany ? group : singular(group)) + rest);

    const name = [kebabCase(singular(group)), kebabCase(verb + rest)].filter(Boolean).join(' ');
    assert.equal(command?.name, otherCommands[id] ? otherCommands[id].command : name);

    const segments = path.replace('/operator/v1/', '').split('/');
    if (!otherPaths[id]) assert.equal(segments[0], kebabCase(group || verb));
    const last = segments.at(-1) ?? '';
    const isStep = method === 'POST' && segments.length > 1 && verb !== 'create';
    if (isStep) assert.equal(last, kebabCase(verb + rest));
  });
}

test('the exceptions are still needed', () => {
  for (const id of Object.keys(otherPaths) as OperatorOperationId[]) {
    assert.ok(!operatorOperations[id].path.startsWith(`/operator/v1/${kebabCase(partsOf(id).group)}`), id);
  }
});

/** The methods of the client and of its groups. */
function clientMethods(): string[] {
  const client = new OperatorClient({ baseUrl: 'https://ops.example.com', token: 'token' });
  const groups = Object.entries(client).map(([group, object]) => methodsOf(object, `${group}.`));
  return [...methodsOf(client, ''), ...groups.flat()];
}

function methodsOf(object: object, prefix: string): string[] {
  const prototypes = [Object.getPrototypeOf(object), Object.getPrototypeOf(Object.getPrototypeOf(object))];
  const names = prototypes
    .filter((each) => each !== Object.prototype)
    .flatMap((each) => Object.getOwnPropertyNames(each ?? {}));
  return names.filter((name) => name !== 'constructor').map((name) => prefix + name);
}

/** The group of the client method, and its verb and what follows: `webhooks`, `rotate` and `Secret`. */
function partsOf(id: OperatorOperationId): { group: string; verb: string; rest: string } {
  const [method = '', group = ''] = methodName(id).split('.').reverse();
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(method) ?? [];
  return { group, verb, rest };
}

function singular(group: string): string {
  if (['settings', 'statistics'].includes(group)) return group;
  return group.replace(/ies$/, 'y').replace(/s$/, '');
}

function pascalCase(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
