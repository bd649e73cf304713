import { ArrowDown, ArrowUp } from 'lucide';
import { hrefOf } from '../../route.ts';
import { Icon } from '../icon.tsx';

interface SortHeaderProps {
  /** What the operator API calls the order. */
  name: string;
  label: string;
  path: string[];
  /** The query of the address, which holds the filter and the order. */
  query: URLSearchParams;
}

/** The header of a column that sorts the list: a link, so that an order has an address and Back undoes it. */
export function SortHeader({ name, label, path, query }: SortHeaderProps) {
  const sort = query.get('sort');
  const isAscending = sort === name;
  const isDescending = sort === `-${name}`;
  const { cursor: _, ...others } = Object.fromEntries(query);
  return (
    <th scope="col" aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}>
      <a class="sort" href={hrefOf(path, { ...others, sort: isAscending ? `-${name}` : name })}>
        {label}
        {(isAscending || isDescending) && <Icon of={isAscending ? ArrowUp : ArrowDown} size={14} />}
      </a>
    </th>
  );
}
