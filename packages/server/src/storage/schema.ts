import type { Reader } from './statement.ts';

/** The objects of a database, such as `trigger apps_revised on apps`, each with its definition. */
export type Schema = ReadonlyMap<string, string>;

/** How far the migration to a schema version is. The table exists only while one is not complete. */
export interface MigrationProgress {
  version: number;
  /** Number of completed steps. */
  steps: number;
  /** The last updated key of a backfill; empty before the first one. */
  position: string;
}

/** The schema of a database, and the schema that the migrations create. */
export interface SchemaReader {
  /** Every object that affects how our rows are read and written. */
  read(reader: Reader): Promise<Schema>;
  /** As the migrations up to this version create it, or before and after what the next step of a migration changes. */
  expected(version: number, progress: MigrationProgress | null): Promise<Schema[]>;
}

/** An object that differs from what the migrations create. */
export interface SchemaDifference {
  object: string;
  code: 'unexpected_object' | 'missing_object' | 'different_object';
  detail: string;
}

/** Longest part of a definition that is quoted. */
const quotedMax = 160;

/** What differs, without indexes that operators may add. Each object must be as one of the expected schemas has it. */
export function compareSchemas(expected: Schema[], actual: Schema): SchemaDifference[] {
  const objects = new Set(expected.flatMap((schema) => [...schema.keys()]));
  const isNeeded = (object: string) => !actual.has(object) && expected.every((schema) => schema.has(object));
  const missing = [...objects].filter(isNeeded).map(missingObject);
  const others = [...actual].flatMap(([object, definition]): SchemaDifference[] => {
    const wanted = expected.flatMap((schema) => schema.get(object) ?? []);
    const [first] = wanted;
    if (first === undefined) return isPlainIndex(definition) ? [] : [unexpectedObject(object, definition)];
    return wanted.includes(definition) ? [] : [differentObject(object, first, definition)];
  });
  return [...others, ...missing];
}

/** On one line, and without control characters: names and texts may come from a hostile file and reach a terminal. */
export function printable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const indexedColumn = String.raw`\w+(?: (?:asc|desc|nulls first|nulls last|\w+_ops))*`;
/**
 * Columns only: no uniqueness, which would refuse rows, and no expression or condition, which would run at each write.
 * PostgreSQL lists an index as invalid while it builds it.
 */
const plainIndex = new RegExp(
  String.raw`^create index \w+ on \w+(?: using \w+)? \( ?${indexedColumn}(?: ?, ${indexedColumn})* ?\)(?: invalid)?$`,
  'i',
);

function isPlainIndex(definition: string): boolean {
  return plainIndex.test(definition);
}

function missingObject(object: string): SchemaDifference {
  return { object, code: 'missing_object', detail: `The ${object} is missing.` };
}

function unexpectedObject(object: string, definition: string): SchemaDifference {
  return {
    object,
    code: 'unexpected_object',
    detail: `The ${object} is not part of app-registry: ${quote(definition)}.`,
  };
}

function differentObject(object: string, wanted: string, actual: string): SchemaDifference {
  const isShort = Math.max(wanted.length, actual.length) <= quotedMax;
  const from = isShort ? 0 : firstDifference(wanted, actual);
  return {
    object,
    code: 'different_object',
    detail: `The ${object} has a different definition: ${quote(actual.slice(from))} instead of ${quote(wanted.slice(from))}.`,
  };
}

/** The start of the first word that differs. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one.lastIndexOf(' ', at - 1) + 1;
}

function quote(text: string): string {
  return text.length > quotedMax ? `"${text.slice(0, quotedMax)}…"` : `"${text}"`;
}
