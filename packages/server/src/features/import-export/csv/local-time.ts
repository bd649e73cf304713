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
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The times, in milliseconds since 1970, at which the clocks of a time zone show a local time, which is given as if it were
 * UTC: usually one; none where the clocks are put forward, two where they are put back.
 */
export function timesAtLocal(localMs: number, timeZone: string): number[] {
  const zone = zoneOf(timeZone);
  const day = Math.floor(localMs / dayMs);
  const known = zone.offsets.get(day);
  if (known !== undefined) return [localMs - known];
  const offsets = [...new Set([(day - 1) * dayMs, (day + 2) * dayMs].map((at) => offsetAt(zone, at)))];
  const [offset] = offsets;
  if (offsets.length === 1 && offset !== undefined && zone.offsets.size < cachedDaysMax) zone.offsets.set(day, offset);
  return offsets.map((one) => localMs - one).filter((at) => localMs - at === offsetAt(zone, at));
}

function zoneOf(timeZone: string): Zone {
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
