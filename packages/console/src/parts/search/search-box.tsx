import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, useRoute } from '../../route.ts';
import { hasScope, ScopesContext } from '../../scopes.ts';
import { sections } from '../sections.ts';
import { pageCommands } from './commands.ts';
import { hitGroups, namesOf, shownHit } from './hits.ts';
import { moved } from './moved.ts';
import { SearchList } from './search-list.tsx';
import { exactHref, optionGroups, type SearchOption, searchHref } from './search-options.ts';
import { searchedMax, useSearch } from './use-search.ts';
import { useShortcuts } from './use-shortcuts.ts';

const shownOfEachType = 5;

/**
 * Searches the registry from every page, and offers the sections and the commands of the page: a combobox whose list shows
 * the best of them while someone types. Nothing is chosen until someone chooses it.
 */
export function SearchBox() {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<number>();
  /** The text with which Enter was pressed, before the registry has responded. */
  const [entered, setEntered] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const scopes = useContext(ScopesContext);
  const { path } = useRoute();
  const openSearch = () => {
    field.current?.focus();
    field.current?.select();
    setOpen(true);
  };
  useShortcuts(openSearch);
  const close = () => {
    setOpen(false);
    setChosen(undefined);
    setEntered(undefined);
  };
  // A layout effect: the list of what is typed on the new page stays.
  useLayoutEffect(close, [path.join('/')]);
  const { data, error, isPending } = useSearch(isOpen ? text : '');
  const sought = text.trim();
  const pages = sections
    .filter(({ scope = 'read' }) => hasScope(scopes, scope))
    .map(({ path: section, name }) => ({ name, href: hrefOf([section]) }));
  const found = sought === '' ? [] : (data?.items ?? []);
  const hits = hitGroups(found, shownOfEachType);
  const groups = isOpen ? optionGroups({ typed: text, commands: pageCommands(), pages, hits }) : [];
  const options = groups.flatMap((group) => group.options);
  const isShown = isOpen && options.length > 0;
  const open = (option: SearchOption) => {
    close();
    field.current?.blur();
    option.open();
  };
  // What an earlier text has found must not be opened.
  useEffect(() => {
    if (entered === undefined || entered !== sought || isPending) return;
    close();
    field.current?.blur();
    const links = [...pages, ...found.map((hit) => ({ ...shownHit(hit), names: namesOf(hit) }))];
    location.hash = exactHref(sought, links) ?? searchHref(sought);
  }, [entered, sought, isPending]);
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[chosen ?? -1];
    if (move !== undefined) {
      setOpen(true);
      if (options.length > 0) setChosen(moved(chosen, move, options.length));
    } else if (event.key === 'Enter' && isOpen && option) open(option);
    else if (event.key === 'Enter' && sought !== '') {
      setOpen(true);
      setEntered(sought);
    } else if (event.key === 'Escape' && isShown) close();
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
        aria-keyshortcuts="/ Control+K"
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown && chosen !== undefined ? `${id}-${chosen}` : undefined}
        enterkeyhint="search"
        placeholder="Search or run a command"
        autocomplete="off"
        spellcheck={false}
        maxLength={searchedMax}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
          setChosen(undefined);
          setEntered(undefined);
        }}
        onKeyDown={onKey}
        onBlur={close}
      />
      <span class="key" aria-hidden="true">
        Ctrl K
      </span>
      <SearchList id={id} isShown={isShown} groups={groups} chosen={chosen} open={open} />
      <p class="visually-hidden" role="status">
        {isShown && sought !== '' && !isPending && (error ? error.title : `${options.length - 1} results`)}
      </p>
    </search>
  );
}
