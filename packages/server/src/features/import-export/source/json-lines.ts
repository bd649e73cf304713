import type { ValidationError } from '../../../kernel/problem-details.ts';
import { type ImportLine, ImportLines } from './import-lines.ts';
import type { SourceRecord } from './source-record.ts';

/** Reads JSON Lines, one record a line. Blank lines are none. */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord> {
  const lines = new ImportLines();
  for await (const chunk of chunks) {
    for (const line of lines.push(chunk)) if (!isBlank(line)) yield toRecord(line);
    if (lines.hasEnded) return;
  }
  for (const line of lines.end()) if (!isBlank(line)) yield toRecord(line);
}

function isBlank({ text, error }: ImportLine): boolean {
  return !error && /^[ \t\r]*$/.test(text);
}

function toRecord({ number: line, text, error }: ImportLine): SourceRecord {
  const value = error ? undefined : parse(text);
  if (value !== undefined) return { line, value, errors: [], bytes: text.length };
  return { line, value, errors: [error ?? notJson], bytes: text.length, text, isLast: error?.code === 'too_long' };
}

const notJson: ValidationError = {
  pointer: '',
  code: 'invalid_format',
  detail: 'The line must be one JSON object (RFC 8259).',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
