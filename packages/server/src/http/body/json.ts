import { HttpProblem } from '../problem/problem.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * RFC 8259 JSON in UTF-8, without duplicate members at any level and without `__proto__`
 * (decision 19): what two readers could take for two different things is refused.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw invalid('The body is empty. Send a JSON object; {} changes nothing.');
  const text = decode(body);
  const value = parse(text);
  refuseAmbiguousMembers(text);
  return value;
}

function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalid('The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message repeats parts of the body.
    throw invalid('The body is not JSON.');
  }
}

// In text that is known to be JSON, a string before a colon is the name of a member.
const token = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g;

function refuseAmbiguousMembers(text: string): void {
  const objects: Set<string>[] = [];
  for (const [found, quoted, colon] of text.matchAll(token)) {
    if (found === '{') objects.push(new Set());
    else if (found === '}') objects.pop();
    else if (colon !== undefined) {
      const name: string = quoted?.includes('\\') ? JSON.parse(`"${quoted}"`) : (quoted ?? '');
      const members = objects.at(-1);
      if (name === '__proto__') throw invalid('The body has a member "__proto__", which is not accepted.');
      if (members?.has(name)) throw invalid('An object of the body has two members of the same name.');
      members?.add(name);
    }
  }
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('invalid_json', detail);
}
