import { dateTime } from '../../../kernel/text.ts';
import type { FieldMapping } from './import-mapping.ts';

/** A time as records have it, or what is wrong with the cell. */
type CellTime = { text: string; detail?: never } | { text?: never; detail: string };

const minuteMs = 60_000;
const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/;
const isRecordTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
/** The years 0000 to 9999, which four digits can say. */
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Reads the time of a cell. Nothing is guessed: a time without an offset needs a time zone. */
export function readCellTime(cell: string, { time, timeZone }: FieldMapping): CellTime {
  if (time === 'epochSeconds' || time === 'epochMilliseconds') return readEpoch(cell, time);
  if (time === 'date') return readDate(cell, timeZone ?? 'UTC');
  // Validated by the schema of the record.
  if (isRecordTime.test(cell)) return { text: cell };
  return readIso(cell, timeZone);
}

function readEpoch(cell: string, unit: 'epochSeconds' | 'epochMilliseconds'): CellTime {
  const detail = `The value must be a number of ${unit === 'epochSeconds' ? 'seconds' : 'milliseconds'} since 1970.`;
  if (!/^-?\d{1,15}(?:\.\d{1,9})?$/.test(cell)) return { detail };
  const ms = Math.floor(Number(cell) * (unit === 'epochSeconds' ? 1_000 : 1));
  return isYearOfFourDigits(ms) ? { text: dateTime(ms) } : { detail };
}

function readDate(cell: string, timeZone: string): CellTime {
  const local = isoDate.test(cell) ? localMs(`${cell}T00:00:00.000Z`) : null;
  if (local === null) return { detail: 'The value must be a date such as 2026-03-01.' };
  return fromLocal(local, timeZone);
}

function readIso(cell: string, timeZone: string | undefined): CellTime {
  const [, date, minutes, seconds = '00', fraction = '', offset] = isoTime.exec(cell) ?? [];
  const local =
    date === undefined ? null : localMs(`${date}T${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  if (local === null) return { detail: notIso(timeZone) };
  if (offset !== undefined) {
    const ms = local - offsetMs(offset);
    return isYearOfFourDigits(ms) ? { text: dateTime(ms) } : { detail: notIso(timeZone) };
  }
  if (timeZone !== undefined) return fromLocal(local, timeZone);
  return {
    detail: 'The time has no offset, such as Z or +01:00. Set the timeZone of the column in the mapping.',
  };
}

function notIso(timeZone: string | undefined): string {
  const example = timeZone === undefined ? '2026-03-01T09:30:00Z or 2026-03-01 09:30:00+01:00' : '2026-03-01 09:30:00';
  return `The value must be a time such as ${example}.`;
}

function fromLocal(local: number, timeZone: string): CellTime {
  const [time, second] = timesAtLocal(local, timeZone);
  if (time === undefined) return { detail: `This time does not exist in ${timeZone}: the clocks went forward.` };
  if (second !== undefined) {
    return {
      detail: `This time occurs twice in ${timeZone}: the clocks went back. Write the time with an offset.`,
    };
  }
  return isYearOfFourDigits(time) ? { text: dateTime(time) } : { detail: notIso(timeZone) };
}

/** The local time as if it were UTC; null if the calendar has no such time. */
function localMs(text: string): number | null {
  const ms = Date.parse(text);
  // Date.parse lets 31 February roll over into March.
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? null : ms;
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', ''));
  return (offset.startsWith('-') ? -minutes : minutes) * minuteMs;
}

function isYearOfFourDigits(ms: number): boolean {
  return ms >= earliest && ms <= latest;
}

const dayMs = 86_400_000;
const cachedDaysMax = 100_000;

interface Zone {
  format: Intl.DateTimeFormat;
  /** By local day: the offset, of days without a change of it. */
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/** Whether a name is that of a time zone, or an offset. */
export function isTimeZone(name: string): boolean {
  try {
    findZone(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The times, in milliseconds since 1970, at which the clocks of a time zone show a local time, which is given as if it were
 * UTC: usually one; none where the clocks are put forward, two where they are put back.
 */
function timesAtLocal(localMs: number, timeZone: string): number[] {
  const zone = findZone(timeZone);
  const day = Math.floor(localMs / dayMs);
  const known = zone.offsets.get(day);
  if (known !== undefined) return [localMs - known];
  const offsets = [...new Set([(day - 1) * dayMs, (day + 2) * dayMs].map((at) => offsetAt(zone, at)))];
  const [offset] = offsets;
  if (offsets.length === 1 && offset !== undefined && zone.offsets.size < cachedDaysMax) zone.offsets.set(day, offset);
  return offsets.map((one) => localMs - one).filter((at) => localMs - at === offsetAt(zone, at));
}

function findZone(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (!zone) {
    zone = { format: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }), offsets: new Map() };
    zones.set(timeZone, zone);
  }
  return zone;
}

/** In milliseconds, ahead of UTC. */
function offsetAt({ format }: Zone, at: number): number {
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(format.format(at)) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}
