import { useId, useRef, useState } from 'preact/hooks';
import { nameAndEmailOf } from '../developer-name.tsx';
import { ListOption } from '../list-option.tsx';
import type { Hit } from '../search/hits.ts';
import { moved } from '../search/moved.ts';
import { searchedMax, useSearch } from '../search/use-search.ts';
import { Field, type FieldProps } from './fields.tsx';

type FoundDeveloper = Extract<Hit, { type: 'developer' }>;

const shownMax = 5;

interface DeveloperFieldProps extends Omit<FieldProps, 'hint'> {
  required?: boolean;
  defaultValue?: string | undefined;
  /** Whether choosing a developer submits the form, as in a filter. */
  submits?: boolean;
}

/** A field for the user id of a developer: a combobox that finds developers by name, email address or id. */
export function DeveloperField({ required, defaultValue, submits, ...field }: DeveloperFieldProps) {
  const [typed, setTyped] = useState(defaultValue ?? '');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { data, isPending } = useSearch(typed, shownMax);
  const found = typed.trim() === '' ? [] : (data?.items.filter((hit) => hit.type === 'developer') ?? []);
  const entered = found.find(({ userId }) => userId === typed.trim());
  // Enter must not choose what an earlier text has found.
  const isShown = isOpen && !isPending && found.length > 0 && !entered;
  const choose = ({ userId }: FoundDeveloper) => {
    if (input.current) input.current.value = userId;
    setTyped(userId);
    setOpen(false);
    if (submits) input.current?.form?.requestSubmit();
  };
  const onKey = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const developer = found[at];
    if (!isShown) return;
    if (move !== undefined) setAt(moved(at, move, found.length));
    else if (event.key === 'Enter' && developer) choose(developer);
    else if (event.key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <Field {...field} hint={entered && nameAndEmailOf(entered).join(', ')}>
      {(control) => (
        <div class="developer-field">
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
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
              setTyped(currentTarget.value);
              setOpen(true);
              setAt(0);
            }}
            onKeyDown={onKey}
            onBlur={() => setOpen(false)}
          />
          <div id={id} class="search-list" role="listbox" aria-label="Developers" hidden={!isShown}>
            {(isShown ? found : []).map((developer, number) => {
              const [name, email] = nameAndEmailOf(developer);
              return (
                <ListOption
                  key={developer.userId}
                  id={`${id}-${number}`}
                  isChosen={number === at}
                  choose={() => choose(developer)}
                >
                  <span dir="auto">{name}</span>
                  {email && <small class="faint">{email}</small>}
                </ListOption>
              );
            })}
          </div>
          <p class="visually-hidden" role="status">
            {isOpen && typed.trim() !== '' && !isPending && `${found.length} developers found`}
          </p>
        </div>
      )}
    </Field>
  );
}
