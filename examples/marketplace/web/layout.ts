import { html } from 'hono/html';
import { brand } from '../setup/brand.ts';

/** HTML that is escaped already: what `html` returns. */
export type Markup = ReturnType<typeof html>;

interface Layout {
  /** The part of the marketplace that the page belongs to, such as "Developers". */
  part?: string;
  /** The name of an app whose own page it is. */
  name?: string;
  title: string;
  /** Links beside the brand, by their address. */
  links?: Record<string, string>;
  /** The name of the person who is signed in; null shows the way to sign in. */
  person?: string | null | undefined;
  /** Scripts of the page, by their address. */
  scripts?: string[];
}

/** A whole page. */
export function page({ part = '', name, title, links = {}, person, scripts = [] }: Layout, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${name ?? brand.name}</title>
    <link rel="icon" href="/mark.svg" type="image/svg+xml">
    <link rel="preload" href="/inter.woff2" as="font" type="font/woff2" crossorigin>
    ${['tokens', 'card', 'style'].map((name) => html`<link rel="stylesheet" href="/${name}.css">`)}
    ${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="/">${name ?? html`<img src="/mark.svg" alt="" width="24" height="24">${brand.name}`} <span class="faint">${part}</span></a>
      <nav aria-label="Main">${Object.entries(links).map(([href, text]) => html`<a href="${href}">${text}</a>`)}</nav>
      ${person === undefined ? '' : personMenu(person)}
    </header>
    <main id="content">${body}</main>
  </body>
</html>`;
}

export function errorPage(part: string, message: string): Markup {
  return page(
    { part, title: 'Error' },
    html`<h1>Something went wrong</h1><p role="alert" class="note bad">${message}</p>`,
  );
}

function personMenu(person: string | null): Markup {
  if (person === null) return html`<a class="button" href="/sign-in">Sign in</a>`;
  return html`<form class="person" method="post" action="/sign-out">
    <span>${person}</span><button class="quiet">Sign out</button>
  </form>`;
}
