import { type Command, InvalidArgumentError, Option } from 'commander';
import { check } from '../kernel/check.ts';
import type { RevisionName } from '../kernel/revision.ts';
import { DateTime } from '../kernel/text.ts';

const daySeconds = 86_400;
const unitSeconds = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', daySeconds],
]);

/** Parses a duration such as `90d`, `12h`, `30m` or `45s` into seconds, from one to `maxSeconds`. */
export function durationUpTo(maxSeconds: number): (text: string) => number {
  return (text) => {
    const [, count, unit = ''] = /^(\d{1,6})([a-z])$/.exec(text) ?? [];
    const secondsOfUnit = unitSeconds.get(unit);
    if (secondsOfUnit === undefined)
      throw new InvalidArgumentError('It must be a duration such as 90d, 12h, 30m or 45s.');
    const seconds = Number(count) * secondsOfUnit;
    if (seconds > 0 && seconds <= maxSeconds) return seconds;
    throw new InvalidArgumentError(`It must be a duration from 1s to ${inDays(maxSeconds)}.`);
  };
}

/** In the notation that `durationUpTo` parses. */
export function inDays(seconds: number): string {
  return `${seconds / daySeconds}d`;
}

/** A database URL. An empty one is rejected: it comes from an unset shell variable and does not mean the default. */
export function databaseUrl(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE.');
  return text;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** An option whose value is one of these, in any case, with hyphens or underscores. */
export function choiceOption<Value extends string>(
  flags: string,
  description: string,
  values: readonly Value[],
): Option {
  const option = new Option(flags, description).choices(values);
  const key = (text: string) => text.toLowerCase().replaceAll('-', '_');
  return option.argParser((text) => {
    const value = values.find((candidate) => key(candidate) === key(text));
    if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return value;
  });
}

/** A revision by its number, or exactly by its ETag, with or without the quotes. */
export function revisionName(text: string): RevisionName {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, tag] = /^"?(\d{1,15}\.[\w.-]+)"?$/.exec(text) ?? [];
  if (tag === undefined) throw new InvalidArgumentError('It must be a revision number or an ETag.');
  return tag;
}

/** A UTC time, as the operator API takes it. */
export function utcTime(text: string): string {
  if (check(DateTime, text) === null) return text;
  throw new InvalidArgumentError('It must be a UTC time such as 2026-03-01T09:30:00Z.');
}

/** The value of a repeated option for messages about fields, such as `oauthInfo.callbackUrl=It does not respond.` */
export function fieldMessages(text: string, others: object[] = []): object[] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('It must be a field and a message, such as "name=It is that of another app."');
  return [...others, { pointer: `/${text.slice(0, at).replaceAll('.', '/')}`, message: text.slice(at + 1) }];
}

/** A hook for a command that takes either an id or, for many objects, this option: rejects both and neither. */
export function requireOneOf(option: string): (command: Command) => void {
  return (command) => {
    const given = [command.args.length > 0, command.opts()[option] !== undefined];
    if (given[0] === given[1]) command.error(`error: give either an id or --${option}`);
  };
}

/** The text that ends a command's help. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}
