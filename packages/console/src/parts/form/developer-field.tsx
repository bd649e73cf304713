import type { SearchHit } from '@appregistrar/client/operator';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shownHit } from '../search/hits.ts';
import { moved } from '../search/moved.ts';
import { Option } from '../search/search-list.tsx';
import { searchedMax, useSearch } from '../search/use-search.ts';
import { Field, type FieldProps } from './fields.tsx';

type FoundDeveloper = Extract<SearchHit, { type: 'developer' }>;

const shownMax = 5;

interface DeveloperFieldProps extends Omit<FieldProps, 'hint'> {
  required?: boolean;
  defaultValue?: string | undefined;
  /** Whether the form is submitted once a developer is chosen or recognised, or the field is cleared, as in a filter. */
  submits?: boolean;
}

/** A field for the user id of a developer: a combobox that finds developers by name, email address or id. */
export function DeveloperField({ required, defaultValue = '', submits, ...field }: DeveloperFieldProps) {
  const [typed, setTyped] = useState(defaultValue);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const sought = typed.trim();
  const { data, error, isPending } = useSearch(typed, { type: ['developer'], limit: shownMax });
  const found = sought === '' ? [] : (data?.items.filter((hit) => hit.type === 'developer') ?? []);
  const recognised = found.find(({ id: userId }) => userId === sought);
  const at = Math.min(chosen, found.length - 1);
  const isShown = isOpen && found.length > 0 && !recognised;

  useLayoutEffect(() => {
    const form = input.current?.form;
    const onReset = () => {
      setTyped(input.current?.defaultValue ?? '');
      setOpen(false);
    };
    form?.addEventListener('reset', onReset);
    return () => form?.removeEventListener('reset', onReset);
  }, []);
  const submitted = submits && recognised?.id !== defaultValue ? recognised?.id : undefined;
  useEffect(() => {
    if (submitted !== undefined) input.current?.form?.requestSubmit();
  }, [submitted]);

  const choose = ({ id: userId }: FoundDeveloper) => {
    if (input.current) input.current.value = userId;
    setTyped(userId);
    setOpen(false);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const developer = found[at];
    if (move !== undefined && developer && !recognised) {
      setOpen(true);
      if (isShown) setChosen(moved(at, move, found.length));
    } else if (event.key === 'Enter' && isShown && developer) {
      // What an earlier text has found is still shown, but not to be chosen.
      if (!isPending) choose(developer);
    } else if (event.key === 'Escape' && isOpen && (isShown || isPending)) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <Field {...field}>
      {(control) => (
        <div class="developer-field">
          <p id={`${id}-status`} class={isShown ? 'visually-hidden' : 'hint'} role="status">
            {status()}
          </p>
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            aria-describedby={`${control['aria-describedby'] ?? ''} ${id}-status`.trim()}
            aria-expanded={isShown}
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={isShown ? `${id}-${at}` : undefined}
            placeholder="Name, email address or user id"
            autocomplete="off"
            spellcheck={false}
            dir="auto"
            maxLength={searchedMax}
            required={required}
            defaultValue={defaultValue}
            onInput={({ currentTarget }) => {
              const { value, form } = currentTarget;
              setTyped(value);
              setOpen(true);
              setChosen(0);
              if (submits && value === '' && defaultValue !== '') form?.requestSubmit();
            }}
            onKeyDown={onKey}
            onBlur={() => setOpen(false)}
          />
          <div id={id} class="search-list" role="listbox" aria-label="Developers" hidden={!isShown}>
            {(isShown ? found : []).map((developer, number) => (
              <Option
                key={developer.id}
                id={`${id}-${number}`}
                shown={shownHit(developer)}
                isChosen={number === at}
                open={() => choose(developer)}
              />
            ))}
          </div>
        </div>
      )}
    </Field>
  );

  /** The developer whose id is entered, or what the search of the text has come to. */
  function status(): string {
    if (recognised) {
      const { name, detail } = shownHit(recognised);
      return detail === '' ? name : `${name}, ${detail}`;
    }
    if (!isOpen || sought === '' || isPending) return '';
    if (error) return error.title;
    if (found.length === 0) return 'No developer found.';
    return found.length === 1 ? '1 developer found' : `${found.length} developers found`;
  }
}
