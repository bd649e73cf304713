import { ListOption } from '../list-option.tsx';
import type { HitGroup, ShownHit } from './hits.ts';

export type SearchOption = ShownHit;

interface SearchListProps {
  id: string;
  isShown: boolean;
  groups: HitGroup[];
  /** Leads to the page of all results. */
  all: SearchOption;
  /** The number of the chosen option, if any. */
  chosen: number | undefined;
  open: (option: SearchOption) => void;
}

/** The hits below the search box, by type. The field keeps the focus. */
export function SearchList({ id, isShown, groups, all, chosen, open }: SearchListProps) {
  let at = -1;
  const option = (shown: SearchOption) => {
    at += 1;
    return <Option key={`${at}`} id={`${id}-${at}`} shown={shown} isChosen={at === chosen} open={open} />;
  };
  return (
    <div id={id} class="search-list" role="listbox" aria-label="Results" hidden={!isShown}>
      {groups.map(({ type, name, hits }) => (
        // A list in a list box would not be one of its options.
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div key={type} role="group" aria-labelledby={`${id}-${type}`}>
          <div id={`${id}-${type}`} class="search-group" role="presentation">
            {name}
          </div>
          {hits.map(option)}
        </div>
      ))}
      {option(all)}
    </div>
  );
}

interface OptionProps {
  id: string;
  shown: SearchOption;
  isChosen: boolean;
  open: (option: SearchOption) => void;
}

/** A hit as an option: its name and what distinguishes it. */
export function Option({ id, shown, isChosen, open }: OptionProps) {
  return (
    <ListOption id={id} isChosen={isChosen} choose={() => open(shown)}>
      <span dir="auto">{shown.name}</span>
      {shown.detail && (
        <small class="faint" dir="auto">
          {shown.detail}
        </small>
      )}
    </ListOption>
  );
}
