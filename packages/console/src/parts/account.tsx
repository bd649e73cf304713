import { ChevronDown, LogOut } from 'lucide';
import { useState } from 'preact/hooks';
import type { Session } from '../session.ts';
import { DateTime } from './date-time.tsx';
import { Icon } from './icon.tsx';

/** Who is signed in, and a menu with their scopes and the way to sign out. */
export function Account({ session, signOut }: { session: Session; signOut: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const name = session.name ?? session.holderId;
  const [first] = new Intl.Segmenter().segment(name);
  return (
    <div class="account">
      <button type="button" class="quiet" popovertarget="account">
        <span class="avatar" aria-hidden="true">
          {first?.segment}
        </span>
        <span class="visually-hidden">Account: </span>
        <bdi>{name}</bdi>
        <Icon of={ChevronDown} size={16} />
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
            <button type="button" popovertarget="account" popovertargetaction="hide" onClick={signOut}>
              <Icon of={LogOut} size={16} />
              Sign out
            </button>
          </>
        )}
      </div>
    </div>
  );
}
