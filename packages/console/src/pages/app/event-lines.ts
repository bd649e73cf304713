import type { Event } from '../../api/operations.ts';

/** One value that an event tells: what it was, and what it is; undefined where there was or is none. */
export interface EventLine {
  member: string;
  before: string | undefined;
  after: string | undefined;
}

/** What an event changed, a line for each value, whatever its type is. */
export function eventLines({ data }: Pick<Event, 'data'>): EventLine[] {
  const { before, after, ...others } = data as Record<string, unknown>;
  const [was, is] = [flat(before), flat(after)];
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])].map((member) => ({
    member,
    before: was[member],
    after: is[member],
  }));
  const told = Object.entries(flat(others)).map(([member, value]) => ({ member, before: undefined, after: value }));
  return [...changes, ...told];
}

/** Values by the path of their names, as `listingInfo.shortDescription`. */
function flat(value: unknown, path = ''): Record<string, string | undefined> {
  if (value === undefined) return {};
  if (value === null) return { [path]: undefined };
  if (Array.isArray(value)) return { [path]: value.join(', ') };
  if (typeof value !== 'object') return { [path]: String(value) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.entries(flat(member, path === '' ? name : `${path}.${name}`)),
    ),
  );
}
