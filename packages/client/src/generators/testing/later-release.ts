/** Values that a later release may extend, by the name of their field. */
const extensible = new Set(['code', 'kind']);

/** A body as a later release may send it: a new field in each object, new values, and an event of a new type in a list. */
export function asOfLaterRelease(body: unknown): unknown {
  if (Array.isArray(body)) return [...body, ...body.filter(isEvent).slice(0, 1).map(asOfNewType)].map(asOfLaterRelease);
  if (typeof body !== 'object' || body === null) return body;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    extensible.has(name) ? 'of_a_later_release' : asOfLaterRelease(value),
  ]);
  return { ...Object.fromEntries(fields), futureField: { since: 'a later release' } };
}

/** An event of a type that only a later release knows. */
export function asOfNewType(event: object): object {
  return { ...event, type: 'app.archived', data: { after: { archivedBy: 'user_1' } } };
}

function isEvent(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'subjectId' in value && 'actor' in value;
}
