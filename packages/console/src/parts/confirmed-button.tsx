import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEscape } from '../use-escape.ts';

interface ConfirmedButtonProps {
  name: string;
  /** Tells it from others of its name, for those who do not see what it stands beside. */
  of?: string;
  /** What the second button says. */
  sure: string;
  disabled: boolean;
  onConfirm: () => void;
}

/**
 * For what cannot be undone: it is asked for twice. The keyboard goes to what keeps, which stands where the first button
 * was, so that whoever presses twice has done nothing.
 */
export function ConfirmedButton({ name, of, sure, disabled, onConfirm }: ConfirmedButtonProps) {
  const [state, setState] = useState<'at rest' | 'asked' | 'kept'>('at rest');
  const next = useRef<HTMLButtonElement>(null);
  const keep = useCallback(() => setState('kept'), []);
  useEscape(state === 'asked', keep);
  useLayoutEffect(() => {
    if (state !== 'at rest') next.current?.focus();
  }, [state]);
  if (state !== 'asked') {
    const ask = () => setState('asked');
    return (
      <button type="button" key="ask" ref={next} aria-label={of && `${name} ${of}`} disabled={disabled} onClick={ask}>
        {name}
      </button>
    );
  }
  const confirm = () => {
    setState('at rest');
    onConfirm();
  };
  return (
    <span class="choices" key="choices">
      <button type="button" ref={next} onClick={keep}>
        Keep
      </button>
      <button type="button" class="danger" disabled={disabled} onClick={confirm}>
        {sure}
      </button>
    </span>
  );
}
