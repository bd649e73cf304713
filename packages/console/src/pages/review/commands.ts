import { useContext } from 'preact/hooks';
import { sections } from '../../parts/sections.ts';
import { hrefOf } from '../../route.ts';
import { hasScope, ScopesContext } from '../../scopes.ts';
import type { Command } from './palette.tsx';
import { steps } from './steps.ts';
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

/** What the palette offers: what can be done with the app that is open, the apps of the queue, and the pages. */
export function useCommands({ queue, decision, claim, place, openHelp }: CommandsProps): Command[] {
  const scopes = useContext(ScopesContext);
  const { possible, choose, unsent, undo } = decision;
  return [
    ...possible.map((name) => ({ name: steps[name].name, group: 'This app', run: () => choose(name) })),
    ...(claim.name === undefined ? [] : [{ name: claim.name, group: 'This app', run: claim.run }]),
    ...(unsent.waiting.length > 0 ? [{ name: 'Undo', group: 'Review', run: undo }] : []),
    { name: 'Keyboard shortcuts', group: 'Help', run: openHelp },
    ...(queue.items ?? []).map(({ app }) => ({ name: app.name, group: 'Queue', run: () => place.open(app.id) })),
    ...sections
      .filter(({ scope = 'read' }) => hasScope(scopes, scope))
      .map(({ path, name }) => ({
        name,
        group: 'Page',
        run: () => {
          location.hash = hrefOf([path]);
        },
      })),
  ];
}
