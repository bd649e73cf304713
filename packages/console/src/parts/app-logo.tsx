import { useState } from 'preact/hooks';

interface AppLogoProps {
  name: string;
  logoId: string | undefined;
  size: number;
}

/** The logo of an app, served by this listener, or else the first character of its name: a blocked logo is not found. */
export function AppLogo({ name, logoId, size }: AppLogoProps) {
  const [missingId, setMissingId] = useState<string>();
  if (logoId === undefined || logoId === missingId) return <Initial of={name} size={size} />;
  const src = `/logos/${encodeURIComponent(logoId)}`;
  return <img class="logo" src={src} alt="" width={size} height={size} onError={() => setMissingId(logoId)} />;
}

/** The id of the logo at a URL, which is that of the public listener. */
export function logoIdIn(url: string | undefined): string | undefined {
  return url?.split('/').at(-1);
}

function Initial({ of, size }: { of: string; size: number }) {
  // An emoji of a family or a flag is one grapheme and many code points.
  const [first] = new Intl.Segmenter().segment(of);
  return (
    <span class="logo initial" aria-hidden="true" style={{ width: px(size), height: px(size), fontSize: px(size / 2) }}>
      {first?.segment}
    </span>
  );
}

function px(size: number): string {
  return `${size}px`;
}
