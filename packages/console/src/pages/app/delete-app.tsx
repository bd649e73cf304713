import type { OperatorApp } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { Affected } from '../../parts/affected.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { ChoiceField } from '../../parts/form/fields.tsx';
import { useHasScope } from '../../scopes.ts';

interface DeleteAppProps {
  app: OperatorApp;
  onDeleted: () => void;
}

/** Deletes an app, after showing what that affects. */
export function DeleteApp({ app: { id, installationCount }, onDeleted }: DeleteAppProps) {
  if (!useHasScope('admin')) return null;
  return (
    <DialogForm
      label="Delete the app"
      submitLabel="Delete the app"
      isDangerous
      send={async ({ chosen }) => {
        await operator.apps.delete(id, { force: chosen('/force').length > 0 });
        onDeleted();
      }}
    >
      <p>
        Clients no longer find the app, and its name becomes available. You can restore it for 30 days, without its
        installations.
      </p>
      <Affected dryRun={(signal) => operator.apps.delete(id, { force: true, dryRun: true, signal })} />
      {installationCount > 0 && (
        <ChoiceField
          type="checkbox"
          name="/force"
          label="Installations"
          required
          choices={[{ value: 'true', label: 'Remove the app from every workspace' }]}
        />
      )}
    </DialogForm>
  );
}
