import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A page with its heading, which is also the title of the window. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · App Registry`;
  }, [title]);
  return (
    <>
      <h1 dir="auto">{title}</h1>
      {children}
    </>
  );
}
