import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReviewDetails } from '../../api/operations.ts';
import { useEscape } from '../../use-escape.ts';

const reasonCharactersMax = 2_000;

interface ReasonFormProps {
  step: 'reject' | 'revoke';
  /** What was typed so far, which is there again after leaving the form. */
  typed: { current: string };
  isAsking: boolean;
  send: (details: ReviewDetails) => void;
  cancel: () => void;
}

/** Asks for the reason of a decision, which the developer is told. */
export function ReasonForm({ step, typed, isAsking, send, cancel }: ReasonFormProps) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [disables, setDisables] = useState(false);
  useEscape(true, cancel);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    text.current?.focus();
    return () => opener?.focus();
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send({ reason: typed.current, ...(step === 'revoke' && disables && { disableInstallations: true }) });
  };
  return (
    <form class="reason" onSubmit={submit}>
      <label>
        Reason, which the developer is told
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
            checked={disables}
            onChange={({ currentTarget }) => setDisables(currentTarget.checked)}
          />
          Disable every installation until the app is approved again
        </label>
      )}
      <div>
        <button type="submit" class="danger" disabled={isAsking}>
          {step === 'reject' ? 'Reject the app' : 'Revoke the approval'}
        </button>{' '}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
