import type { AppRegistryEvent } from 'app-registry-client';

/** One value of an event, before and after. Undefined where there was or is none. */
export interface EventLine {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** The changes of an event of any type, one line per value. */
export function eventLines({ data }: Pick<AppRegistryEvent, 'data'>): EventLine[] {
  const { before, after, ...others } = data as Record<string, unknown>;
  const [was, is] = [flat(before), flat(after)];
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])].map((field) => ({
    field,
    before: was[field],
    after: is[field],
  }));
  const rest = Object.entries(flat(others)).map(([field, value]) => ({ field, before: undefined, after: value }));
  return [...changes, ...rest];
}

/** Values by path, such as `listingInfo.shortDescription`. */
function flat(value: unknown, path = ''): Record<string, string | undefined> {
  if (value === undefined) return {};
  if (value === null) return { [path]: undefined };
  if (Array.isArray(value)) return { [path]: value.join(', ') };
  if (typeof value !== 'object') return { [path]: String(value) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, nested]) =>
      Object.entries(flat(nested, path === '' ? name : `${path}.${name}`)),
    ),
  );
}
