import { type Command, usePageCommands } from '../../parts/search/commands.ts';
import { type Step, type StepName, steps } from './steps.ts';
import type { useClaim } from './use-claim.ts';
import type { Decision } from './use-decision.ts';
import type { Place } from './use-place.ts';
import type { Queue } from './use-queue.ts';

interface CommandsProps {
  queue: Queue;
  decision: Decision;
  claim: ReturnType<typeof useClaim>;
  place: Place;
  openHelp: () => void;
}

/** Offers in the search box what can be done with the app that is open, and the apps of the queue. */
export function useCommands({ queue, decision, claim, place, openHelp }: CommandsProps): void {
  const { possible, choose, unsent, undo } = decision;
  const stepCommand = (name: StepName): Command => {
    const step: Step = steps[name];
    return { name: step.name, group: 'This app', key: step.key?.toUpperCase(), run: () => choose(name) };
  };
  usePageCommands([
    ...possible.map(stepCommand),
    ...(claim.name === undefined ? [] : [{ name: claim.name, group: 'This app', key: 'C', run: claim.run }]),
    ...(unsent.waiting.length > 0 ? [{ name: 'Undo', group: 'Review', key: 'Z', run: undo }] : []),
    { name: 'Keyboard shortcuts', group: 'Review', key: '?', run: openHelp },
    ...(queue.items ?? []).map(({ app }) => ({ name: app.name, group: 'Queue', run: () => place.open(app.id) })),
  ]);
}
