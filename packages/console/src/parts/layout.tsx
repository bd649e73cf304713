import type { ComponentChildren } from 'preact';
import { hrefOf } from '../route.ts';
import { useHasScope } from '../scopes.ts';
import type { Session } from '../session.ts';
import type { ShownError } from '../shown-error.ts';
import { RequestError } from './request-error.tsx';

const sections = [
  { path: 'overview', name: 'Overview' },
  { path: 'apps', name: 'Apps' },
  { path: 'review', name: 'Review' },
];
const adminSections = [
  { path: 'tokens', name: 'Tokens' },
  { path: 'webhooks', name: 'Webhooks' },
];

interface LayoutProps {
  session: Session;
  /** The section of the page that is shown. */
  section: string;
  signOut: () => void;
  /** Why the last sign-out or sign-in failed. */
  error: ShownError | undefined;
  children: ComponentChildren;
}

/** The frame of every page. */
export function Layout({ session, section, signOut, error, children }: LayoutProps) {
  const shown = useHasScope('admin') ? [...sections, ...adminSections] : sections;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="brand" href="#/">
          App Registry
        </a>
        <nav aria-label="Sections">
          {shown.map(({ path, name }) => (
            <a key={path} href={hrefOf([path])} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          ))}
          <a href="/docs">API</a>
        </nav>
        <div class="user">
          <bdi title={`${session.holderId}: ${session.scopes.join(', ')}`}>{session.name ?? session.holderId}</bdi>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <main tabIndex={-1}>
        {error && <RequestError error={error} />}
        {children}
      </main>
    </>
  );
}
