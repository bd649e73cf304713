import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { useHasScope } from '../scopes.ts';
import { NewAppForm } from './new-app-form.tsx';

/** A button that opens the form of a new app. */
export function CreateApp() {
  const [isOpen, setOpen] = useState(false);
  if (!useHasScope('portal')) return null;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Create an app
      </button>
      {isOpen && (
        <Dialog title="Create an app" onClose={close}>
          <NewAppForm owner="known" cancel={close} />
        </Dialog>
      )}
    </>
  );
}
