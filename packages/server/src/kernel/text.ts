import Type from 'typebox';

// RFC 3986, absolute-URI (which has no fragment), without user info and without `*` in the host.
// The character classes exclude the backslash, the space and every character outside ASCII.
const pctEncoded = '%[0-9A-Fa-f]{2}';
const unreservedAndSubDelims = "A-Za-z0-9\\-._~!$&'()*+,;=";
const host = `(?:\\[[0-9A-Fa-f:.]+\\]|(?:[A-Za-z0-9\\-._~!$&'()+,;=]|${pctEncoded})+)`;
const loopbackHost = '(?:localhost|127\\.0\\.0\\.1|\\[::1\\])';
const path = `(?:/(?:[${unreservedAndSubDelims}:@]|${pctEncoded})*)*`;
const query = `(?:\\?(?:[${unreservedAndSubDelims}:@/?]|${pctEncoded})*)?`;
const afterHost = `(?::[0-9]*)?${path}${query}`;

/** What `isAppUrl` requires, but for what the parser must find. */
const appUrlPattern = `^(?:https://${host}|http://${loopbackHost})${afterHost}$`;
/** What `isHttpUrl` requires, but for what the parser must find. */
const httpUrlPattern = `^https?://${host}${afterHost}$`;

const appUrl = new RegExp(appUrlPattern);
const httpUrl = new RegExp(httpUrlPattern);
const writtenHost = /^https?:\/\/(\[.*?\]|[^/:?]*)/;

/**
 * Whether an app may send its users to this URL: https, or http on the loopback interface (after
 * OAuth 2.1). The WHATWG parser must find the same host, or a browser would open another host than the one that a
 * reviewer read.
 */
export function isAppUrl(value: string): boolean {
  return appUrl.test(value) && isReadAsWritten(value);
}

/** The same, with http for any host. */
function isHttpUrl(value: string): boolean {
  return httpUrl.test(value) && isReadAsWritten(value);
}

function isReadAsWritten(value: string): boolean {
  const [, written = ''] = writtenHost.exec(value) ?? [];
  return URL.canParse(value) && new URL(value).hostname === written.toLowerCase();
}

/**
 * The rules for every text of the registry: no control characters, lone surrogates,
 * line separators or bidirectional controls. Lengths count code points.
 */
const forbidden = '\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069';
const forbiddenCharacter = new RegExp(`[${forbidden}]`, 'gu');
const oneLine = new RegExp(`^[^${forbidden}]*$`, 'u');
const manyLines = new RegExp(`^(?:[^${forbidden}]|\\r\\n|\\n|\\t)*$`, 'u');

// Letters such as U+FFA0 and U+3164 are invisible: default-ignorable, yet not White_Space.
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What can be shown of a text from elsewhere on one line: at most so many code points, or undefined if none is visible. */
export function shownOnOneLine(text: string, lengthMax: number): string | undefined {
  const shown = [...text.replace(forbiddenCharacter, '').trim()].slice(0, lengthMax).join('');
  return visible.test(shown) ? shown : undefined;
}

// The rules as far as every generator of clients carries a pattern over. Some compile it without the flag `u`, where a
// property of Unicode is the letters of its name and a lone surrogate half of an emoji; and hey-api writes the characters of
// `\\u` escapes into a regular expression, which a line separator breaks.
const control = '\\x00-\\x1F\\x7F-\\x9F';
const lines = `(?:[^${control}]|\\r?\\n|\\t)*`;
const notBlank = `[^${control}\\s]`;
const colorPattern = '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$';
const codePattern = '^[a-z][a-z0-9_]*$';
const emailPattern = `^[^@${control}\\s]+@[^@${control}\\s]+$`;
const color = new RegExp(colorPattern);
const code = new RegExp(codePattern);
const email = new RegExp(emailPattern, 'u');

/** A named rule for a string that JSON Schema cannot express. */
interface TextFormat {
  validate: (value: string) => boolean;
  /** What the OpenAPI documents say instead of the name, which no other program knows. It matches each valid value. */
  pattern: string;
  /** Completes the sentence "The value …". */
  detail: string;
}

