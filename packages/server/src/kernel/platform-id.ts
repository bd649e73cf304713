import type { ValidationError } from './problem-details.ts';
import { toTypeId } from './type-id.ts';

/** Reads ids that the platform assigns, and collects the validation errors of malformed ones. */
export class PlatformIds {
  readonly errors: ValidationError[] = [];

  /** The id as it is stored (decision 5). Meaningless once `errors` holds something. */
  read(text: string, prefix: string, pointer: string): string {
    const id = toTypeId(text, prefix);
    if (id !== null) return id;
    this.errors.push({
      pointer,
      code: 'invalid_format',
      detail: `The value must be a TypeID that starts with ${prefix}_, or a UUID.`,
    });
    return text;
  }
}
