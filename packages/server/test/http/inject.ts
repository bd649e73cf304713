import type { FastifyInstance } from 'fastify';
import lightMyRequest, { type InjectOptions, type Response } from 'light-my-request';

/** Sends a request to a listener without a socket, through the same event of its server as requests over sockets. */
export async function inject(listener: FastifyInstance, options: InjectOptions | string): Promise<Response> {
  await listener.ready();
  // Each request over a socket arrives in its own turn of the event loop.
  await new Promise(setImmediate);
  return lightMyRequest((request, response) => {
    listener.server.emit('request', request, response);
  }, options);
}
