import type { FastifyInstance } from 'fastify';
import lightMyRequest, { type InjectOptions, type Response } from 'light-my-request';

/** Asks a listener without a socket, by the door that requests of sockets take: that of its server. */
export async function inject(listener: FastifyInstance, options: InjectOptions | string): Promise<Response> {
  await listener.ready();
  // Those of sockets come in a turn of the event loop of their own.
  await new Promise(setImmediate);
  return lightMyRequest((request, response) => {
    listener.server.emit('request', request, response);
  }, options);
}
