import { useState } from 'preact/hooks';

/** Copies a text, and says whether the browser has let it. */
export function CopyButton({
  text,
  name = 'Copy',
  isFirst = false,
}: {
  text: string;
  name?: string;
  isFirst?: boolean;
}) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      setSaid('The browser does not let this page copy. Select the text.');
    }
  };
  return (
    <>
      <button type="button" class={isFirst ? 'first' : undefined} onClick={copy}>
        {name}
      </button>
      <span role="status">{said}</span>
    </>
  );
}
