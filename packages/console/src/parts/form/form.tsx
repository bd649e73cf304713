import type { ComponentChildren } from 'preact';
import { useAction } from '../../use-action.ts';
import { DialogActions } from '../dialog.tsx';
import { FormErrors } from './form-errors.tsx';

/** What was entered, by the names of the fields: JSON Pointers into the body of the request. */
export interface FormValues {
  /** Without white space around it; empty for a field that is not there. */
  text: (name: string) => string;
  /** The chosen values of a field. */
  chosen: (name: string) => string[];
}

interface FormProps {
  /** Names the form for screen readers. */
  label?: string;
  submitLabel: string;
  /** Whether what it does harms: its button is red then. */
  isDangerous?: boolean;
  /** Sends what was entered. The form shows what it throws. */
  send: (values: FormValues) => Promise<void>;
  fieldOf?: Record<string, string>;
  /** Called by a second button, "Cancel", which a form in a dialog has. */
  cancel?: () => void;
  children: ComponentChildren;
}

/** A form that sends one request. Each field has the JSON Pointer of its value as its name, and shows the errors at it. */
export function Form({ label, submitLabel, isDangerous, send, fieldOf, cancel, children }: FormProps) {
  const { isPending, error, run } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const values = valuesOf(new FormData(event.currentTarget as HTMLFormElement));
    void run(() => send(values));
  };
  const submitButton = (
    <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isPending}>
      {submitLabel}
    </button>
  );
  return (
    <form class="form" aria-label={label} onSubmit={submit}>
      <FormErrors error={error} {...(fieldOf && { fieldOf })}>
        {children}
      </FormErrors>
      {cancel ? (
        <DialogActions>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
          {submitButton}
        </DialogActions>
      ) : (
        <div>{submitButton}</div>
      )}
    </form>
  );
}

function valuesOf(form: FormData): FormValues {
  return {
    text: (name) => String(form.get(name) ?? '').trim(),
    chosen: (name) => form.getAll(name).map(String),
  };
}
