import { useEscape } from '../../use-escape.ts';
import { KeyCap } from './key-cap.tsx';
import type { Decision } from './use-decision.ts';
import { type Selection, whyAlone } from './use-selection.ts';

/** What can be done with the selected apps, in place of the steps of one. */
export function SelectionBar({ selection, decision }: { selection: Selection; decision: Decision }) {
  const { items, clear } = selection;
  const alone = items.flatMap((item) => {
    const why = whyAlone(item);
    return why === undefined ? [] : [{ name: item.app.name, why }];
  });
  const count = items.length - alone.length;
  useEscape(true, clear);
  return (
    <div class="decision-steps" role="status">
      <p key={JSON.stringify([items.length, alone])} class="selected">
        {items.length} selected
        {alone.map(({ name, why }) => (
          <span key={name} class="faint">
            {' · '}
            <bdi translate={false}>{name}</bdi> needs a decision of its own: {why}
          </span>
        ))}
      </p>
      <button type="button" class="quiet" onClick={clear}>
        Clear <KeyCap of="Esc" />
      </button>
      {count > 0 && (
        <button
          key={count}
          type="button"
          class="primary"
          aria-keyshortcuts="A"
          disabled={decision.isPending}
          onClick={() => decision.approveTogether(selection)}
        >
          Approve {count} together <KeyCap of="A" />
        </button>
      )}
    </div>
  );
}
