import type { OperatorApp } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';

interface DeletedProps {
  app: OperatorApp;
  onRestored: () => void;
}

/** In place of a deleted app. */
export function Deleted({ app: { id, name, restorableUntil }, onRestored }: DeletedProps) {
  const { isPending, error, run } = useAction();
  const restore = () =>
    run(async () => {
      await operator.apps.restore(id);
      onRestored();
    });
  return (
    <Page title={name} breadcrumbs={[{ name: 'Apps', href: hrefOf(['apps']) }]}>
      <p role="status">
        The app is deleted. You can restore it, without its installations. It is deleted permanently{' '}
        {restorableUntil && <DateTime at={restorableUntil} />}.
      </p>
      <p class="choices">
        <button type="button" disabled={isPending} onClick={restore}>
          Restore the app
        </button>
        <a href={hrefOf(['apps'], { show: 'deleted' })}>Deleted apps</a>
      </p>
      {error && <RequestError error={error} />}
    </Page>
  );
}
