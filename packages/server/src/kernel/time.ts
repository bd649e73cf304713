import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

const dayMs = 86_400_000;
const timeLength = '00:00:00.000Z'.length;

/** Cached texts of days: there are few, and formatting one takes most of the time. */
const days = new Map<number, string>();
const daysMax = 1_000;

/** ISO 8601 in UTC with milliseconds (decision 13), of an integer number of milliseconds. */
export function dateTime(ms: number): string {
  const day = Math.floor(ms / dayMs);
  const time = ms - day * dayMs;
  const seconds = Math.floor(time / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${days.get(day) ?? cacheDay(day, ms)}${clock}.${three(time % 1_000)}Z`;
}

function cacheDay(day: number, ms: number): string {
  const text = new Date(ms).toISOString().slice(0, -timeLength);
  if (days.size >= daysMax) days.clear();
  days.set(day, text);
  return text;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function three(number: number): string {
  return number < 100 ? `0${two(number)}` : `${number}`;
}

export interface HostClock {
  /** Another one after each start of the machine. */
  bootId: string;
  /** How long the machine has run, in milliseconds. Never goes back, and stays right when the clock is set. */
  uptimeMs: () => number;
}

export const hostClock: HostClock = { bootId: readBootId(), uptimeMs: () => uptime() * 1_000 };

/** Only Linux has one. Elsewhere each process counts as a machine of its own. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}
