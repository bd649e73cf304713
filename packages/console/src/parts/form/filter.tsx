import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../../route.ts';
import type { ShownError } from '../../shown-error.ts';
import { FormErrors } from './form-errors.tsx';

interface FilterProps {
  /** The page that is filtered. */
  path: string[];
  /** The query of its address, which holds the filter. */
  query: URLSearchParams;
  submitLabel?: string;
  /** Of the request with this filter. */
  error: ShownError | undefined;
  retry: () => void;
  children: ComponentChildren;
}

/** The filter of a list. Its fields are named as those of a form, and in the address of the page without the slash. */
export function Filter({ path, query, submitLabel = 'Filter', error, retry, children }: FilterProps) {
  const form = useRef<HTMLFormElement>(null);
  // Navigation restores what the address says.
  useLayoutEffect(() => form.current?.reset(), [query.toString()]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget as HTMLFormElement)];
    const values = entries.map(([name, value]) => [name.slice(1), inAddress(form.current, name, String(value).trim())]);
    location.hash = hrefOf(path, { sort: query.get('sort') ?? undefined, ...Object.fromEntries(values) });
  };
  return (
    <search>
      <form class="filter" ref={form} onSubmit={submit}>
        <FormErrors error={error} retry={retry}>
          {children}
        </FormErrors>
        <button type="submit">{submitLabel}</button>
      </form>
    </search>
  );
}

/** Times are entered in the zone of the user, but an address means the same everywhere. */
function inAddress(form: HTMLFormElement | null, name: string, value: string): string {
  const control = form?.elements.namedItem(name);
  const isTime = control instanceof HTMLInputElement && control.type === 'datetime-local';
  return isTime && value !== '' ? new Date(value).toISOString() : value;
}
