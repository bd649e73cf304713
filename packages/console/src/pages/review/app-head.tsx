import { AppLogo } from '../../parts/app-logo.tsx';
import { DeveloperLink, nameOf } from '../../parts/developer-name.tsx';
import { statusNames } from '../../parts/review-status.tsx';
import { hrefOf } from '../../route.ts';
import { ClaimNote } from './claim-note.tsx';
import { kindOf, seenNow, workspaces } from './queue-words.ts';
import type { OpenedApp } from './use-opened-app.ts';

/** The id of the heading of the app that is open. */
export const headingId = 'reviewed-app';

/** The app that is open: what there is to decide, of whom, for how many, and what customers see now. */
export function AppHead({ opened }: { opened: OpenedApp }) {
  const { app, item, claim, presence } = opened;
  const { id, name, logoId, installationCount, deletedAt } = app;
  const kind = item ? kindOf(item) : `${statusNames[app.reviewStatus]}${deletedAt ? ', deleted' : ''}`;
  return (
    <header class="review-head">
      <AppLogo key={logoId} name={name} logoId={logoId} size={36} />
      <div>
        <h1 id={headingId} tabIndex={-1} dir="auto" translate={false}>
          <span key={name}>{name}</span>
        </h1>
        <p key={`${kind} ${app.developerId} ${installationCount} ${seenNow(app)}`}>
          {kind} by{' '}
          {item ? (
            <a href={hrefOf(['developers', app.developerId])}>
              <strong>
                <bdi>{nameOf(item.developer)}</bdi>
              </strong>
            </a>
          ) : (
            <DeveloperLink userId={app.developerId} />
          )}
          {installationCount > 0 && (
            <>
              {' '}
              · installed in <strong>{workspaces(installationCount)}</strong>
            </>
          )}{' '}
          · {seenNow(app)} · <a href={hrefOf(['apps', id])}>App details</a>
        </p>
        <ClaimNote claim={claim} presence={presence} />
      </div>
    </header>
  );
}
