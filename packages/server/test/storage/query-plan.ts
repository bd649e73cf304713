import assert from 'node:assert/strict';
import type { Connection, Statement } from '../../src/storage/query.ts';
import type { Storage } from '../../src/storage/storage.ts';

type Work = (connection: Connection) => Promise<unknown>;

/** The engine's plan for the only query that some work runs. */
export async function planOf(storage: Storage, work: Work): Promise<string> {
  const query = await queryOf(storage, work);
  const rows = await explain(storage, storage.engine === 'sqlite' ? 'explain query plan' : 'explain', query);
  const lines = rows.map((row) => String(row.detail ?? row['QUERY PLAN']));
  return withoutSettings(lines).join('\n');
}

/** Without the subquery for the one row of settings. */
function withoutSettings(lines: string[]): string[] {
  return lines.filter(
    (line, at) =>
      !/^(SCAN settings|\s*->\s+Seq Scan on settings .*)$/.test(line) &&
      !/^SCALAR SUBQUERY|^\s*InitPlan/.test(/settings/.test(lines[at + 1] ?? '') ? line : ''),
  );
}

interface Bounds {
  /** The index columns that bound the list, or SQLite's text for its search in the index. */
  columns: readonly string[] | string;
  /** Most rows that may be read from the index and the table. */
  rowsMax: number;
}

/** Asserts that some work runs one query, and that the engine reads little more than the result. */
export async function assertBounded(storage: Storage, work: Work, { columns, rowsMax }: Bounds): Promise<void> {
  if (storage.engine === 'postgres') {
    const plan = await executedPlan(storage, work);
    assert.ok(rowsRead(plan) <= rowsMax, `${rowsRead(plan)} rows are read: ${JSON.stringify(plan, null, 1)}`);
    return;
  }
  // SQLite reports no row counts, but the bounds of each search, and whether it sorts the result.
  const plan = await planOf(storage, work);
  const between = typeof columns === 'string' ? columns : searchBetween(columns);
  const lines = plan.split('\n');
  const searches = lines.filter((line) => /^(SEARCH|SCAN) (?!one_range|all_ranges)/.test(line));
  assert.ok(searches.length > 0);
  for (const line of searches) assert.ok(line.endsWith(between) || isLookup(line), `not ${between}: ${plan}`);
  const sorted = lines.find((line, at) => line.endsWith(between) && lines[at + 1]?.startsWith('USE TEMP B-TREE'));
  assert.equal(sorted, undefined, plan);
}

function searchBetween(columns: readonly string[]): string {
  const one = columns.length === 1;
  const [all, values] = one ? [columns[0], '?'] : [`(${columns})`, `(${columns.map(() => '?')})`];
  return `(${all}>${values} AND ${all}<${values})`;
}

/** Asserts that some work runs one query, which one index serves in its order without a sort. */
export async function assertOrderedBy(
  storage: Storage,
  work: Work,
  { index, rowsMax }: { index: string; rowsMax: number },
): Promise<void> {
  const plan = await planOf(storage, work);
  assert.match(plan, new RegExp(`using ((covering )?index )?(${index})\\b`, 'i'), plan);
  assert.doesNotMatch(plan, /seq scan|temp b-tree|\bsort\b/i, plan);
  if (storage.engine === 'postgres') {
    const read = rowsRead(await executedPlan(storage, work));
    assert.ok(read <= rowsMax, `${read} rows are read: ${plan}`);
  }
}

/** A search by the primary key. */
function isLookup(line: string): boolean {
  return /^SEARCH \w+ USING (COVERING )?INDEX \w+ \((\w+=\? AND )*(event_)?id=\?\)$/.test(line);
}

async function queryOf({ reader }: Storage, work: Work): Promise<Statement> {
  const statements: Statement[] = [];
  const recording: Connection = {
    builder: reader.builder,
    rows: (statement) => {
      statements.push(statement);
      return reader.rows(statement);
    },
    run: (statement) => reader.run(statement),
    insertAll: (table, rows) => reader.insertAll(table, rows),
    insertNew: (table, rows) => reader.insertNew(table, rows),
  };
  await work(recording);
  const [statement, ...others] = statements;
  assert.ok(statement);
  assert.deepEqual(others, []);
  return statement;
}

async function explain({ reader }: Storage, how: string, statement: Statement): Promise<Record<string, unknown>[]> {
  const { name: _, ...unnamed } = statement;
  return reader.rows({ ...unnamed, sql: `${how} ${statement.sql}` } as Statement<Record<string, unknown>>);
}

interface PlanNode {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

async function executedPlan(storage: Storage, work: Work): Promise<PlanNode> {
  const query = await queryOf(storage, work);
  const [row] = await explain(storage, 'explain (analyze, timing off, format json)', query);
  assert.ok(row);
  return (row['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan;
}

/** Includes rows that were read and discarded. */
function rowsRead(node: PlanNode): number {
  const discarded = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const reads = node['Relation Name'] === 'settings' ? undefined : (node['Relation Name'] ?? node['Index Name']);
  const own = reads ? (node['Actual Rows'] + discarded) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), own);
}
