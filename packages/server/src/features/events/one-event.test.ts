import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { eventsDuring, everything, type RecordedEvent, rowsOf } from '@appregistrar/testkit/registry/recorded';
import type { TSchema } from 'typebox';
import { HttpInterface } from '../../../test/operation-fixtures/fixture-interfaces.ts';
import type { OperationCase } from '../../../test/operation-fixtures/operation-fixture.ts';
import { operationCases } from '../../../test/operation-fixtures/operation-fixtures.ts';
import { check } from '../../kernel/check.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { operatorOperations } from '../operations.ts';
import type { EventType } from './event.ts';
import { eventData } from './event-data.ts';

const goldenFile = fileURLToPath(new URL('../../../golden/events.txt', import.meta.url));
const operations: Record<string, AnyOperation> = operatorOperations;
const withoutEvents = Object.values(operations).filter(({ command }) => command?.recordsEvent === false);
const commandsWithoutEvents = new Set(withoutEvents.map(({ command }) => command?.name));
/** These change several objects. */
const spanning =
  /^(suspendDeveloper|unsuspendDeveloper|deleteApp|revokeApp|deleteWorkspaceInstallations|revokeDeveloperTokens|updateSettings)$/;

onSqlite((engine) => {
  let api: HttpInterface;
  let people: string[];
  const recorded: string[] = [];
  before(async () => {
    api = await HttpInterface.open(engine);
    const developers = await rowsOf(api.registry.storage, 'developers');
    const names = developers.flatMap(({ first_name, last_name }) => [first_name ?? '', last_name ?? '']);
    people = names.filter((name) => name.length > 3);
  });
  after(() => api.close());

  for (const [operationId, cases] of operationCases) {
    test(`${operationId} appends exactly one event for each object that it changes, or changes nothing`, async () => {
      api.names.forget();
      for (const one of cases) {
        if (one.isGiven) {
          await api.prepare(one);
          continue;
        }
        if (!recordsEvents(one)) {
          assert.deepEqual(await eventsDuring(api.registry, () => api.request(one)), []);
          continue;
        }
        const before = await stored();
        await withoutTable('events', () => api.request(one));
        assert.deepEqual(await stored(), before, 'a change whose event cannot be stored is not made');
        const events = await eventsDuring(api.registry, () => api.request(one));
        if (events.length === 0) assert.deepEqual(await stored(), before);
        const subjects = new Set(events.map((event) => event.subject_id));
        assert.equal(subjects.size, events.length);
        assert.ok(events.length <= 1 || spanning.test(operationId));
        for (const event of events) assertMatchesSchema(event);
        // How many apps the setting concerns depends on the fixtures of other operations.
        if (operationId !== 'updateSettings') recorded.push(...events.map((event) => `${operationId} ${shown(event)}`));
      }
    });
  }

  // So that a commit shows each change of what events say. `npm run golden` writes the file again.
  test('events say what they said before', (t) => {
    t.assert.fileSnapshot(`${recorded.join('\n')}\n`, goldenFile, { serializers: [String] });
  });

  test('no event holds an email address, the name of a person, or a token', async () => {
    const events = (await rowsOf(api.registry.storage, 'events')).map(({ actor: _, ...event }) => event);
    // A random nonce may happen to spell a short name.
    const text = JSON.stringify(events).replaceAll(/revisionNonce\\":\\"[\w-]+/g, '');
    assert.ok(people.length > 0 && text.includes('token.created'));
    for (const secret of [...people, 'appreg_', '@']) assert.ok(!text.includes(secret), secret);
  });

  const stored = () => everything(api.registry.storage);

  async function withoutTable(table: string, work: () => Promise<unknown>): Promise<void> {
    const rename = (from: string, to: string) =>
      api.registry.storage.write((transaction) =>
        transaction.run(transaction.builder.schema.alterTable(from).renameTo(to).compile()),
      );
    await rename(table, 'elsewhere');
    await work();
    await rename('elsewhere', table);
  }
});

function recordsEvents({ operationId, request, refused }: OperationCase): boolean {
  const { method, command } = operations[operationId] ?? assert.fail();
  const isChange = method !== 'GET' && !refused && request.query?.dryRun === undefined;
  return isChange && !commandsWithoutEvents.has(command?.name);
}

function assertMatchesSchema({ type, before, after, details, effective }: RecordedEvent): void {
  const data = {
    ...(before && { before }),
    ...(after && { after }),
    ...details,
    ...(effective !== undefined && { effective }),
  };
  // The names of schemas occur twice in it.
  const schema = JSON.stringify(eventData[type as EventType], (name, value) => (name === '$id' ? undefined : value));
  assert.equal(check(JSON.parse(schema) as TSchema, data), null, type);
}

/** Without what is random or depends on other fixtures. */
function shown({ type, before, after, details, effective }: RecordedEvent): string {
  const text = JSON.stringify({ type, before, after, details, effective });
  return text
    .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1')
    .replaceAll(/"(App|Approved) \d+"/g, '"$1"')
    .replaceAll(/"revisionNonce":"[^"]+"/g, '"revisionNonce":"random"')
    .replaceAll(/"20(?!24)\d\d-[\d-]+T[\d:.]+Z"/g, '"now"');
}
