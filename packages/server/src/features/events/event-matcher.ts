import type { EventRow } from '../../storage/tables.ts';
import { contentChangeMatcher, isContentSearch } from './content-change.ts';
import { contentEventTypes } from './event-queries.ts';
import type { EventQuery } from './event-query.ts';
import { readEventTypes } from './event-types.ts';

/** The criteria of a search among the events of a list. */
type Search = Pick<EventQuery, 'field' | 'contains' | 'types' | 'effectiveOnly' | 'about'>;

/** Whether events are searched instead of listed. */
export function isEventSearch({ types, effectiveOnly, about, ...content }: Search): boolean {
  return isContentSearch(content) || types !== undefined || effectiveOnly === true || about !== undefined;
}

/** Whether an event has one of the types, carries `effective`, names the object and changes the content, as far as those are given. */
export function eventMatcher({ types, effectiveOnly, about, ...content }: Search): (event: EventRow) => boolean {
  const wanted = types === undefined ? undefined : new Set(readEventTypes(types, []));
  const conditions = [
    ...(wanted ? [({ type }: EventRow) => wanted.has(type)] : []),
    ...(effectiveOnly ? [({ effective }: EventRow) => effective !== null] : []),
    ...(about === undefined ? [] : [nameMatcher(about)]),
    ...(isContentSearch(content) ? [contentChangeMatcher(content)] : []),
  ];
  return (event) => conditions.every((matches) => matches(event));
}

/** The types of events of which a search reads the data; undefined for all. */
export function typesToRead({ types, about, ...content }: Search): readonly string[] | undefined {
  if (isContentSearch(content)) return contentEventTypes;
  return types === undefined ? undefined : readEventTypes(types, []);
}

/** Ids have no characters that JSON escapes. */
function nameMatcher(id: string): (event: EventRow) => boolean {
  const inJson = JSON.stringify(id);
  return ({ subject_id: subject, app_id: app, before, after, details, effective }) =>
    subject === id || app === id || [before, after, details, effective].some((data) => data?.includes(inJson));
}
