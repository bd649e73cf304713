import type { Reader } from './statement.ts';

/** The objects of a database, such as `trigger apps_revised on apps`, each with its definition. */
export type Schema = ReadonlyMap<string, string>;

/** What a database consists of, and what the migrations make of an empty one. */
export interface Catalogue {
  /** Everything that takes part in how our rows are read and written. */
  read(reader: Reader): Promise<Schema>;
  /** As the migrations up to this version create it. */
  expected(version: number): Promise<Schema>;
}

/** An object that differs from what the migrations create. */
export interface SchemaDifference {
  object: string;
  code: 'unexpected_object' | 'missing_object' | 'different_object';
  detail: string;
}

/** Longest part of a definition that is quoted. */
const quotedMax = 160;

/** What differs, without indexes that operators may add. */
export function compareSchemas(expected: Schema, actual: Schema): SchemaDifference[] {
  const missing = [...expected.keys()].filter((object) => !actual.has(object)).map(missingObject);
  const others = [...actual].flatMap(([object, definition]): SchemaDifference[] => {
    const wanted = expected.get(object);
    if (wanted === undefined) return isPlainIndex(definition) ? [] : [unexpectedObject(object, definition)];
    return wanted === definition ? [] : [differentObject(object, wanted, definition)];
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
