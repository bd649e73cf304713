import type { Revocation } from '@appregistrar/client/operator';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEscape } from '../../use-escape.ts';

const reasonCharactersMax = 2_000;

interface ReasonFormProps {
  /** Of the button that sends the reason. */
  label: string;
  /** Whether the decision may disable installations too. */
  canDisable: boolean;
  /** The text typed so far, which is restored when the form is opened again. */
  typed: { current: string };
  isPending: boolean;
  send: (details: Revocation) => void;
  cancel: () => void;
}

/** The form for the reason of a decision, which is shared with the developer. */
export function ReasonForm({ label, canDisable, typed, isPending, send, cancel }: ReasonFormProps) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [disablesInstallations, setDisablesInstallations] = useState(false);
  useEscape(true, cancel);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    text.current?.focus();
    return () => opener?.focus();
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send({ message: typed.current, ...(disablesInstallations && { disableInstallations: true }) });
  };
  return (
    <form class="reason" onSubmit={submit}>
      <label>
        Reason (shared with the developer)
        <textarea
          ref={text}
          required
          rows={4}
          maxLength={reasonCharactersMax}
          dir="auto"
          defaultValue={typed.current}
          onInput={({ currentTarget }) => {
            typed.current = currentTarget.value;
          }}
        />
      </label>
      {canDisable && (
        <label class="choice">
          <input
            type="checkbox"
            checked={disablesInstallations}
            onChange={({ currentTarget }) => setDisablesInstallations(currentTarget.checked)}
          />
          Disable every installation until the app is approved again
        </label>
      )}
      <div>
        <button type="submit" class="danger" disabled={isPending}>
          {label}
        </button>{' '}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
