// One way to read what later releases may extend, compiled with the types of each generator.
import { isOfType } from './is-of-type';
import type { Event, Problem, QueueItem } from './sample';

/** A problem that the registry has reported. */
class Refusal extends Error {
  readonly status: number;
  readonly label: string;
  readonly pointers: string[];

  constructor(status: number, label: string, pointers: string[]) {
    super(label);
    this.status = status;
    this.label = label;
    this.pointers = pointers;
  }
}

export function refusal({ status, code, errors = [] }: Problem): Refusal {
  return new Refusal(
    status,
    labelOfCode(code),
    errors.map(({ pointer = '' }) => pointer),
  );
}

function labelOfCode(code: Problem['code']): string {
  switch (code) {
    case 'app_not_found':
      return 'no app';
    case 'invalid_content':
      return 'invalid';
    default:
      return 'unknown';
  }
}

export function labelOfKind(kind: QueueItem['kind']): string {
  switch (kind) {
    case 'submission':
    case 'change':
    case 'transfer':
      return kind;
    default:
      return 'unknown';
  }
}

export function labelOfEvent(event: Event): string {
  if (isOfType(event, 'app.approved')) return `approved revision ${event.data.after.revision}`;
  switch (event.type) {
    case 'app.created':
    case 'app.updated':
    case 'app.submitted':
      return event.type;
    default:
      return 'unknown';
  }
}
