import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type OperatorOperationId,
  operatorOperations,
  publicOperations,
} from '../../../server/src/features/operations.ts';
import { OperatorClient } from './operator-client.ts';
import { methodName } from './testing/method-name.ts';

// Decision record 0001: an operation has one name in every layer.

const operationIds = Object.keys(operatorOperations) as OperatorOperationId[];

/** Other words for list, get, create, update and delete. */
const otherVerbs = ['show', 'read', 'add', 'set', 'change', 'remove', 'destroy'];

const exceptions: Partial<Record<OperatorOperationId, { command: string; why: string } | { why: string }>> = {
  readEventFeed: { why: 'it moves on from a cursor; nothing has the name of what it returns' },
  streamEvents: { command: 'event read-feed', why: 'a command reads the feed in pages' },
  getOverview: { command: 'overview', why: 'the only command about it' },
  getStatistics: { command: 'statistics', why: 'the only command about them' },
  getCaller: { command: 'whoami', why: 'command lines call it so' },
};

test('an operation has the verb list, get, create, update or delete, or one of the domain', () => {
  const wrong = operationIds.filter((id) => !exceptions[id] && otherVerbs.includes(wordsIn(id)[0] ?? ''));
  assert.deepEqual(wrong, []);
});

test('each operation has a method of its own, and each method but the following of events is an operation', () => {
  const methods = operationIds.map(methodName);
  assert.deepEqual([...methods, 'events.follow', 'request'].toSorted(), clientMethods().toSorted());
});

test('the operationId has the words of the client method, and names its objects', () => {
  const wrong = operationIds.filter((id) => !namesOf(id).includes(sorted(wordsIn(idWithoutSuffix(id)))));
  assert.deepEqual(
    wrong.map((id) => `${id}: ${methodName(id)}`),
    [],
  );
});

test('a list is named after its objects in the plural, and the verb comes first', () => {
  for (const id of operationIds) {
    const { group, method } = methodOf(id);
    if (method === 'list') assert.equal(id.toLowerCase(), `list${group}`.toLowerCase());
    assert.equal(wordsIn(id)[0], wordsIn(method)[0], id);
  }
});

test('the command has the words of the client method, or is that of the same verb with an option', () => {
  const wrong = operationIds.filter((id) => !commandsFor(id).includes(operatorOperations[id].command?.name ?? ''));
  assert.deepEqual(
    wrong.map((id) => `${id}: ${methodName(id)}, ${operatorOperations[id].command?.name}`),
    [],
  );
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

function methodOf(id: OperatorOperationId): { group: string; method: string } {
  const [method = '', group = ''] = methodName(id).split('.').reverse();
  return { group, method };
}

/** The operation of an operator on an app is named so if developers or platforms have one of the name. */
function idWithoutSuffix(id: OperatorOperationId): string {
  const name = id.replace(/AsOperator$/, '');
  return name in publicOperations ? name : id;
}

/** The words that the operationId of a method may have. */
function namesOf(id: OperatorOperationId): string[] {
  const { group, method } = methodOf(id);
  return ['', group, singular(group)].map((noun) => sorted([...wordsIn(method), ...wordsIn(noun)]));
}

function commandsFor(id: OperatorOperationId): string[] {
  const { group, method } = methodOf(id);
  const exception = exceptions[id];
  if (exception && 'command' in exception) return [exception.command];
  const words = wordsIn(method);
  const commands = [words, words.slice(0, 1)].map((some) => [wordsIn(singular(group)).join('-'), some.join('-')]);
  return commands.map((command) => command.join(' ').trim());
}

function singular(group: string): string {
  if (group === 'settings') return group;
  return group.replace(/ies$/, 'y').replace(/s$/, '');
}

function wordsIn(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

function sorted(words: string[]): string {
  return words.toSorted().join(' ');
}
