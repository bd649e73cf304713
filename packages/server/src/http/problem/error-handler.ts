import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../body/send-json.ts';
import { logOf } from '../listener/request-log.ts';
import { problemBody, problemMediaType, problemStatuses } from './problem.ts';
import { toProblem } from './to-problem.ts';

/** Makes what answers anything that was thrown, as problem details. Whatever is unexpected is logged. */
export function errorHandler(baseUrl: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { code, detail, faults, headers, unexpected } = toProblem(request.raw.exchange.overLimit ?? error);
    if (unexpected) logOf(request).error({ err: error }, 'a request failed');
    const body = problemBody(baseUrl, { code, detail, faults, requestId: request.id });
    reply.code(problemStatuses[code]).headers({ 'cache-control': 'no-store', ...headers });
    return sendJson(reply, body, problemMediaType);
  };
}
