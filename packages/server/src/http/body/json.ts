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
  rejectAmbiguousNames(text);
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
    throw invalid('The body is not JSON. Correct it.');
  }
}

// In valid JSON, a string before a colon is the name of a field.
const token = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g;

function rejectAmbiguousNames(text: string): void {
  const objects: Set<string>[] = [];
  for (const [found, quoted, colon] of text.matchAll(token)) {
    if (found === '{') objects.push(new Set());
    else if (found === '}') objects.pop();
    else if (colon !== undefined) {
      const name: string = quoted?.includes('\\') ? JSON.parse(`"${quoted}"`) : (quoted ?? '');
      const names = objects.at(-1);
      if (name === '__proto__') throw invalid('The body has a field "__proto__", which is not accepted. Remove it.');
      if (names?.has(name)) throw invalid('An object in the body has two fields of the same name. Remove one.');
      names?.add(name);
    }
  }
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('invalid_json', detail);
}
