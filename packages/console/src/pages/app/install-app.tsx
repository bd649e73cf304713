import type { OperatorApp } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { useHasScope } from '../../scopes.ts';

/** Installs an app into a workspace for one of its users. */
export function InstallApp({ app, onInstalled }: { app: OperatorApp; onInstalled: () => void }) {
  const [workspace, setWorkspace] = useState<string>();
  if (!useHasScope('install')) return null;
  return (
    <div class="steps">
      <p role="status">{workspace !== undefined && `The app is installed in ${workspace}.`}</p>
      <DialogForm
        label="Install into a workspace"
        submitLabel="Install"
        fieldOf={{ already_exists: '/workspaceId' }}
        send={async ({ text }) => {
          const installation = { appId: app.id, workspaceId: text('/workspaceId'), userId: text('/userId') };
          const { workspaceId } = await createOnce(['installation', installation], (options) =>
            operator.installations.create(installation, options),
          );
          setWorkspace(workspaceId);
          onInstalled();
        }}
      >
        {app.reviewStatus !== 'APPROVED' && (
          <p class="hint">Until the app is approved, only its developer can install it.</p>
        )}
        <TextField name="/workspaceId" label="Workspace id" required maxLength={100} autocomplete="off" />
        <TextField name="/userId" label="User id of the installer" required maxLength={100} autocomplete="off" />
      </DialogForm>
    </div>
  );
}
