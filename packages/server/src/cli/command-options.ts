import { hostname, userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { actorNameRequirement, isActorName } from '../config/variable-reader.ts';
import { check } from '../kernel/check.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { pageLimits } from '../kernel/page.ts';
import type { Caller } from '../kernel/registry.ts';
import type { RevisionName } from '../kernel/revision.ts';
import { ChangeReason, DateTime } from '../kernel/text.ts';

const daySeconds = 86_400;
const unitSeconds = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', daySeconds],
]);

/** Parses a duration such as `90d`, `12h`, `30m` or `45s` into seconds, from `minSeconds` to `maxSeconds`. */
export function durationUpTo(maxSeconds: number, minSeconds = 1): (text: string) => number {
  return (text) => {
    const [, count, unit = ''] = /^(\d{1,6})([a-z])$/.exec(text) ?? [];
    const secondsOfUnit = unitSeconds.get(unit);
    if (secondsOfUnit === undefined)
      throw new InvalidArgumentError('It must be a duration such as 90d, 12h, 30m or 45s.');
    const seconds = Number(count) * secondsOfUnit;
    if (seconds >= minSeconds && seconds <= maxSeconds) return seconds;
    throw new InvalidArgumentError(`It must be a duration from ${minSeconds}s to ${inDays(maxSeconds)}.`);
  };
}

/** In the notation that `durationUpTo` parses. */
function inDays(seconds: number): string {
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
  return option.argParser<string | string[]>((text, others) => {
    const value = values.find((candidate) => key(candidate) === key(text));
    if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return option.variadic ? [...(Array.isArray(others) ? others : []), value] : value;
  });
}

/** Adds the precondition of a change: the version that the caller has read, of which some resources also have a number. */
export function ifMatchOption(command: Command, { response }: Pick<AnyOperation, 'response'>): Command {
  const isRevised = 'revision' in response.properties;
  const read = isRevised ? 'the ETag or revision number that you read' : 'the ETag that you read';
  return command.option(
    '--if-match <etag>',
    `${read}; fails if there is a newer version`,
    isRevised ? revisionName : entityTag,
  );
}

function entityTag(text: string): string {
  const [, tag] = /^"?([\w-]{22})"?$/.exec(text) ?? [];
  if (tag === undefined) throw new InvalidArgumentError('It must be the ETag that the get command prints.');
  return tag;
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

/** The text that ends a command's help. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}

/** What every command takes whose change an event records. */
export interface ChangeOptions {
  actor?: string;
  reason?: string;
}

/** Adds these options to a command. One whose reason is for others too has its own `--reason`, or gives this field. */
export function changeOptions(command: Command, reasonGives?: string): Command {
  if (!command.options.some(({ long }) => long === '--reason')) {
    const more = reasonGives === undefined ? '' : `; also the ${reasonGives} unless --${reasonGives} is given`;
    command.option('--reason <text>', `the reason, recorded in the event${more}`, changeReason);
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

/** Options of every list command, for the operation. */
export interface PageOptions {
  cursor?: string;
  limit?: number;
}

/** Options of every list command, for its output. */
export interface ListOptions extends PageOptions {
  all?: true;
  columns?: string[];
}

/** Adds them to a command, with the columns of its table: those of the fields that its items have, or by their paths. */
export function pageOptions(command: Command, columns?: readonly string[]): Command {
  return listOptions(
    command
      .option('--cursor <cursor>', 'nextCursor or prevCursor from an earlier page')
      .option(
        '--limit <number>',
        `the maximum number of items, up to ${pageLimits.max} (default: ${pageLimits.default})`,
        wholeNumber,
      )
      .addOption(new Option('--all', 'fetch every page, starting at --cursor').conflicts('limit')),
    columns,
  );
}

/** Adds the option for the columns of a table. */
export function listOptions(command: Command, columns?: readonly string[]): Command {
  const option = new Option(
    '--columns <names>',
    'the columns of the table, separated by commas: JSON field paths, such as listingInfo.backgroundColor',
  ).argParser(columnNames);
  return command.addOption(columns ? option.default([...columns], columns.join()) : option);
}

function columnNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('It must be column names separated by commas, such as id,name.');
  return names;
}

/** Adds the options of a list that says how many items it has. */
export function totalOptions(command: Command, columns: readonly string[]): Command {
  return pageOptions(command.option('--with-total', 'also show the total, estimated above 10,000'), columns);
}
