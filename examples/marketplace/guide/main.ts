import { EventEmitter, on } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AppRegistryEvent, UnknownEvent } from '@appregistrar/client';
import { webhookHandler } from '@appregistrar/client/webhooks';
import { streamSSE } from 'hono/streaming';
import { required } from '../web/required.ts';
import { listen, webApp } from '../web/web-app.ts';
import { guidePage } from './guide-page.ts';

const eventsMax = 50;
const recent: (AppRegistryEvent | UnknownEvent)[] = [];
const arrivals = new EventEmitter().setMaxListeners(0);

/** Verifies the signature of each request, and passes each event once. */
const receive = webhookHandler({
  secret: required('WEBHOOK_SECRET'),
  on: {},
  other: (event) => {
    recent.push(event);
    if (recent.length > eventsMax) recent.shift();
    arrivals.emit('event', event);
  },
});

const app = webApp('Marketplace');
app.post('/hooks', (context) => receive(context.req.raw));
app.get('/', (context) => context.html(guidePage(recent.toReversed())));
app.get('/events.js', async (context) =>
  context.body(await readFile(new URL('events.js', import.meta.url)), 200, { 'content-type': 'text/javascript' }),
);

/** Sends each event to the page as it arrives. */
app.get('/events', (context) =>
  streamSSE(context, async (stream) => {
    const { signal } = context.req.raw;
    try {
      for await (const [{ id, type, timestamp, subjectId }] of on(arrivals, 'event', { signal }))
        await stream.writeSSE({ id, data: JSON.stringify({ type, timestamp, subjectId }) });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }),
);
listen(app);
