import assert from 'node:assert/strict';
import { effectiveIn } from '../../../server/src/features/events/append-event.ts';
import { findNewestEventId } from '../../../server/src/features/events/event-queries.ts';
import { Failure, type FailureCode } from '../../../server/src/kernel/failure.ts';
import type { Registry } from '../../../server/src/kernel/registry.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import { columns, type EventRow, type Tables } from '../../../server/src/storage/tables.ts';

const tableNames = Object.keys(columns) as (keyof Tables)[];

/** All rows of a table, ordered by primary key. */
export async function rowsOf<Table extends keyof Tables>(storage: Storage, table: Table): Promise<Tables[Table][]> {
  const { builder } = storage.reader;
  const query = builder
    .selectFrom(table as 'events')
    .select(columns[table] as never)
    .orderBy(columns[table][0] as 'id');
  const rows = await storage.reader.rows(query.compile());
  // SQLite's rows have no prototype.
  return rows.map((row) => ({ ...row })) as unknown as Tables[Table][];
}

/** All rows of a database, by table. */
export async function everything(storage: Storage): Promise<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  for (const table of tableNames) rows[table] = await rowsOf(storage, table);
  return rows;
}

/** An event with its JSON columns parsed. */
export interface RecordedEvent extends Omit<EventRow, 'before' | 'after' | 'details' | 'effective'> {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  details: Record<string, unknown> | null;
  /** Undefined where the effective content stays the same. */
  effective: object | null | undefined;
}

/** The events that some work appends. Their ids are greater than that of any event before. */
export async function eventsDuring({ storage }: Registry, work: () => Promise<unknown>): Promise<RecordedEvent[]> {
  const { reader } = storage;
  const newest = await findNewestEventId(reader, {});
  await work();
  const query = reader.builder.selectFrom('events').select(columns.events).orderBy('id');
  const added = await reader.rows(query.where('id', '>', newest?.id ?? '').compile());
  return added.map((event) => ({
    ...event,
    before: parsed(event.before),
    after: parsed(event.after),
    details: parsed(event.details),
    effective: effectiveIn(event),
  }));
}

/** A view without the ETags of its revisions, which each database makes itself. */
export function withoutTags<View extends object>(view: View): View {
  return JSON.parse(JSON.stringify(view, (name, value: unknown) => (name === 'etag' ? undefined : value)));
}

/** A resource without what each of its changes replaces. */
export function contentOf<Resource extends object>(resource: Resource): Omit<Resource, 'updatedAt' | 'etag'> {
  const { updatedAt: _, etag: __, ...content } = resource as Resource & { updatedAt?: string; etag?: string };
  return content;
}

/** Asserts that some work is refused and changes nothing. */
export async function assertRefused(
  { storage }: Registry,
  work: () => Promise<unknown>,
  code: FailureCode,
): Promise<Failure> {
  const before = await everything(storage);
  const failure = await work().then(
    () => assert.fail(`expected a refusal with ${code}`),
    (error: unknown) => error,
  );
  if (!(failure instanceof Failure)) throw failure;
  assert.equal(failure.code, code, failure.message);
  assert.deepEqual(await everything(storage), before);
  return failure;
}

/** The pointer and code of each validation error of a refusal. */
export function validationErrorsOf({ errors = [] }: Failure): string[] {
  return errors.map(({ parameter, pointer = parameter, code }) => `${pointer} ${code}`);
}

function parsed(json: string | null): Record<string, unknown> | null {
  return json === null ? null : JSON.parse(json);
}

/** The data of an event without the nonce of its revision, which is random. */
export function withoutNonce(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (name, value) => (name === 'revisionNonce' ? undefined : value));
}
