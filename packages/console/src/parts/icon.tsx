import type { IconNode } from 'lucide';
import { h } from 'preact';

/** An icon of Lucide, in the colour of the text beside it, which says what it means. */
export function Icon({ of, size = 18 }: { of: IconNode; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([element, attributes], at) => h(element, { key: at, ...attributes }))}
    </svg>
  );
}
