import { HttpProblem } from '../problem/problem.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses RFC 8259 JSON in UTF-8. Rejects what two parsers could read differently: duplicate names at any level, and
 * `__proto__` (decision 19).
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw invalid('The body is empty. Send a JSON object; {} changes nothing.');
  const text = decode(body);
  const value = parse(text);
  rejectAmbiguousNames(text, value);
  return value;
}

function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalid('The body is not UTF-8. Send JSON in UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message repeats parts of the body.
    throw invalid('The body is not valid JSON. Correct it.');
  }
}

// In valid JSON, a string before a colon is the name of a field.
const string = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g;

/** Of several fields with one name, the value has one. */
function rejectAmbiguousNames(text: string, value: unknown): void {
  const names = (text.match(string) ?? []).filter((found) => found.endsWith(':'));
  let fields = 0;
  const values = [value];
  for (const one of values) {
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, inner] of Object.entries(one)) {
      if (name === '__proto__') throw invalid('The body has a field "__proto__", which is not accepted. Remove it.');
      if (!Array.isArray(one)) fields += 1;
      values.push(inner);
    }
  }
  if (fields < names.length) throw invalid('An object in the body has two fields with the same name. Remove one.');
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('invalid_json', detail);
}
