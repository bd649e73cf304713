import { EventEmitter, on } from 'node:events';
import { readFile } from 'node:fs/promises';
import { webhookHandler } from '@appregistrar/client/webhooks';
import { streamSSE } from 'hono/streaming';
import { required } from '../web/required.ts';
import { listen, webApp } from '../web/web-app.ts';
import { guidePage, type ShownEvent } from './guide-page.ts';

const eventsMax = 50;
const recent: ShownEvent[] = [];
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

/** Sends the page the events since it was rendered, or since its connection was lost, and then each event as it arrives. */
app.get('/events', (context) =>
  streamSSE(context, async (stream) => {
    const { signal } = context.req.raw;
    const arriving = on(arrivals, 'event', { signal });
    const send = ({ id, type, timestamp, subjectId }: ShownEvent) =>
      stream.writeSSE({ id, data: JSON.stringify({ type, timestamp, subjectId }) });
    const last = context.req.header('last-event-id') ?? context.req.query('after');
    try {
      for (const event of recent.slice(recent.findIndex(({ id }) => id === last) + 1)) await send(event);
      for await (const [event] of arriving) await send(event);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }),
);
listen(app);
