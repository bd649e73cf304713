import { SearchX } from 'lucide';
import { hrefOf } from '../route.ts';
import { Empty } from './empty.tsx';

/** Stands where no object of a list matches the filter. */
export function NoMatches({ of, path, query }: { of: string; path: string[]; query?: Record<string, string> }) {
  return (
    <Empty icon={SearchX} text={`No matching ${of}.`}>
      <a href={hrefOf(path, query)}>Show all {of}</a>
    </Empty>
  );
}
