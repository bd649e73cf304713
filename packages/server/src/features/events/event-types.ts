import type { ValidationError } from '../../kernel/problem-details.ts';
import { eventTypes } from './event.ts';

/** The types of a list. An unknown one is an error, as for a webhook: its reader would wait forever. */
export function readEventTypes(text: string, errors: ValidationError[]): string[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.filter((type) => !eventTypes.some((known) => known === type));
  if (unknown.length > 0) {
    const detail = `No event has the type ${unknown.map((type) => JSON.stringify(type)).join(' or ')}. Correct it. If a later release added the type, upgrade every server first.`;
    errors.push({ pointer: '/types', code: 'not_allowed', detail });
  }
  return types;
}
