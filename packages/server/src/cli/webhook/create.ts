import { Command } from 'commander';
import type { EventType } from '../../features/events/event.ts';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { requestsAtOnceOption } from './requests-at-once-option.ts';
import { typeOption } from './type-option.ts';

interface Options {
  url: string;
  name?: string;
  type?: EventType[];
  effectiveOnly?: true;
  batch?: true;
  requestsAtOnce?: number;
}

const examples = [
  'app-registry webhook create --url https://hooks.example.com/app-registry --name "Billing"',
  'app-registry webhook create --url https://hooks.example.com/all --batch',
  'app-registry webhook create --url https://hooks.example.com/reviews --type app.approved app.rejected app.revoked',
  'app-registry webhook create --url https://auth.example.com/hooks --effective-only',
];

export function webhookCreateCommand(): Command {
  const command = new Command('create')
    .description(
      'Create a webhook. New events are sent to its URL, signed according to Standard Webhooks. The secret is printed once.',
    )
    .requiredOption('--url <url>', 'the URL that receives events by POST; may contain a secret')
    .option('--name <name>', 'a name to identify it')
    .addOption(typeOption('the event types to send; give several or repeat the option (default: all)'))
    .option('--effective-only', 'send only events that change what a platform may act on (those with "effective")')
    .option('--batch', 'send events in batches: up to 100 events of one app in a request, as an array')
    .addOption(requestsAtOnceOption());
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { options: { url, name, type: types, effectiveOnly, batch, requestsAtOnce } }) =>
        run('createWebhook', { body: { url, name, types, effectiveOnly, batch, requestsAtOnce } }),
      ),
    );
}
