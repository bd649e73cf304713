import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';

/** A new secret, such as a token, which is shown only once. */
export function IssuedSecret({ what, secret, dismiss }: { what: string; secret: string; dismiss: () => void }) {
  const section = useRef<HTMLElement>(null);
  // Scrolls to the secret, and makes screen readers announce it.
  useLayoutEffect(() => section.current?.focus(), [secret]);
  return (
    <section class="issued" ref={section} tabIndex={-1} aria-label={`The new ${what}`}>
      <p>Save this {what} now. It is not shown again.</p>
      <pre>{secret}</pre>
      <div class="choices">
        <CopyButton text={secret} isPrimary />
        <button type="button" onClick={dismiss}>
          Done
        </button>
      </div>
    </section>
  );
}
