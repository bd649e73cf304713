import type { AppRegistryEvent } from '@appregistrar/client';

/** A value of an event: null where a field is empty, undefined where the event says nothing of it. */
type Value = string | null | undefined;

/** One value of an event, before and after. */
export interface EventLine {
  field: string;
  before: Value;
  after: Value;
}

/** The changes of an event of any type, one line per value. */
export function eventLines({ data }: Pick<AppRegistryEvent, 'data'>): EventLine[] {
  const { before, after, effective, ...others } = data as Record<string, unknown>;
  const [was, is] = [flat(before), flat(after)];
  const fields = new Set([...Object.keys(was), ...Object.keys(is)]);
  // For programs; people have the revision number.
  fields.delete('revisionNonce');
  const changes = [...fields].map((field) => ({
    field,
    before: was[field],
    after: is[field],
  }));
  const rest = Object.entries(flat(others)).map(([field, value]) => ({ field, before: undefined, after: value }));
  return [...changes, ...rest, ...effectiveLine(effective)];
}

/** Names the fields only: nearly always, the change itself has their values. */
function effectiveLine(effective: unknown): EventLine[] {
  if (effective === undefined) return [];
  const fields = effective === null ? 'nothing' : Object.keys(flat(effective)).join(', ');
  return [{ field: 'effective', before: undefined, after: fields }];
}

/** Values by path, such as `listingInfo.shortDescription`. */
function flat(value: unknown, path = ''): Record<string, Value> {
  if (value === undefined) return {};
  if (value === null || (Array.isArray(value) && value.length === 0)) return { [path]: null };
  if (Array.isArray(value)) return { [path]: value.map(textOf).join(', ') };
  if (typeof value !== 'object') return { [path]: String(value) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, nested]) =>
      Object.entries(flat(nested, path === '' ? name : `${path}.${name}`)),
    ),
  );
}

/** An item of a list, such as the message about one field. */
function textOf(item: unknown): string {
  return typeof item === 'object' && item !== null ? Object.values(item).join(': ') : String(item);
}
