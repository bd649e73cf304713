import type { ComponentChildren } from 'preact';
import { useWindowTitle } from '../brand.ts';

interface PageProps {
  title: string;
  /** The pages above this one, from the top. */
  breadcrumbs?: { name: string; href: string }[];
  /** What can be done with the whole page, beside its title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A page with its padding and its heading, which is also the title of the window. */
export function Page({ title, breadcrumbs, actions, children }: PageProps) {
  useWindowTitle(title);
  return (
    <div class="page">
      {breadcrumbs && (
        <nav class="breadcrumbs" aria-label="Breadcrumbs">
          {breadcrumbs.map(({ name, href }) => (
            <a key={href} href={href} dir="auto">
              {name}
            </a>
          ))}
        </nav>
      )}
      <div class="page-header">
        <h1 key={title} dir="auto">
          {title}
        </h1>
        {actions && <div class="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
