import type Type from 'typebox';
import { requireValid } from '../../kernel/failure.ts';

/**
 * The parameters of a query, as values of the types in their schema. Refuses, with all errors, those that are of
 * another type or out of bounds, unknown, or given twice.
 */
export function readQuery(schema: Type.TObject, query: unknown): Record<string, unknown> {
  const values = Object.fromEntries(
    Object.entries(query ?? {}).map(([name, text]) => [name, typedValue(text, typeOf(schema, name))]),
  );
  requireValid(schema, values);
  return values;
}

/** A query has only text; text that is not a value of the type stays text, for the schema to refuse. */
function typedValue(text: unknown, type: unknown): unknown {
  if (type === 'integer' && typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf({ properties }: Type.TObject, name: string): unknown {
  const schema: { type?: unknown } | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema?.type;
}
