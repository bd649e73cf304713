import { Failure } from '../../registry/failure.ts';
import { StorageUnavailable, UnknownOutcome } from '../../storage/failure.ts';
import { HttpProblem, type ProblemInput } from './problem.ts';

export interface AnsweredProblem extends Omit<ProblemInput, 'requestId'> {
  headers: Record<string, string>;
  /** A bug or a failure of the machine: worth an operator's look. */
  unexpected: boolean;
}

const retryAfterSeconds = 1;

/** What a caller is told of anything that was thrown: of bugs, nothing but that there was one. */
export function toProblem(error: unknown): AnsweredProblem {
  if (error instanceof HttpProblem) {
    return { code: error.code, detail: error.message, headers: error.headers, unexpected: false };
  }
  if (error instanceof Failure) {
    return { code: error.code, detail: error.message, faults: error.faults, headers: {}, unexpected: false };
  }
  if (error instanceof StorageUnavailable) {
    return {
      code: 'unavailable',
      detail: 'The database cannot be used at the moment. Nothing was changed; repeat the request in a moment.',
      headers: { 'retry-after': String(retryAfterSeconds) },
      unexpected: true,
    };
  }
  const known = ofFramework((error as { code?: unknown } | null)?.code);
  if (known) return { ...known, headers: {}, unexpected: false };
  return { code: 'internal_error', detail: internalDetail(error), headers: {}, unexpected: true };
}

function internalDetail(error: unknown): string {
  return error instanceof UnknownOutcome
    ? 'The database was lost while it stored the change, which may have taken effect. Read the app again before you repeat the update.'
    : 'Something failed here. Name the request id when you report it.';
}

function ofFramework(code: unknown): Pick<AnsweredProblem, 'code' | 'detail'> | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'body_too_large', detail: 'The request body is larger than the registry accepts.' };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { code: 'unsupported_media_type', detail: 'Send the body with a media type that is accepted here.' };
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return { code: 'malformed_request', detail: 'The body does not have the length that Content-Length says.' };
    case 'FST_ERR_BAD_URL':
      return { code: 'malformed_request', detail: 'The path is not well-formed: check its percent-encoding.' };
    default:
      return undefined;
  }
}
