import Type from 'typebox';
import { isHttpAddress, isWebAddress } from './web-address.ts';

/**
 * What every text of the registry keeps to (decision 6): no control characters, lone surrogates,
 * line separators or bidirectional controls. Lengths count code points.
 */
const forbidden = '\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069';
const oneLine = new RegExp(`^[^${forbidden}]*$`, 'u');
const manyLines = new RegExp(`^(?:[^${forbidden}]|\\r\\n|\\n|\\t)*$`, 'u');

// U+FFA0, U+3164 and their like are letters that show nothing: default-ignorable, yet not White_Space.
const invisible = '[\\p{White_Space}\\p{Default_Ignorable_Code_Point}]';
const invisibleEdge = new RegExp(`^${invisible}|${invisible}$`, 'u');

const color = /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/;
const email = /^[^@\s]+@[^@\s]+$/u;

/** A named rule for a string: what JSON Schema's own words cannot say. */
export interface TextFormat {
  validate: (value: string) => boolean;
  /** Completes the sentence "The value …". */
  detail: string;
}

/** The formats that the schemas of the contract use. */
export const textFormats: Record<string, TextFormat> = {
  'single-line': {
    validate: isOneLine,
    detail: `must be one line without control characters, lone surrogates or bidirectional controls`,
  },
  'multi-line': {
    validate: (value) => manyLines.test(value),
    detail:
      'must not hold control characters (LF, CRLF and tab are allowed), lone surrogates or bidirectional controls',
  },
  'app-name': {
    validate: (value) => isOneLine(value) && !invisibleEdge.test(value),
    detail:
      'must be one line of visible text: no control characters, lone surrogates or bidirectional controls, and no space or invisible character at either end',
  },
  color: {
    validate: (value) => color.test(value),
    detail: 'must be a colour written as #rgb or #rrggbb',
  },
  email: {
    validate: (value) => email.test(value) && isOneLine(value),
    detail: 'must be an email address: one @ with text on both sides, and no white space',
  },
  'web-address': {
    validate: isWebAddress,
    detail:
      'must be an absolute address that starts with https:// (http:// only for localhost, 127.0.0.1 or [::1]), in ASCII, without user info, fragment, wildcard host or white space',
  },
  'http-address': {
    validate: isHttpAddress,
    detail:
      'must be an absolute address that starts with https:// (or http://, where WEBHOOK_ALLOW_PRIVATE=1), in ASCII, without user info, fragment, wildcard host or white space',
  },
};

function isOneLine(value: string): boolean {
  return oneLine.test(value);
}

/** A point in time: UTC, milliseconds, `Z` (interface 2.1, decision 13). */
export const DateTime = Type.String({
  format: 'date-time',
  description: 'UTC, with milliseconds and the designator `Z`.',
  examples: ['2026-03-01T09:30:00.000Z'],
});

/** Null removes the value of an optional field (interface 2.8, rule 2). */
export function nullable<T extends Type.TSchema>(schema: T) {
  // One schema with two types, not a union: a union answers one fault with three errors.
  return Type.Unsafe<Type.Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });
}
