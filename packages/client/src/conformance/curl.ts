import type { HttpRequest } from './interface-guarantee.ts';

/** Longer text is written as an expression, as is text with characters that a terminal would hide or interpret. */
const literalMax = 300;
const hidden = /[\p{Cf}\u2028\u2029]/gu;

/** The request as a command for bash. */
export function curlOf(baseUrl: URL, { method, path, headers, body }: HttpRequest): string {
  const url = baseUrl.href.replace(/\/$/, '') + path;
  const options = Object.entries(headers).flatMap(([name, value]) => {
    if (value === null) return [`-H '${name}:'`];
    return [value].flat().map((one) => `-H ${one === '' ? quoted(`${name};`) : headerText(name, one)}`);
  });
  // A type that curl would add by itself.
  const noType = body !== undefined && !('Content-Type' in headers) ? [`-H 'Content-Type:'`] : [];
  const data = body === undefined ? [] : ['--data-binary', typeof body === 'string' ? shellText('', body) : '@-'];
  const how = method === 'HEAD' ? ['-I'] : ['-X', method];
  const command = ['curl -i', '--path-as-is', ...how, quoted(url), ...options, ...noType, ...data].join(' ');
  return typeof body === 'object' ? `printf '${body.hex.replaceAll(/../g, '\\x$&')}' | ${command}` : command;
}

/** A token stays in one piece, however long, so that it is found and replaced. */
function headerText(name: string, value: string): string {
  return name === 'Authorization' ? quoted(`${name}: ${value}`) : shellText(`${name}: `, value);
}

function shellText(prefix: string, text: string): string {
  if (text.length <= literalMax && text.search(hidden) < 0) return quoted(prefix + text);
  return `"${prefix}$(node -p '${expressionOf(text).replaceAll("'", '\\u0027')}')"`;
}

/** JavaScript for a long text, in which repetitions are calls of `repeat`. */
function expressionOf(text: string): string {
  const parts = [...text.matchAll(/(.{1,6}?)\1{19,}|(?:(?!(.{1,6}?)\2{19,}).)+/gsu)];
  return parts
    .map(([part, unit]) => (unit ? `${literal(unit)}.repeat(${part.length / unit.length})` : literal(part)))
    .join(' + ');
}

function literal(text: string): string {
  return JSON.stringify(text).replaceAll(hidden, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** In double quotes, so that a variable can stand for a token. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`;
}
