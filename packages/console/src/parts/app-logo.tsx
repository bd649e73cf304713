/** The logo of an app, served by this listener, or else the first character of its name. */
export function AppLogo({ name, logoId, size }: { name: string; logoId: string | undefined; size: number }) {
  // An emoji of a family or a flag is one grapheme and many code points.
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
