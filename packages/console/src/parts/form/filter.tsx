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
  /** Of the request with this filter. */
  error: ShownError | undefined;
  retry: () => void;
  children: ComponentChildren;
}

/**
 * The filter of a list, without a button: a choice applies immediately, a text with Enter or once its field is left. Its
 * fields are named as those of a form, and in the address of the page without the slash.
 */
export function Filter({ path, query, error, retry, children }: FilterProps) {
  const form = useRef<HTMLFormElement>(null);
  // Navigation restores what the address says.
  useLayoutEffect(() => form.current?.reset(), [query.toString()]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget as HTMLFormElement)];
    const values = entries.map(([name, value]) => [name.slice(1), inAddress(form.current, name, String(value).trim())]);
    location.hash = hrefOf(path, { sort: query.get('sort') ?? undefined, ...Object.fromEntries(values) });
  };
  const apply = () => form.current?.requestSubmit();
  return (
    <search>
      <form
        class="filter"
        ref={form}
        onSubmit={submit}
        onChange={({ target }) => !isUnfinished(target) && apply()}
        onFocusOut={({ target }) => isTime(target) && target.value !== target.defaultValue && apply()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return;
          if (!(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          apply();
        }}
      >
        <FormErrors error={error} retry={retry}>
          {children}
        </FormErrors>
      </form>
    </search>
  );
}

/** Times are entered in the zone of the user, but an address means the same everywhere. */
function inAddress(form: HTMLFormElement | null, name: string, value: string): string {
  const control = form?.elements.namedItem(name);
  return isTime(control) && value !== '' ? new Date(value).toISOString() : value;
}

function isTime(control: unknown): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === 'datetime-local';
}

/** A time changes with each digit of its year. A field that finds objects applies what was found. */
function isUnfinished(control: unknown): boolean {
  return isTime(control) || (control instanceof HTMLInputElement && control.role === 'combobox');
}
