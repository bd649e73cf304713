import { html } from 'hono/html';

/** HTML that is escaped already: what `html` returns. */
export type Markup = ReturnType<typeof html>;

interface Layout {
  brand: string;
  title: string;
  /** Links beside the brand, by their address. */
  links?: Record<string, string>;
  /** The name of the person who is signed in; null shows the way to sign in. */
  person?: string | null | undefined;
  /** Scripts of the page, by their address. */
  scripts?: string[];
}

/** A whole page. */
export function page({ brand, title, links = {}, person, scripts = [] }: Layout, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${brand}</title>
    <link rel="stylesheet" href="/style.css">
    ${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="/">${brand}</a>
      <nav aria-label="Main">${Object.entries(links).map(([href, text]) => html`<a href="${href}">${text}</a>`)}</nav>
      ${person === undefined ? '' : personMenu(person)}
    </header>
    <main id="content">${body}</main>
  </body>
</html>`;
}

export function errorPage(brand: string, message: string): Markup {
  return page(
    { brand, title: 'Error' },
    html`<h1>Something went wrong</h1><p role="alert" class="note bad">${message}</p>`,
  );
}

function personMenu(person: string | null): Markup {
  if (person === null) return html`<a class="button" href="/sign-in">Sign in</a>`;
  return html`<form class="person" method="post" action="/sign-out">
    <span>${person}</span><button class="quiet">Sign out</button>
  </form>`;
}
