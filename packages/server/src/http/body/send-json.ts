import type { FastifyReply } from 'fastify';

/** Sends a value as JSON. As bytes, since to a string the framework adds a charset, which JSON has not. */
export function sendJson(reply: FastifyReply, value: unknown, mediaType = 'application/json'): FastifyReply {
  return reply.header('content-type', mediaType).send(Buffer.from(JSON.stringify(value)));
}