/** The formats that the schemas of the contract use. */
export const textFormats: Record<string, TextFormat> = {
  'single-line': {
    validate: isOneLine,
    pattern: `^[^${control}]*$`,
    detail: `must be one line without control characters, lone surrogates or bidirectional controls`,
  },
  'multi-line': {
    validate: (value) => manyLines.test(value),
    pattern: `^${lines}$`,
    detail:
      'must not contain control characters (LF, CRLF and tab are allowed), lone surrogates or bidirectional controls',
  },
  reason: {
    validate: (value) => manyLines.test(value) && visible.test(value),
    pattern: `^\\s*${notBlank}${lines}$`,
    detail:
      'must have a visible character and no control characters (LF, CRLF and tab are allowed), lone surrogates or bidirectional controls',
  },
  'app-name': {
    validate: (value) => isOneLine(value) && hasVisibleEdges(value),
    pattern: `^${notBlank}(?:[^${control}]*${notBlank})?$`,
    detail:
      'must be one line of visible text: no control characters, lone surrogates or bidirectional controls, and no space or invisible character alone at either end',
  },
  code: {
    validate: (value) => code.test(value),
    pattern: codePattern,
    detail: 'must consist of lower-case letters, digits and underscores, and start with a letter',
  },
  color: {
    validate: (value) => color.test(value),
    pattern: colorPattern,
    detail: 'must be a colour in the form #rgb or #rrggbb',
  },
  email: {
    validate: (value) => email.test(value) && isOneLine(value),
    pattern: emailPattern,
    detail: 'must be an email address: one @ with text on both sides, and no white space',
  },
  'web-address': {
    validate: isAppUrl,
    pattern: appUrlPattern,
    detail:
      'must be an absolute URL that starts with https:// (http:// only for localhost, 127.0.0.1 or [::1]), in ASCII, without user info, fragment, wildcard host or white space',
  },
  'http-address': {
    validate: isHttpUrl,
    pattern: httpUrlPattern,
    detail:
      'must be an absolute URL that starts with https:// (or http:// if WEBHOOK_ALLOW_PRIVATE=1), in ASCII, without user info, fragment, wildcard host or white space',
  },
};

function isOneLine(value: string): boolean {
  return oneLine.test(value);
}

/**
 * Whether a person sees the first and the last grapheme cluster (UAX #29). An emoji, a flag and a letter of an Indic script may
 * end with a selector, a tag or a joiner, which alone is invisible.
 */
function hasVisibleEdges(value: string): boolean {
  const clusters = graphemes.segment(value);
  const edges = [clusters.containing(0), clusters.containing(value.length - 1)];
  // An accent on a space is visible, yet the text starts with a space.
  return !/^\p{White_Space}/u.test(value) && edges.every((cluster) => visible.test(cluster?.segment ?? ''));
}

/**
 * The text with each character that no text may have as JSON escapes it, such as `\\u001b`: a terminal would obey it, or
 * show the others in another order. Only line feeds and tabs remain. A JSON document keeps its value.
 */
export function escapeControls(text: string): string {
  return text.replace(forbiddenCharacter, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
}

/** The same on one line. */
export function escapeToOneLine(text: string): string {
  return text.replace(forbiddenCharacter, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A point in time: UTC, milliseconds, `Z` (interface 2.1). */
export const DateTime = Type.String({
  format: 'date-time',
  description: 'A UTC time with milliseconds, ending in `Z`.',
  examples: ['2026-03-01T09:30:00.000Z'],
});

const dayMs = 86_400_000;
const timeLength = '00:00:00.000Z'.length;

/** Cached texts of days: there are few, and formatting one takes most of the time. */
const days = new Map<number, string>();
const daysMax = 1_000;

/** ISO 8601 in UTC with milliseconds, of an integer number of milliseconds. */
export function dateTime(ms: number): string {
  const day = Math.floor(ms / dayMs);
  const time = ms - day * dayMs;
  const seconds = Math.floor(time / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${days.get(day) ?? cacheDay(day, ms)}${clock}.${three(time % 1_000)}Z`;
}

function cacheDay(day: number, ms: number): string {
  const text = new Date(ms).toISOString().slice(0, -timeLength);
  if (days.size >= daysMax) days.clear();
  days.set(day, text);
  return text;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function three(number: number): string {
  return number < 100 ? `0${two(number)}` : `${number}`;
}

/** Why a change is made, as who makes it gives it. */
export const ChangeReason = Type.String({ minLength: 1, maxLength: 2000, format: 'reason' });

/** The `ETag` of a revision, which names it exactly. */
export const RevisionTag = Type.String({
  description: 'The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision.',
  examples: ['"7.5f0c1a9e.Vb2xq0m9K3Ty"'],
});

/** The `ETag` of a resource without revisions. */
export const EntityTag = Type.String({
  description: 'The `ETag` of this version, to send as `If-Match` with a change that depends on it.',
  examples: ['"kZ0n2fWq8mT3yUe5rVb1xA"'],
});

/** Null clears an optional field (interface 2.8, rule 2). */
export function nullable<T extends Type.TSchema & { type: string }>(schema: T) {
  // One schema with two types, not a union: a union reports three errors for one wrong value.
  return Type.Unsafe<Type.Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** Leaves out fields without a value: no view has null. */
export function optional<T extends Record<string, string | null>>(values: T): { [K in keyof T]?: string } {
  const given: { [K in keyof T]?: string } = {};
  for (const name in values) {
    const value: string | null | undefined = values[name];
    if (typeof value === 'string') given[name] = value;
  }
  return given;
}
