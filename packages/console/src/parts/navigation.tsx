import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../route.ts';
import { hasScope } from '../scopes.ts';
import type { Session } from '../session.ts';
import { Icon } from './icon.tsx';
import { sections } from './sections.ts';
import { useReviewCount } from './use-review-count.ts';

interface NavigationProps {
  /** The section of the page that is shown. */
  section: string;
  scopes: Session['scopes'];
}

const shownMax = 99;

/**
 * The sections that the user may see, as icons with their names as tooltips. In a narrow window they are a popover, which
 * the menu button opens.
 */
export function Navigation({ section, scopes }: NavigationProps) {
  const nav = useRef<HTMLElement>(null);
  const count = useReviewCount();
  // Also when the address changed without a click on a link, but not after the menu is opened on the new page.
  useLayoutEffect(() => close(nav.current), [section]);
  return (
    <nav ref={nav} id="sections" class="sections" popover="auto" aria-label="Sections">
      <ul>
        {sections
          .filter(({ scope = 'read' }) => hasScope(scopes, scope))
          .map(({ path, name, icon }) => (
            <li key={path}>
              <a
                href={hrefOf([path])}
                aria-current={path === section ? 'page' : undefined}
                aria-description={
                  path === 'review' && count !== undefined ? `${count.toLocaleString()} to review` : undefined
                }
                onClick={() => close(nav.current)}
              >
                <Icon of={icon} />
                <span class="section-name">{name}</span>
                {path === 'review' && <Count count={count} />}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** It is in the description of the link, whose name stays the same. */
function Count({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span class="section-count" aria-hidden="true">
      {count > shownMax ? `${shownMax}+` : count}
    </span>
  );
}

/** Closes the menu, if the window is narrow enough for one. */
function close(nav: HTMLElement | null): void {
  if (nav?.matches(':popover-open')) nav.hidePopover();
}
