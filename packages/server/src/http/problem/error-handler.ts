import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange, PreparedResponse } from '../listener/exchange.ts';
import { logOf } from '../listener/request-log.ts';
import { problemBody, problemMediaType, reasonPhrase } from './problem.ts';
import { toProblem } from './to-problem.ts';

export type ProblemResponder = (error: unknown, exchange: Exchange) => PreparedResponse & { body: string };

/** Makes a function that returns the problem details for anything thrown, and logs what is unexpected. */
export function problemResponder(baseUrl: string, logger: FastifyBaseLogger): ProblemResponder {
  return (error, { id, quota }) => {
    const { code, detail, errors, headers, status, unexpected } = toProblem(quota?.problem ?? error);
    if (unexpected) logOf({ log: logger, id }).error({ err: error }, 'request failed');
    const problem = problemBody(baseUrl, { code, detail, errors, status, requestId: id });
    return {
      status: problem.status,
      fields: { 'cache-control': 'no-store', ...headers, 'content-type': problemMediaType },
      body: JSON.stringify(problem),
    };
  };
}

/** Makes the framework respond to anything thrown. */
export function errorHandler(respondToError: ProblemResponder) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, fields, body } = respondToError(error, request.raw.exchange);
    reply.raw.statusMessage = reasonPhrase(status);
    // In bytes: to a text the framework would add a charset, which JSON does not have.
    return reply.code(status).headers(fields).send(Buffer.from(body));
  };
}
