import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** The dialog shows as long as it is rendered. Escape calls this too. */
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A modal dialog. The focus goes to the first element in it that has `autofocus`, or else can have the focus, and returns
 * to where it was.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closed rather than only removed: closing returns the focus.
    return () => shown?.close();
  }, []);
  // A dialog that is removed has been closed by its page.
  const close = () => dialog.current?.isConnected && onClose();
  // Its owner closes it. A dialog that closes itself first reports it late: what is opened in between would close too.
  const cancel = (event: Event) => {
    // That of a file field bubbles.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    close();
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onCancel={cancel} onClose={close}>
      <h2 id={titleId} dir="auto">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ComponentChildren }) {
  return <div class="dialog-actions">{children}</div>;
}
