import { useState } from 'preact/hooks';

/** Copies a text, and reports whether the browser allowed it. */
export function CopyButton({
  text,
  name = 'Copy',
  isPrimary = false,
}: {
  text: string;
  name?: string;
  isPrimary?: boolean;
}) {
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
      <button type="button" class={isPrimary ? 'primary' : undefined} onClick={copy}>
        {name}
      </button>
      <span role="status">{message}</span>
    </>
  );
}
