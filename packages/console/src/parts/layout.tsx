import { Menu } from 'lucide';
import type { ComponentChildren } from 'preact';
import type { Session } from '../session.ts';
import type { ShownError } from '../shown-error.ts';
import { Account } from './account.tsx';
import { Icon } from './icon.tsx';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { RequestError } from './request-error.tsx';
import { SearchBox } from './search/search-box.tsx';

interface LayoutProps {
  session: Session;
  /** The section of the page that is shown. */
  section: string;
  signOut: () => void;
  /** Why the last sign-out or sign-in failed. */
  error: ShownError | undefined;
  children: ComponentChildren;
}

/** The frame of every page. A narrow window shows the navigation as a menu. */
export function Layout({ session, section, signOut, error, children }: LayoutProps) {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <div class="bar-start">
          <button type="button" class="quiet menu-button" popovertarget="sections" aria-label="Menu">
            <Icon of={Menu} />
          </button>
          <a class="brand" href="#/">
            <Mark size={22} />
          </a>
        </div>
        <SearchBox />
        <Account session={session} signOut={signOut} />
      </header>
      <Navigation section={section} scopes={session.scopes} />
      <main tabIndex={-1}>
        {error && <RequestError error={error} />}
        {children}
      </main>
    </>
  );
}
