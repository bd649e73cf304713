import { useState } from 'preact/hooks';

interface CopyButtonProps {
  text: string;
  name?: string;
  /** Names the button for those who do not see what it stands beside. */
  label?: string;
  isPrimary?: boolean;
}

/** Copies a text, and reports whether the browser allowed it. */
export function CopyButton({ text, name = 'Copy', label, isPrimary = false }: CopyButtonProps) {
  const [message, setMessage] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied.');
    } catch {
      setMessage('The browser does not allow copying. Select the text instead.');
    }
  };
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : undefined} aria-label={label} onClick={copy}>
        {name}
      </button>
      <span role="status">{message}</span>
    </>
  );
}

/** An id, with a button that copies it. */
export function CopyableId({ id }: { id: string }) {
  return (
    <span class="id">
      <code>{id}</code> <CopyButton text={id} label={`Copy ${id}`} />
    </span>
  );
}
