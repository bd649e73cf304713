import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../body/send-json.ts';
import { logOf } from '../listener/request-log.ts';
import { problemBody, problemMediaType, reasonPhrase } from './problem.ts';
import { toProblem } from './to-problem.ts';

/** Makes a handler that responds to anything thrown with problem details, and logs what is unexpected. */
export function errorHandler(baseUrl: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { code, detail, errors, headers, status, unexpected } = toProblem(
      request.raw.exchange.quota?.problem ?? error,
    );
    if (unexpected) logOf(request).error({ err: error }, 'a request failed');
    const body = problemBody(baseUrl, { code, detail, errors, status, requestId: request.id });
    reply.raw.statusMessage = reasonPhrase(body.status);
    reply.code(body.status).headers({ 'cache-control': 'no-store', ...headers });
    return sendJson(reply, body, problemMediaType);
  };
}
