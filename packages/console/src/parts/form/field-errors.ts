import { createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import type { ShownError } from '../../shown-error.ts';

type FieldError = NonNullable<ShownError['errors']>[number];

/** The fields of a form, each named by a JSON Pointer, and the errors at each of them. */
export interface FormErrors {
  fields: Set<string>;
  atFields: ReadonlyMap<string, string[]>;
}

export const FormErrorsContext = createContext<FormErrors>({ fields: new Set(), atFields: new Map() });

/** Makes a field known to its form. Returns the errors at it. */
export function useFieldErrors(name: string): string[] {
  const { fields, atFields } = useContext(FormErrorsContext);
  useLayoutEffect(() => {
    fields.add(name);
    return () => {
      fields.delete(name);
    };
  }, [fields, name]);
  return atFields.get(name) ?? [];
}

/**
 * The errors at each field, and those that concern none. The pointer of an error names its field or something in it; a
 * parameter of a query has a field of the same name.
 */
export function assignErrors(
  errors: readonly FieldError[],
  fields: Iterable<string>,
): { atFields: Map<string, string[]>; others: FieldError[] } {
  const names = [...fields];
  const fieldOf = ({ parameter, pointer = `/${parameter}` }: FieldError) =>
    names.find((name) => name === pointer || pointer.startsWith(`${name}/`)) ?? '';
  const groups = Map.groupBy(errors, fieldOf);
  const others = groups.get('') ?? [];
  groups.delete('');
  const details = [...groups].map(([name, group]) => [name, group.map(({ detail }) => detail)] as const);
  return { atFields: new Map(details), others };
}
