/** A key on a button, for those who see it: others have `aria-keyshortcuts`. */
export function KeyCap({ of }: { of: string }) {
  return (
    <span class="key" aria-hidden="true">
      {of}
    </span>
  );
}
