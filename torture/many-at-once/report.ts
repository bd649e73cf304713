import type { Figures } from '../frame/torture.ts';
import type { AppState, Operation } from './app-model.ts';
import type { AppClient } from './app-client.ts';
import type { Violation } from './linearizability.ts';

/** What a person needs to see the fault. */
export function toldOf({ operation, under, before, states }: Violation<AppState, Operation>): string {
  const line = ({ begin, end, process, question, told }: Operation) =>
    `${begin.toFixed(1)} to ${end.toFixed(1)} ms, process ${process}: ${shortly(question)} -> ${shortly(told)}`;
  return [
    `  answered: ${line(operation)}`,
    ...before.map((other) => `  just before: ${line(other)}`),
    ...under.map((other) => `  under way: ${line(other)}`),
    ...states
      .slice(0, 5)
      .map((state) => `  possible before: ${shortly({ ...state, installations: state.installations.size })}`),
  ].join('\n');
}

function shortly(value: object): string {
  const text = JSON.stringify(value, (name, member) =>
    name === 'installations' && Array.isArray(member) ? `${member.length} of them` : member,
  );
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}

/** What was asked of all apps on an engine, and how it ended. */
export function figuresOf(engine: string, clients: AppClient[], seconds: number): Figures {
  const operations = clients.flatMap(({ history }) => history);
  const refused = operations.filter(({ told }) => told.refusal !== undefined);
  const changes = operations.filter(
    ({ question: { kind }, told }) => !told.refusal && !['read', 'get', 'show'].includes(kind),
  );
  return {
    [engine]: `${operations.length} operations in ${seconds.toFixed(1)} s (${changes.length} changes, ${refused.length} refused, ${refused.filter(({ told }) => told.refusal === 'unavailable').length} by 503)`,
  };
}
