import { type Command, InvalidArgumentError } from 'commander';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a length of time such as `90d`, `12h`, `30m` or `45s`, in milliseconds: from a second to so many days. */
export function durationUpTo(maxMs: number): (text: string) => number {
  return (text) => {
    const { count, unit } = /^(?<count>\d{1,6})(?<unit>[smhd])$/.exec(text)?.groups ?? {};
    if (!count || !unit) throw new InvalidArgumentError('Write a length of time such as 90d, 12h, 30m or 45s.');
    const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
    if (ms > 0 && ms <= maxMs) return ms;
    throw new InvalidArgumentError(`Write a length of time from 1s to ${inDays(maxMs)}.`);
  };
}

/** As `durationUpTo` reads it. */
export function inDays(ms: number): string {
  return `${ms / unitMs.d}d`;
}

/** An address of a database. An empty one is a shell variable that is not set, and never the default. */
export function databaseUrl(text: string): string {
  if (text === '') throw new InvalidArgumentError('Write sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE.');
  return text;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
}

/** Before a command that takes an id or, for many at once, this option: refuses both, and neither. */
export function requireOneOf(option: string): (command: Command) => void {
  return (command) => {
    const given = [command.args.length > 0, command.opts()[option] !== undefined];
    if (given[0] === given[1]) command.error(`error: name either an id or --${option}`);
  };
}

/** The text that ends a command's help. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}
