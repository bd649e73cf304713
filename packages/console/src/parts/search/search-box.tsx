import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../../pages/review/keys.ts';
import { useRoute } from '../../route.ts';
import { hitGroups, searchHref } from './hits.ts';
import { moved } from './moved.ts';
import { SearchList, type SearchOption } from './search-list.tsx';
import { searchedMax, useSearch } from './use-search.ts';

const shownOfEachType = 5;

/** Searches the registry from every page: a combobox whose list shows the best hits while someone types. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const { path } = useRoute();
  // The review mode filters its queue by this key.
  useKeys(path[0] === 'review' ? {} : { '/': () => field.current?.focus() });
  const close = () => {
    setOpen(false);
    setChosen(undefined);
  };
  // A layout effect: the list of what is typed on the new page stays.
  useLayoutEffect(close, [path.join('/')]);
  const { data, error, isPending } = useSearch(isOpen ? text : '');
  const sought = text.trim();
  const groups = hitGroups(data?.items ?? [], shownOfEachType);
  const all: SearchOption = { name: `All results for “${sought}”`, detail: '', href: searchHref(sought) };
  const options = [...groups.flatMap(({ hits }) => hits), all];
  const isShown = isOpen && sought !== '';
  const open = ({ href }: SearchOption) => {
    close();
    field.current?.blur();
    location.hash = href;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && sought !== '') {
      setOpen(true);
      setChosen(moved(chosen, move, options.length));
    } else if (event.key === 'Enter' && sought !== '') open(options[chosen ?? -1] ?? all);
    else if (event.key === 'Escape' && isShown) close();
    else return;
    event.preventDefault();
  };
  return (
    <search class="search-box">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search the registry"
        aria-keyshortcuts="/"
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown && chosen !== undefined ? `${id}-${chosen}` : undefined}
        enterkeyhint="search"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        maxLength={searchedMax}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
          setChosen(undefined);
        }}
        onKeyDown={onKey}
        onBlur={close}
      />
      <SearchList id={id} isShown={isShown} groups={groups} all={all} chosen={chosen} open={open} />
      <p class="visually-hidden" role="status">
        {isShown && !isPending && (error ? error.title : `${options.length - 1} results`)}
      </p>
    </search>
  );
}
