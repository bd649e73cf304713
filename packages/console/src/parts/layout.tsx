import type { ComponentChildren } from 'preact';
import type { Refusal } from '../api/http-request.ts';
import type { Session } from '../api/operations.ts';
import { addressOf } from '../route.ts';
import { useMay } from '../scopes.ts';
import { Refused } from './refused.tsx';

const sections = [
  { path: 'overview', name: 'Overview' },
  { path: 'apps', name: 'Apps' },
  { path: 'review', name: 'Review' },
];
const sectionsOfAdmin = [
  { path: 'tokens', name: 'Tokens' },
  { path: 'webhooks', name: 'Webhooks' },
];

interface LayoutProps {
  session: Session;
  /** The section of the page that is shown. */
  section: string;
  signOut: () => void;
  /** Why whoever has signed in could not sign out, or in as somebody else. */
  refusal: Refusal | undefined;
  children: ComponentChildren;
}

/** What every page has around it. */
export function Layout({ session, section, signOut, refusal, children }: LayoutProps) {
  const shown = useMay('admin') ? [...sections, ...sectionsOfAdmin] : sections;
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
            <a key={path} href={addressOf([path])} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          ))}
          <a href="/docs">API</a>
        </nav>
        <div class="who">
          <bdi title={`${session.holderId}, may ${session.scopes.join(', ')}`}>{session.name ?? session.holderId}</bdi>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <main tabIndex={-1}>
        {refusal && <Refused refusal={refusal} />}
        {children}
      </main>
    </>
  );
}
