import { BookOpen, Keyboard, LogOut } from 'lucide';
import { useState } from 'preact/hooks';
import { KeysHelp } from '../pages/review/keys-help.tsx';
import type { Session } from '../session.ts';
import { DateTime } from './date-time.tsx';
import { Icon } from './icon.tsx';

/** Who is signed in, and a menu with their scopes, the documentation, the keys and the way to sign out. */
export function Account({ session, signOut }: { session: Session; signOut: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [hasHelp, setHelp] = useState(false);
  const name = session.name ?? session.holderId;
  const hide = { popovertarget: 'account', popovertargetaction: 'hide' } as const;
  return (
    <div class="account">
      <button type="button" class="quiet" popovertarget="account" title={name}>
        <span class="avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span class="visually-hidden">
          Account: <bdi>{name}</bdi>
        </span>
      </button>
      <div
        id="account"
        class="popover"
        popover="auto"
        role="dialog"
        aria-label="Your session"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <>
            <p>
              Signed in as <bdi>{name}</bdi>
            </p>
            <dl class="facts">
              <dt>Id</dt>
              <dd>
                <code>{session.holderId}</code>
              </dd>
              <dt>Scopes</dt>
              <dd>{session.scopes.join(', ')}</dd>
              <dt>Session ends</dt>
              <dd>
                <DateTime at={session.expiresAt} />
              </dd>
            </dl>
            <div class="menu">
              <a href="/docs">
                <Icon of={BookOpen} size={16} />
                API documentation
              </a>
              <button type="button" class="quiet" {...hide} onClick={() => setHelp(true)}>
                <Icon of={Keyboard} size={16} />
                Keyboard shortcuts
              </button>
              <button type="button" class="quiet" {...hide} onClick={signOut}>
                <Icon of={LogOut} size={16} />
                Sign out
              </button>
            </div>
          </>
        )}
      </div>
      {hasHelp && <KeysHelp close={() => setHelp(false)} />}
    </div>
  );
}

/** The first character of the first two words. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean).slice(0, 2);
  return words.map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '').join('');
}
