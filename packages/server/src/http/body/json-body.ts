import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireValid } from '../../kernel/check.ts';
import { NoFields } from '../../kernel/operation.ts';
import type { RequestContext } from '../listener/request-context.ts';
import { HttpProblem } from '../problem/problem.ts';
import { bodyTooLarge } from '../problem/socket-problem.ts';

/** The media types of an update; both mean the same here. */
export const jsonMediaTypes = ['application/json', 'application/merge-patch+json'];

/** The media types of a JSON body: only an update is a merge patch. */
export function jsonTypesOf(method: string | undefined): string[] {
  return method === 'PATCH' ? jsonMediaTypes : jsonMediaTypes.slice(0, 1);
}

/** Rejects a body that is not JSON by its header fields, before it is read. */
export async function requireJsonBody(request: BodyRequest): Promise<void> {
  const { method } = request;
  const types = jsonTypesOf(method);
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined) {
    throw unsupported(method, 'Send the body without a Content-Encoding.', { 'accept-encoding': 'identity' });
  }
  if (types.includes(type?.split(';')[0]?.trim().toLowerCase() ?? '')) return;
  if (type === undefined && (await removeEmptyBody(request))) return;
  throw unsupported(method, `Send the body as ${types.join(' or ')}.`);
}

/** Accepts no body, or one of JSON. Many clients send the media type of a body without the body. */
export async function acceptJsonBody(request: BodyRequest): Promise<void> {
  await removeEmptyBody(request);
  await requireJsonBody(request);
}

/** A request of the framework, or of Node itself. */
type BodyRequest = IncomingMessage | Pick<FastifyRequest, 'headers' | 'method' | 'raw'>;

/** A body of no bytes is none, however it is framed. Returns whether there is none, and then removes the fields of one. */
async function removeEmptyBody(request: BodyRequest): Promise<boolean> {
  const { headers } = request;
  const isEmpty =
    headers['transfer-encoding'] === undefined
      ? Number(headers['content-length'] ?? 0) === 0
      : await endsAtOnce('raw' in request ? request.raw : request);
  if (!isEmpty) return false;
  delete headers['content-type'];
  // The framework would look for a parser of what is left.
  delete headers['transfer-encoding'];
  return true;
}

/** Whether a chunked body ends without a byte, which only its beginning shows. That stays to be read. */
async function endsAtOnce(request: IncomingMessage): Promise<boolean> {
  requireConnected(request);
  const events = ['readable', 'end', 'close'];
  await new Promise<void>((resolve) => {
    const onEvent = () => {
      for (const event of events) request.off(event, onEvent);
      resolve();
    };
    for (const event of events) request.on(event, onEvent);
  });
  const first: Buffer | null = request.read();
  if (first === null && !request.complete) throw disconnected();
  if (first !== null) request.unshift(first);
  return first === null;
}

/** The parsed body, not validated. */
export function jsonBody(request: FastifyRequest): unknown {
  // Without a media type and a body the framework reads nothing.
  return request.body === undefined ? parseJson(Buffer.alloc(0)) : request.body;
}

/** The types are in a field of their own for PATCH (RFC 5789, 2.2). */
function unsupported(method: string | undefined, detail: string, headers: Record<string, string> = {}): HttpProblem {
  const field = method === 'PATCH' ? 'accept-patch' : 'accept';
  return new HttpProblem('unsupported_media_type', detail, { [field]: jsonTypesOf(method).join(', '), ...headers });
}

/**
 * Parses JSON strictly, and accepts no other media type unless a route adds one. Bodies and parameters stay as they
 * were sent: the registry validates every value.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonMediaTypes, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
  app.setValidatorCompiler(() => () => true);
}

/** The body of a request. */
interface JsonBody {
  /** Not validated. */
  json: unknown;
  bytes: number;
}

/** Reads and parses the body of a request; `bytesMax` 0 means no limit. A refused body closes the connection. */
export async function readJson(context: RequestContext, bytesMax: number): Promise<JsonBody> {
  const { request } = context;
  // Without a media type there is no body: a request that has one is refused by its header.
  if (request.headers['content-type'] === undefined) return { json: parseJson(Buffer.alloc(0)), bytes: 0 };
  requireConnected(request);
  context.closesConnection = true;
  const body = await readBody(request, bytesMax);
  const json = parseJson(body);
  context.closesConnection = false;
  return { json, bytes: body.length };
}

/** Refuses a request whose client has disconnected: waiting for its body would never end. */
export function requireConnected({ destroyed }: IncomingMessage): void {
  if (destroyed) throw disconnected();
}

function disconnected(): HttpProblem {
  return new HttpProblem(
    'malformed_request',
    'The connection was closed before the body was complete. Send the request again.',
  );
}

function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const isTooLarge = (length: number) => bytesMax > 0 && length > bytesMax;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (isTooLarge(bytes)) refuse();
      else chunks.push(chunk);
    };
    const refuse = () => {
      // What follows is read and discarded, so that the client reads the response.
      request.off('data', onData).resume();
      reject(new HttpProblem(...bodyTooLarge));
    };
    if (isTooLarge(Number(request.headers['content-length'] ?? 0))) {
      refuse();
      return;
    }
    request
      .on('data', onData)
      .on('end', () => resolve(Buffer.concat(chunks, bytes)))
      .on('error', reject);
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses RFC 8259 JSON in UTF-8. Rejects what two parsers could read differently: duplicate names at any level, and
 * `__proto__`.
 */
function parseJson(body: Buffer): unknown {
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

/** Sends a value as JSON. In bytes: to a string the framework would add a charset, which JSON does not have. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(value)));
}

/** Refuses the fields of a body that an operation would otherwise ignore. */
export function refuseFields(body: unknown): void {
  if (body !== undefined) requireValid(NoFields, body);
}
