import { BookOpen } from 'lucide';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../route.ts';
import { hasScope } from '../scopes.ts';
import type { Session } from '../session.ts';
import { Icon } from './icon.tsx';
import { sectionGroups } from './sections.ts';

interface NavigationProps {
  /** The section of the page that is shown. */
  section: string;
  scopes: Session['scopes'];
}

/** The sections that the user may see. In a narrow window they are a popover, which the menu button opens. */
export function Navigation({ section, scopes }: NavigationProps) {
  const nav = useRef<HTMLElement>(null);
  // Also when the address changed without a click on a link, but not after the menu is opened on the new page.
  useLayoutEffect(() => close(nav.current), [section]);
  return (
    <nav ref={nav} id="sections" class="sections" popover="auto" aria-label="Sections">
      {sectionGroups.map(({ name, sections }) => {
        const shown = sections.filter(({ scope = 'read' }) => hasScope(scopes, scope));
        if (shown.length === 0) return null;
        return (
          <div key={name} class="section-group">
            {name !== undefined && <p id={`group-${name}`}>{name}</p>}
            <ul aria-labelledby={name && `group-${name}`}>
              {shown.map(({ path, name: label, icon }) => (
                <li key={path}>
                  <a
                    href={hrefOf([path])}
                    aria-current={path === section ? 'page' : undefined}
                    onClick={() => close(nav.current)}
                  >
                    <Icon of={icon} />
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <div class="section-group">
        <ul>
          <li>
            <a href="/docs">
              <Icon of={BookOpen} />
              API
            </a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** Closes the menu, if the window is narrow enough for one. */
function close(nav: HTMLElement | null): void {
  if (nav?.matches(':popover-open')) nav.hidePopover();
}
