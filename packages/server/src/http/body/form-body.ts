import { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { check, throwIfInvalid } from '../../kernel/check.ts';
import type { Form } from '../../kernel/operation.ts';
import { HttpProblem } from '../problem/problem.ts';

export const formMediaType = 'multipart/form-data';

const defaultTextBytesMax = 1_024;
const partsMax = 20;
/** The form without its file and texts that are longer than usual. */
const restBytesMax = 65_536;
const chunkBytes = 65_536;

/** The largest body of a form. */
export function formBytesMax({ file, textBytesMax = 0 }: Form): number {
  return file.bytesMax + restBytesMax + textBytesMax;
}

/** Rejects a body that is no form by its header fields, before it is read. */
export function requireFormBody({ headers }: FastifyRequest): void {
  if (headers['content-encoding'] !== undefined) {
    throw unsupported('Send the body without a Content-Encoding.', { 'accept-encoding': 'identity' });
  }
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() === formMediaType) return;
  throw unsupported(`Send the body as ${formMediaType}.`);
}

/**
 * The values of a form: the bytes of the file, the text of every other part. Reports all missing, unknown and repeated
 * parts together.
 */
export async function formBody(request: FastifyRequest, form: Form): Promise<Record<string, unknown>> {
  const parts = await readParts(request, form);
  const names = parts.map(([name]) => name);
  const isRepeated = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const values = Object.fromEntries(parts);
  throwIfInvalid([
    ...Object.keys(form.parts.properties)
      .filter(isRepeated)
      .map((name) => ({ pointer: `/${name}`, code: 'not_allowed', detail: 'The part may appear only once.' }) as const),
    ...(check(form.parts, values) ?? []),
  ]);
  return values;
}

type Part = [name: string, value: string | Buffer];

function readParts({ headers, body }: FastifyRequest, form: Form): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parser = createParser(headers['content-type'], form);
    const input = Readable.from(chunksOf(Buffer.isBuffer(body) ? body : Buffer.alloc(0)));
    const fail = (problem: HttpProblem) => {
      input.destroy();
      reject(problem);
    };
    const parts: [string, string | Buffer[]][] = [];
    parser.on('field', (name, text) => parts.push([name ?? '', text]));
    parser.on('file', (name, file) => {
      const chunks: Buffer[] = [];
      parts.push([name, chunks]);
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      file.on('limit', () => fail(tooLarge(form)));
      // The parser reports it too.
      file.on('error', () => {});
    });
    parser.on('partsLimit', () => fail(malformed(`It has more than ${partsMax} parts.`)));
    parser.on('error', () => fail(malformed('It does not end with the boundary given in Content-Type.')));
    parser.on('finish', () =>
      resolve(parts.map(([name, value]) => [name, typeof value === 'string' ? value : Buffer.concat(value)])),
    );
    input.pipe(parser);
  });
}

function createParser(contentType = '', { file, textBytesMax = defaultTextBytesMax }: Form): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name === file.name,
      limits: { parts: partsMax, fieldSize: textBytesMax, fileSize: file.bytesMax },
    });
  } catch {
    throw malformed('Its Content-Type gives no valid boundary.');
  }
}

/** In chunks, so that parsing stops at the first error. */
function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += chunkBytes) yield body.subarray(at, at + chunkBytes);
}

function tooLarge({ file }: Form): HttpProblem {
  return new HttpProblem('body_too_large', `The part "${file.name}" may have at most ${file.bytesMax} bytes.`);
}

function malformed(what: string): HttpProblem {
  return new HttpProblem('malformed_request', `The body is not a well-formed ${formMediaType}. ${what}`);
}

function unsupported(detail: string, headers: Record<string, string> = {}): HttpProblem {
  return new HttpProblem('unsupported_media_type', detail, { accept: formMediaType, ...headers });
}
