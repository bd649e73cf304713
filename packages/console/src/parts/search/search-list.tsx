import { ListOption } from '../list-option.tsx';
import type { OptionGroup, SearchOption } from './search-options.ts';

interface SearchListProps {
  id: string;
  isShown: boolean;
  groups: OptionGroup[];
  /** The number of the chosen option, if any. */
  chosen: number | undefined;
  open: (option: SearchOption) => void;
}

/** The options below the search box, in their groups. The field keeps the focus. */
export function SearchList({ id, isShown, groups, chosen, open }: SearchListProps) {
  let at = -1;
  const option = (shown: SearchOption) => {
    at += 1;
    return <Option key={`${at}`} id={`${id}-${at}`} shown={shown} isChosen={at === chosen} open={() => open(shown)} />;
  };
  return (
    <div id={id} class="search-list" role="listbox" aria-label="Results" hidden={!isShown}>
      {groups.map(({ name, options }, number) =>
        name === '' ? (
          options.map(option)
        ) : (
          // A list in a list box would not be one of its options.
          // biome-ignore lint/a11y/useSemanticElements: see above
          <div key={name} role="group" aria-labelledby={`${id}-group-${number}`}>
            <div id={`${id}-group-${number}`} class="search-group" role="presentation">
              {name}
            </div>
            {options.map(option)}
          </div>
        ),
      )}
    </div>
  );
}

interface OptionProps {
  id: string;
  shown: Pick<SearchOption, 'name' | 'detail'>;
  isChosen: boolean;
  open: () => void;
}

/** A hit or a command as an option: its name and what distinguishes it. */
export function Option({ id, shown, isChosen, open }: OptionProps) {
  return (
    <ListOption id={id} isChosen={isChosen} choose={open}>
      <span dir="auto">{shown.name}</span>
      {shown.detail && (
        <small class="faint" dir="auto">
          {shown.detail}
        </small>
      )}
    </ListOption>
  );
}
