import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';

/** A new secret, such as the text of a token, which is shown this once. */
export function IssuedSecret({ what, secret, dismiss }: { what: string; secret: string; dismiss: () => void }) {
  const section = useRef<HTMLElement>(null);
  // Wherever on the page it was asked for, it is seen, and read out.
  useLayoutEffect(() => section.current?.focus(), [secret]);
  return (
    <section class="issued" ref={section} tabIndex={-1} aria-label={`The new ${what}`}>
      <p>Keep this {what} now: it is not shown again.</p>
      <pre>{secret}</pre>
      <div class="choices">
        <CopyButton text={secret} isFirst />
        <button type="button" onClick={dismiss}>
          Done
        </button>
      </div>
    </section>
  );
}
