import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { PrimaryRequired, StorageUnavailable, UnknownOutcome } from '../../storage/storage-failure.ts';
import { insufficient } from '../auth/bearer-auth.ts';
import { logOf, type PreparedResponse, type RequestContext } from '../listener/request-context.ts';
import {
  HttpProblem,
  type ProblemDocs,
  type ProblemInput,
  problemBody,
  problemMediaType,
  reasonPhrase,
} from './problem.ts';
import { bodyTooLarge } from './socket-problem.ts';

interface ProblemResponse extends Omit<ProblemInput, 'requestId'> {
  headers: Record<string, string>;
  /** A bug or a failure of the machine, for the log. */
  unexpected: boolean;
}

const retryAfterSeconds = 1;

/** The problem to report for anything thrown. A bug is reported without any detail. */
export function toProblem(error: unknown): ProblemResponse {
  if (error instanceof HttpProblem) {
    return { code: error.code, detail: error.message, headers: error.headers, status: error.status, unexpected: false };
  }
  if (error instanceof Failure) {
    if (error.code === 'insufficient_scope') return toProblem(insufficient(error.message, 'admin'));
    return { code: error.code, detail: error.message, errors: error.errors, headers: {}, unexpected: false };
  }
  if (error instanceof StorageUnavailable) {
    return {
      code: 'unavailable',
      detail: 'The database is unavailable. Nothing was changed. Retry in a moment.',
      headers: { 'retry-after': String(retryAfterSeconds) },
      unexpected: true,
    };
  }
  const known = ofFramework(error);
  if (known) return { ...known, headers: {}, unexpected: false };
  const detail =
    error instanceof UnknownOutcome
      ? 'The database did not confirm the commit, so the change may have taken effect. Read the app before you retry.'
      : 'An internal error occurred. Include the request id when you report it.';
  return { code: 'internal_error', detail, headers: {}, unexpected: true };
}

/** For supervisors: the reason too, where it says what an operator can do. */
export function toReadinessProblem(error: unknown): unknown {
  if (!(error instanceof PrimaryRequired)) return error;
  return new HttpProblem('unavailable', `Not ready: ${error.message}.`);
}

function ofFramework(error: unknown): Pick<ProblemResponse, 'code' | 'detail'> | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      const [code, detail] = bodyTooLarge;
      return { code, detail };
    }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        code: 'unsupported_media_type',
        detail: 'The media type is not supported. Send the body with one that this path accepts.',
      };
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return {
        code: 'malformed_request',
        detail: 'The length of the body differs from Content-Length. Send a matching Content-Length.',
      };
    case 'FST_ERR_BAD_URL':
      return { code: 'malformed_request', detail: 'The path is malformed. Check its percent-encoding.' };
    default:
      return undefined;
  }
}

export type ProblemResponder = (
  error: unknown,
  context: RequestContext,
) => PreparedResponse & { phrase: string; body: string };

/** Makes a function that returns the problem details for anything thrown, and logs what is unexpected. */
export function problemResponder(docs: ProblemDocs, logger: FastifyBaseLogger): ProblemResponder {
  return (error, { id, quota }) => {
    const { code, detail, errors, headers, status, unexpected } = toProblem(quota?.problem ?? error);
    if (unexpected) logOf({ log: logger, id }).error({ err: error }, 'request failed');
    const problem = problemBody(docs, { code, detail, errors, status, requestId: id });
    return {
      status: problem.status,
      phrase: reasonPhrase(problem.status),
      fields: { 'cache-control': 'no-store', ...headers, 'content-type': problemMediaType },
      body: JSON.stringify(problem),
    };
  };
}

/** Makes the framework respond to anything thrown. */
export function errorHandler(respondToError: ProblemResponder) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, phrase, fields, body } = respondToError(error, request.raw.context);
    reply.raw.statusMessage = phrase;
    // In bytes: to a text the framework would add a charset, which JSON does not have.
    return reply.code(status).headers(fields).send(Buffer.from(body));
  };
}
