import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEscape } from '../use-escape.ts';

interface ConfirmedButtonProps {
  label: string;
  /** Names the object, for those who do not see the context of the button. */
  subject?: string;
  /** The label of the second button. */
  confirmLabel: string;
  disabled: boolean;
  onConfirm: () => void;
}

/**
 * A button for an action that cannot be undone: it asks for confirmation. "Cancel" takes the place and the focus of the
 * first button, so that a double click does nothing.
 */
export function ConfirmedButton({ label, subject, confirmLabel, disabled, onConfirm }: ConfirmedButtonProps) {
  const [state, setState] = useState<'idle' | 'confirming' | 'cancelled'>('idle');
  const nextFocus = useRef<HTMLButtonElement>(null);
  const cancel = useCallback(() => setState('cancelled'), []);
  useEscape(state === 'confirming', cancel);
  useLayoutEffect(() => {
    if (state !== 'idle') nextFocus.current?.focus();
  }, [state]);
  if (state !== 'confirming') {
    const start = () => setState('confirming');
    return (
      <button
        type="button"
        key="start"
        ref={nextFocus}
        aria-label={subject && `${label} ${subject}`}
        disabled={disabled}
        onClick={start}
      >
        {label}
      </button>
    );
  }
  const confirm = () => {
    setState('idle');
    onConfirm();
  };
  return (
    <span class="choices" key="choices">
      <button type="button" ref={nextFocus} onClick={cancel}>
        Cancel
      </button>
      <button type="button" class="danger" disabled={disabled} onClick={confirm}>
        {confirmLabel}
      </button>
    </span>
  );
}
