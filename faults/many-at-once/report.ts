import type { Figures } from '../harness/fault-injection.ts';
import type { AppState } from './app-state.ts';
import type { Violation } from './linearizability.ts';
import type { Operation } from './operations.ts';

/** Describes a violation for a person. */
export function describeViolation({ operation, concurrent, before, states }: Violation<AppState, Operation>): string {
  const line = ({ begin, end, process, request, response }: Operation) =>
    `${begin.toFixed(1)} to ${end.toFixed(1)} ms, process ${process}: ${shortened(request)} -> ${shortened(response)}`;
  return [
    `  no order explains: ${line(operation)}`,
    ...before.map((other) => `  just before: ${line(other)}`),
    ...concurrent.map((other) => `  concurrent: ${line(other)}`),
    ...states
      .slice(0, 5)
      .map(
        (state) =>
          `  possible state before: ${shortened({ ...state, installations: state.installations.size, revisions: undefined })}`,
      ),
  ].join('\n');
}

function shortened(value: object): string {
  const text = JSON.stringify(value, (name, field) =>
    name === 'installations' && Array.isArray(field) ? `${field.length} installations` : field,
  );
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}

/** The number of operations on an engine, and their outcomes. */
export function figuresOf(engine: string, operations: Operation[], seconds: number): Figures {
  const refused = operations.filter(({ response }) => response.refusal !== undefined);
  const unavailable = refused.filter(({ response }) => response.refusal === 'unavailable');
  const changes = operations.filter(
    ({ request: { kind }, response }) => !response.refusal && !['read', 'get', 'show', 'settings'].includes(kind),
  );
  return {
    [engine]: `${operations.length} operations in ${seconds.toFixed(1)} s (${changes.length} changes, ${refused.length} refused, ${unavailable.length} with 503)`,
  };
}
