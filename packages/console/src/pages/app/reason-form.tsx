import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReviewDetails } from '../../api/operations.ts';
import { useEscape } from '../../use-escape.ts';

const reasonCharactersMax = 2_000;

interface ReasonFormProps {
  step: 'reject' | 'revoke';
  /** The text typed so far, which is restored when the form is opened again. */
  typed: { current: string };
  isPending: boolean;
  send: (details: ReviewDetails) => void;
  cancel: () => void;
}

/** Asks for the reason of a decision, which is shared with the developer. */
export function ReasonForm({ step, typed, isPending, send, cancel }: ReasonFormProps) {
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
    send({ reason: typed.current, ...(step === 'revoke' && disablesInstallations && { disableInstallations: true }) });
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
      {step === 'revoke' && (
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
          {step === 'reject' ? 'Reject the app' : 'Revoke the approval'}
        </button>{' '}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
