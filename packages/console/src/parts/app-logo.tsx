/** The logo of an app, from this listener; where it has none, the first character of its name. */
export function AppLogo({ name, logoId, size }: { name: string; logoId: string | undefined; size: number }) {
  // A family or a flag is one character to whoever looks, and many to the program.
  const [first] = new Intl.Segmenter().segment(name);
  if (logoId === undefined) {
    return (
      <span
        class="logo initial"
        aria-hidden="true"
        style={{ width: px(size), height: px(size), fontSize: px(size / 2) }}
      >
        {first?.segment}
      </span>
    );
  }
  return <img class="logo" src={`/logos/${encodeURIComponent(logoId)}`} alt="" width={size} height={size} />;
}

function px(size: number): string {
  return `${size}px`;
}
