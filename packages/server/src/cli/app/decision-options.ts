import { type Command, InvalidArgumentError } from 'commander';
import type { Approval } from '../../features/apps/review/decision.ts';
import { decisionCodes } from '../../features/apps/review/decision-codes.ts';

/** The options of every decision. */
export interface DecisionOptions {
  message?: string;
  code?: string;
  field?: NonNullable<Approval['fields']>;
  note?: string;
}

/** Adds them to a command. */
export function decisionOptions(command: Command): Command {
  return command
    .option('--message <text>', 'a message for the developer')
    .option('--code <code>', `the reason code: ${decisionCodes.join(', ')}, or a code of your own`)
    .option(
      '--field <path=text>',
      'a message about one field, such as "oauthInfo.callbackUrl=It does not respond."; repeatable',
      fieldMessage,
    )
    .option('--note <text>', 'an internal note for reviewers, never sent to the developer');
}

/** What was given of them, as the details of a step. */
export function decisionDetails({ code, field: fields, note }: DecisionOptions): Approval {
  return { ...(code !== undefined && { code }), ...(fields && { fields }), ...(note !== undefined && { note }) };
}

function fieldMessage(text: string, others: DecisionOptions['field'] = []): DecisionOptions['field'] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('It must be a field and a message, such as "name=It is that of another app."');
  const pointer = `/${text.slice(0, at).replaceAll('.', '/')}`;
  return [...others, { pointer, message: text.slice(at + 1) }];
}
