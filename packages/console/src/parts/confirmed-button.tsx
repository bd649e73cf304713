import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmedButtonProps {
  label: string;
  /** Names the object, for those who do not see the context of the button. */
  subject?: string;
  /** The label of the button that does it. */
  confirmLabel: string;
  disabled: boolean;
  onConfirm: () => void;
  /** What happens then, shown before it does. */
  children?: ComponentChildren;
}

/** A button for an action that cannot be undone: a dialog asks for confirmation. */
export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { label, subject, confirmLabel, disabled, onConfirm, children } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const name = subject === undefined ? label : `${label} ${subject}`;
  const confirm = (event: MouseEvent) => {
    // The second click of a double click on the button that opened the dialog.
    if (event.detail > 1) return;
    close();
    onConfirm();
  };
  return (
    <>
      <button
        type="button"
        aria-label={subject && name}
        aria-haspopup="dialog"
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <Dialog title={`${name}?`} onClose={close}>
          {children}
          <DialogActions>
            <button type="button" autofocus onClick={close}>
              Cancel
            </button>
            <button type="button" class="danger" disabled={disabled} onClick={confirm}>
              {confirmLabel}
            </button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
