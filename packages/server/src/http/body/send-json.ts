import type { FastifyReply } from 'fastify';

/** Sends a value as JSON. In bytes: to a string the framework would add a charset, which JSON does not have. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(value)));
}
