import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { Form, type FormValues } from './form.tsx';

interface DialogFormProps {
  /** Of the button that opens the dialog. */
  label: string;
  /** Names the object, for those who do not see the context of the button. */
  subject?: string;
  /** Of the button that sends the form. */
  submitLabel: string;
  isDangerous?: boolean;
  onOpen?: () => void;
  send: (values: FormValues) => Promise<void>;
  fieldOf?: Record<string, string>;
  /** What happens then, and the fields. */
  children: ComponentChildren;
}

/** A button that opens a form in a dialog, for what needs a reason or a look at what it would affect. */
export function DialogForm(props: DialogFormProps) {
  const { label, subject, submitLabel, isDangerous = false, onOpen, send, fieldOf, children } = props;
  const [isOpen, setOpen] = useState(false);
  const name = subject === undefined ? label : `${label} ${subject}`;
  const close = () => setOpen(false);
  const open = () => {
    onOpen?.();
    setOpen(true);
  };
  const sendAndClose = async (values: FormValues) => {
    await send(values);
    close();
  };
  return (
    <>
      <button type="button" aria-label={subject && name} aria-haspopup="dialog" onClick={open}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={name} onClose={close}>
          <Form
            submitLabel={submitLabel}
            send={sendAndClose}
            cancel={close}
            isDangerous={isDangerous}
            {...(fieldOf && { fieldOf })}
          >
            {children}
          </Form>
        </Dialog>
      )}
    </>
  );
}
