import { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { check } from '../../contract/check.ts';
import type { Form } from '../../contract/operations/operation.ts';
import type { ValidationError } from '../../contract/problem.ts';
import { throwIfInvalid } from '../../registry/failure.ts';
import { HttpProblem } from '../problem/problem.ts';

export const formMediaType = 'multipart/form-data';

/** Beside its file a form is small. */
const textBytesMax = 1_024;
const partsMax = 20;
const restBytesMax = 65_536;
const pieceBytes = 65_536;

/** The size of the largest body that a form can have. */
export function formBytesMax({ file }: Form): number {
  return file.bytesMax + restBytesMax;
}

/** Refuses a body that is no form by its header, before it is read. */
export function requireFormBody({ headers }: FastifyRequest): void {
  if (headers['content-encoding'] !== undefined) {
    throw unsupported('Send the body without a Content-Encoding.', { 'accept-encoding': 'identity' });
  }
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() === formMediaType) return;
  throw unsupported(`Send the body as ${formMediaType}.`);
}

/**
 * The values of a form that has been read: of the file its bytes, of any other part its text. Refuses, with
 * all their faults, parts that are missing, unknown or there twice.
 */
export async function formBody(request: FastifyRequest, form: Form): Promise<Record<string, unknown>> {
  const parts = await readParts(request, form);
  const names = parts.map(([name]) => name);
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const values = Object.fromEntries(parts);
  throwIfInvalid([
    ...Object.keys(form.parts.properties).filter(isTwice).map(thereTwice),
    ...(check(form.parts, values) ?? []),
  ]);
  return values;
}

type Part = [name: string, value: string | Buffer];

function readParts({ headers, body }: FastifyRequest, form: Form): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parser = parserOf(headers['content-type'] as string, form);
    const input = Readable.from(piecesOf(body as Buffer));
    const refuse = (problem: HttpProblem) => {
      input.destroy();
      reject(problem);
    };
    const parts: [string, string | Buffer[]][] = [];
    parser.on('field', (name, text) => parts.push([name ?? '', text]));
    parser.on('file', (name, file) => {
      const pieces: Buffer[] = [];
      parts.push([name, pieces]);
      file.on('data', (piece: Buffer) => pieces.push(piece));
      file.on('limit', () => refuse(tooLarge(form)));
      // The parser tells it, too.
      file.on('error', () => {});
    });
    parser.on('partsLimit', () => refuse(malformed(`It has more than ${partsMax} parts.`)));
    parser.on('error', () => refuse(malformed('It does not end with the boundary that Content-Type names.')));
    parser.on('finish', () => resolve(parts.map(([name, value]) => [name, whole(value)])));
    input.pipe(parser);
  });
}

function parserOf(contentType: string, { file }: Form): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name === file.name,
      limits: { parts: partsMax, fieldSize: textBytesMax, fileSize: file.bytesMax },
    });
  } catch {
    throw malformed('Its Content-Type names no boundary that is one.');
  }
}

/** So that what comes after a fault is not looked at. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

function whole(value: string | Buffer[]): string | Buffer {
  return typeof value === 'string' ? value : Buffer.concat(value);
}

function thereTwice(name: string): ValidationError {
  return { pointer: `/${name}`, code: 'not_allowed', detail: 'The part may be there only once.' };
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
