import { Command, InvalidArgumentError, Option } from 'commander';
import { onEndSignal } from '../../end-signal.ts';
import { type Event, type EventType, eventTypes } from '../../features/events/event.ts';
import type { DeliveryResult } from '../../features/webhooks/deliveries/record-attempts.ts';
import { forwardEvents } from '../../features/webhooks/delivery/forward-events.ts';
import { newWebhookSecret } from '../../features/webhooks/webhook-secrets.ts';
import { Failure } from '../../kernel/failure.ts';
import { version } from '../../version.ts';
import { example } from '../command-options.ts';
import { withOperations } from '../operation-action.ts';
import { RemoteRefusal } from '../remote/remote-failure.ts';
import { NoToken } from '../remote/token-store.ts';

interface Options {
  forwardTo: string;
  type?: EventType[];
  secret?: string;
  json?: true;
}

const examples = [
  'app-registry webhook listen --forward-to http://localhost:3000/webhooks',
  'app-registry webhook listen --forward-to http://localhost:3000/webhooks --type app.approved app.revoked',
];

export function webhookListenCommand(): Command {
  return new Command('listen')
    .description(
      'Forward new events to a URL while you develop a webhook receiver, with the same signatures. Prints the secret, then one line per event with the response status. Creates no webhook. Each event is sent once, without retries.',
    )
    .requiredOption('--forward-to <url>', 'the URL that receives events by POST, such as one on this machine', httpUrl)
    .addOption(
      new Option(
        '--type <types...>',
        'the event types to forward; give several or repeat the option (default: all)',
      ).choices(eventTypes),
    )
    .option('--secret <secret>', 'the signing secret: whsec_ followed by base64 (default: a new one)', signingSecret)
    .addHelpText('after', example(...examples))
    .action(listen);
}

async function listen(this: Command): Promise<void> {
  const { forwardTo: url, type, secret = newWebhookSecret(), json } = this.optsWithGlobals<Options>();
  const { writeOut, writeErr } = this.configureOutput();
  const print = (line: object, text: string) => writeOut?.(`${json ? JSON.stringify(line) : text}\n`);
  const ended = new AbortController();
  const ignoreSignals = onEndSignal(() => ended.abort());
  const { signal } = ended;
  await withOperations(this, (run) =>
    forwardEvents((query) => run('readEventFeed', { query, signal }), {
      ...{ url, secret, types: type, userAgent: `app-registry/${version()}`, now: Date.now, signal },
      onStart: () => print({ url, secret }, `Forwarding events to ${url}. The signing secret is ${secret}`),
      onForwarded: (event, result) => print(lineOf(event, result), textOf(event, result)),
      isRefusal: (error) => [Failure, RemoteRefusal, NoToken].some((kind) => error instanceof kind),
      onUnavailable: (error) => writeErr?.(`Cannot read events, retrying: ${reasonOf(error)}\n`),
    }),
  ).finally(ignoreSignals);
}

function lineOf({ id, type, subjectId }: Event, { status, text }: DeliveryResult): object {
  return { eventId: id, type, subjectId, status, response: text };
}

function textOf({ id, type, subjectId, timestamp }: Event, { status, text }: DeliveryResult): string {
  return `${timestamp}  ${type}  ${subjectId}  ${id}  ${status ?? text}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function httpUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be a URL that starts with http:// or https://.');
}

/** As Standard Webhooks has it. */
function signingSecret(text: string): string {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64').length;
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes >= 24 && bytes <= 64) return text;
  throw new InvalidArgumentError('It must be whsec_ followed by 24 to 64 bytes in base64.');
}
