import type { ValidationError } from '../contract/problem.ts';
import { toTypeId } from './type-id.ts';

/** Reads ids that the platform has given, and gathers the faults of those that are none. */
export class PlatformIds {
  readonly faults: ValidationError[] = [];

  /** The id as it is stored (decision 5). Meaningless once `faults` holds something. */
  read(text: string, prefix: string, pointer: string): string {
    const id = toTypeId(text, prefix);
    if (id !== null) return id;
    this.faults.push({
      pointer,
      code: 'invalid_format',
      detail: `The value must be a TypeID that begins with ${prefix}_, or a UUID.`,
    });
    return text;
  }
}
