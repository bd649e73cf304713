import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ShownError } from '../../shown-error.ts';
import { RequestError } from '../request-error.tsx';
import { assignErrors, FormErrorsContext } from './field-errors.ts';

interface FormErrorsProps {
  error: ShownError | undefined;
  /** The fields that refusals without pointers concern, by problem code. */
  fieldOf?: Record<string, string>;
  /** Repeats the request after an error that is at no field. */
  retry?: () => void;
  children: ComponentChildren;
}

/** Shows the errors of a request at the fields they concern, the first of which gets the focus, and the rest below. */
export function FormErrors({ error, fieldOf = {}, retry, children }: FormErrorsProps) {
  const container = useRef<HTMLDivElement>(null);
  const fields = useRef(new Set<string>()).current;
  const { atFields, others } = assignErrors(errorsOf(error, fieldOf), fields);
  // The fields show their errors only after this component is rendered.
  useEffect(() => {
    if (error) container.current?.querySelector<HTMLElement>('.field.invalid :is(input, select, textarea)')?.focus();
  }, [error]);
  const isAtFields = atFields.size > 0 && others.length === 0;
  return (
    <FormErrorsContext.Provider value={{ fields, atFields }}>
      <div class="fields" ref={container}>
        {children}
      </div>
      {error && !isAtFields && <RequestError error={withErrors(error, others)} {...(retry && { retry })} />}
    </FormErrorsContext.Provider>
  );
}

function withErrors({ errors: _, ...error }: ShownError, others: NonNullable<ShownError['errors']>): ShownError {
  return others.length > 0 ? { ...error, errors: others } : error;
}

function errorsOf(error: ShownError | undefined, fieldOf: Record<string, string>): NonNullable<ShownError['errors']> {
  if (error?.errors) return error.errors;
  const pointer = error?.code === undefined ? undefined : fieldOf[error.code];
  return error && pointer !== undefined ? [{ pointer, code: 'refused', detail: error.detail }] : [];
}
