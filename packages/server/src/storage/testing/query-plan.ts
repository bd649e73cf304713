import assert from 'node:assert/strict';
import type { Connection } from '../query.ts';
import type { Statement } from '../statement.ts';
import type { Storage } from '../storage.ts';

type Ask = (connection: Connection) => Promise<unknown>;

/** How the engine answers the one question that some work asks. */
export async function planOf(storage: Storage, ask: Ask): Promise<string> {
  const question = await questionOf(storage, ask);
  const rows = await explain(storage, storage.engine === 'sqlite' ? 'explain query plan' : 'explain', question);
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n');
}

interface Bounds {
  /** The columns of an index between whose values the list is; or how SQLite tells its search in the index. */
  columns: readonly string[] | string;
  /** How many rows may be read, of the index and of the table. */
  rowsMax: number;
}

/** Asserts that some work asks one question, and that the engine reads next to nothing but what it answers. */
export async function assertBounded(storage: Storage, ask: Ask, { columns, rowsMax }: Bounds): Promise<void> {
  if (storage.engine === 'postgres') {
    const plan = await executedPlan(storage, ask);
    assert.ok(rowsRead(plan) <= rowsMax, `${rowsRead(plan)} rows are read: ${JSON.stringify(plan, null, 1)}`);
    return;
  }
  // SQLite tells no numbers, but between which values it searches, and whether it sorts what it finds.
  const plan = await planOf(storage, ask);
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

/** Asserts that some work asks one question, which an index alone answers in its order, as it is read. */
export async function assertOrderedBy(
  storage: Storage,
  ask: Ask,
  { index, rowsMax }: { index: string; rowsMax: number },
): Promise<void> {
  const plan = await planOf(storage, ask);
  assert.match(plan, new RegExp(`using (index )?(${index})\\b`, 'i'), plan);
  assert.doesNotMatch(plan, /seq scan|temp b-tree|\bsort\b/i, plan);
  if (storage.engine === 'postgres') {
    const read = rowsRead(await executedPlan(storage, ask));
    assert.ok(read <= rowsMax, `${read} rows are read: ${plan}`);
  }
}

/** By the key of the table. */
function isLookup(line: string): boolean {
  return /^SEARCH \w+ USING INDEX \w+ \((\w+=\? AND )*id=\?\)$/.test(line);
}

async function questionOf({ reader }: Storage, ask: Ask): Promise<Statement> {
  const asked: Statement[] = [];
  const noting: Connection = {
    builder: reader.builder,
    rows: (statement) => {
      asked.push(statement);
      return reader.rows(statement);
    },
    run: (statement) => reader.run(statement),
    insertNew: (table, rows) => reader.insertNew(table, rows),
  };
  await ask(noting);
  const [statement, ...others] = asked;
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

async function executedPlan(storage: Storage, ask: Ask): Promise<PlanNode> {
  const question = await questionOf(storage, ask);
  const [row] = await explain(storage, 'explain (analyze, timing off, format json)', question);
  assert.ok(row);
  return (row['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan;
}

/** Also those that were read in vain. */
function rowsRead(node: PlanNode): number {
  const inVain = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const reads = node['Relation Name'] ?? node['Index Name'];
  const own = reads ? (node['Actual Rows'] + inVain) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), own);
}
