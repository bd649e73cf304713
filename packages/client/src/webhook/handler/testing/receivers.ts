import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import express, { type RequestHandler } from 'express';
import { signRequest } from '../../../../../server/src/features/webhooks/delivery/receiver.ts';
import type { AppRegistryEvent, UnknownEvent } from '../../../event.ts';
import type { WebhookHandler } from '../webhook-handler.ts';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJ3Lm2qLpcUc=';

type Event = AppRegistryEvent | UnknownEvent;
/** Sends a request to a handler. */
export type Send = (init: RequestInit) => Promise<Response>;

/** Serves on a real socket, and returns the URL. */
export async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

export async function onExpress(t: TestContext, handler: WebhookHandler, ...before: RequestHandler[]): Promise<Send> {
  const app = express();
  app.post('/hooks', ...before, handler);
  app.all('/hooks', handler);
  const url = await listen(t, app);
  return (init) => fetch(url, init);
}

/** Each way to serve a handler. */
export const receivers: Record<string, (t: TestContext, handler: WebhookHandler) => Send | Promise<Send>> = {
  'fetch requests': (_, handler) => (init) => handler(new Request('https://hooks.example.com/', init)),
  'node:http': async (t, handler) => {
    const url = await listen(t, handler);
    return (init) => fetch(url, init);
  },
  Express: (t, handler) => onExpress(t, handler),
  'Express behind a raw body parser': (t, handler) =>
    onExpress(t, handler, express.raw({ type: '*/*', limit: '10mb' })),
};

/** A request as the registry signs it: of one event, or of a batch. */
export function signed(content: Event | Event[], { secrets = [secret], at = Date.now() } = {}) {
  const body = JSON.stringify(content);
  const id = Array.isArray(content) ? 'batch_0123456789abcdef0123456789abcdef' : content.id;
  const headers = { 'content-type': 'application/json', ...signRequest({ id, body, secrets }, at) };
  return { method: 'POST', headers, body };
}
