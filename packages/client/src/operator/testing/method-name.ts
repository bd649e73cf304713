import type { OperatorClient } from '../operator-client.ts';
import { calls } from './calls.ts';

/** The method of the client that requests an operation, such as `apps.approve`. */
export function methodName(operationId: keyof typeof calls): string {
  const path: string[] = [];
  const recorder: unknown = new Proxy(() => undefined, {
    get(_, name) {
      path.push(String(name));
      return recorder;
    },
  });
  calls[operationId](recorder as OperatorClient);
  return path.join('.');
}
