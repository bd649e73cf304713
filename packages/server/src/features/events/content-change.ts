import type { EventRow } from '../../storage/tables.ts';
import { appContentFields, type ContentPath, contentValue } from '../apps/app-content-fields.ts';

/** A field and a text, at least one of which is given. */
export interface ContentSearch {
  field?: ContentPath | undefined;
  contains?: string | undefined;
}

/** Whether a query is about the content of apps. */
export function isContentSearch({ field, contains }: ContentSearch): boolean {
  return field !== undefined || contains !== undefined;
}

/**
 * Whether an event changed a field (any field, if none is given) from or to a value that contains the text, regardless
 * of case.
 */
export function contentChangeMatcher({ field, contains }: ContentSearch): (event: EventRow) => boolean {
  const fields = appContentFields.filter(({ path }) => field === undefined || path === field);
  const wanted = contains === undefined ? undefined : fold(contains);
  const trace = traceInJson({ field, contains });
  return ({ before, after }) => {
    // Most events are dismissed without parsing them.
    if (!hasTrace(before, trace) && !hasTrace(after, trace)) return false;
    const [was, is] = [before, after].map((text) => JSON.parse(text ?? '{}'));
    return fields.some((one) => isChange([contentValue(was, one), contentValue(is, one)], wanted));
  };
}

/** A text that the JSON of every event that matches contains, folded. */
function traceInJson({ field, contains }: ContentSearch): string {
  if (contains !== undefined) return fold(JSON.stringify(contains).slice(1, -1));
  return fold(`"${field?.split('.').at(-1)}":`);
}

function hasTrace(text: string | null, trace: string): boolean {
  return text !== null && fold(text).includes(trace);
}

/** A value is undefined where the event does not name the field, such as before a creation, which sets every field. */
function isChange(values: [was: Value, is: Value], wanted: string | undefined): boolean {
  if (values[0] === values[1]) return false;
  return wanted === undefined || values.some((value) => typeof value === 'string' && fold(value).includes(wanted));
}

type Value = ReturnType<typeof contentValue>;

/** Upper case, because the lower case of a sigma depends on its neighbours: a part of a text must be found in it. */
function fold(text: string): string {
  return text.toUpperCase();
}
