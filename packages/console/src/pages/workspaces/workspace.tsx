import { Download } from 'lucide';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Affected } from '../../parts/affected.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { InstallationTable } from '../../parts/installation-table.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';

/** What is installed in one workspace. */
export function WorkspacePage({ id, query }: { id: string; query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) =>
      operator.installations.list({ workspaceId: id, cursor, limit: pageSize, withTotal: true }, { signal }).page(),
    [id, cursor],
    { follows: ofTypes('installation.', 'app.') },
  );
  return (
    <Page title="Workspace" breadcrumbs={[{ name: 'Workspaces', href: hrefOf(['workspaces']) }]}>
      <p class="about-app">
        <CopyableId id={id} />
      </p>
      {data && <Offboard id={id} hasInstallations={data.items.length > 0} onDone={reload} />}
      <section aria-labelledby="installations">
        <h2 id="installations">Installations</h2>
        {error && <RequestError error={error} retry={reload} />}
        <div aria-busy={isPending}>
          {data?.items.length === 0 && <Empty icon={Download} text="No app is installed in this workspace." />}
          {data && <TotalCount page={data} of="installations" />}
          {data && data.items.length > 0 && <InstallationTable installations={data.items} of="workspace" />}
          {data && (
            <Pager page={data} of="the installations" hrefAt={(at) => hrefOf(['workspaces', id], { cursor: at })} />
          )}
        </div>
      </section>
    </Page>
  );
}

interface OffboardProps {
  id: string;
  hasInstallations: boolean;
  onDone: () => void;
}

/** Removes every app from a workspace that leaves. */
function Offboard({ id, hasInstallations, onDone }: OffboardProps) {
  const [deleted, setDeleted] = useState<number>();
  const canDelete = useHasScope('install');
  return (
    <div class="steps">
      <p role="status">
        {deleted !== undefined && `${deleted.toLocaleString()} ${deleted === 1 ? 'app is' : 'apps are'} removed.`}
      </p>
      {canDelete && hasInstallations && (
        <DialogForm
          label="Remove every app"
          submitLabel="Remove every app permanently"
          isDangerous
          send={async () => {
            setDeleted((await operator.workspaces.deleteInstallations(id)).installationsDeleted);
            onDone();
          }}
        >
          <p>This deletes every installation in the workspace. The apps themselves stay and can be installed again.</p>
          <Affected dryRun={(signal) => operator.workspaces.deleteInstallations(id, { dryRun: true, signal })} />
        </DialogForm>
      )}
    </div>
  );
}
