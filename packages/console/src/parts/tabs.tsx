import { hrefOf } from '../route.ts';

interface Tab {
  path: string[];
  name: string;
}

/** The pages of the activity of the registry: each event, and what they come to. */
export const activityTabs = {
  events: { path: ['events'], name: 'Events' },
  overview: { path: ['overview'], name: 'Overview' },
};

interface TabsProps<Key extends string> {
  /** What they are parts of. */
  of: string;
  tabs: Record<Key, Tab>;
  current: Key;
}

/** Links to the pages of a section, below its heading. */
export function Tabs<Key extends string>({ of, tabs, current }: TabsProps<Key>) {
  return (
    <nav class="tabs" aria-label={`Parts of ${of}`}>
      {Object.entries<Tab>(tabs).map(([key, { path, name }]) => (
        <a key={key} href={hrefOf(path)} aria-current={key === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
