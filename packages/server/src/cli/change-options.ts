import { hostname, userInfo } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/config.ts';
import { actorNameRequirement, isActorName } from '../config/variable-reader.ts';
import { check } from '../kernel/check.ts';
import type { Caller } from '../kernel/registry.ts';
import { ChangeReason } from '../kernel/text.ts';

/** What every command takes whose change an event records. */
export interface ChangeOptions {
  actor?: string;
  reason?: string;
}

/** Adds these options to a command. One whose reason is for others too has its own `--reason`. */
export function changeOptions(command: Command): Command {
  if (!command.options.some(({ long }) => long === '--reason')) {
    command.option('--reason <text>', 'the reason, recorded in the event', changeReason);
  }
  return command.option(
    '--actor <name>',
    'who makes the change, recorded in the event (default: APP_REGISTRY_ACTOR, or the host and user name)',
    actorName,
  );
}

/** Who runs a command, as the events of its changes record it. */
export function callerOf({ actor, reason }: ChangeOptions, config: Pick<Config, 'commandLineActor'>): Caller {
  const name = actor ?? config.commandLineActor ?? `${ownName(hostname())}/${ownName(userName())}`;
  return { actor: `command-line:${name}`, requestId: null, reason };
}

/** What a system says of itself may be anything. */
function ownName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 64) || 'unknown';
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run as a user that its system does not know.
    return `uid-${process.getuid?.()}`;
  }
}

function actorName(text: string): string {
  if (!isActorName(text)) throw new InvalidArgumentError(`The name ${actorNameRequirement}.`);
  return text;
}

export function changeReason(text: string): string {
  const [error] = check(ChangeReason, text) ?? [];
  if (error) throw new InvalidArgumentError(error.detail);
  return text;
}
