import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Renderer, Token, Tokens } from 'marked';
import { StaticFile } from '../body/static-file.ts';
import { type Route, route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';

/** The style of a reference page, in the colours of the console. Everything that is coloured has the contrast of WCAG AA in both schemes. */
const referenceStyle = `
  :root { color-scheme: light dark; --ground: light-dark(#ffffff, #111418); --line: light-dark(#e3e6ea, #2c323a); --soft: light-dark(#f0f2f4, #22272e); --text: light-dark(#1b1f24, #e8eaed); --faint: light-dark(#5b6470, #a2abb6); --warn-ground: light-dark(#fff2c7, #443206); --accent: #3f57d4; --link: light-dark(var(--accent), color-mix(in srgb, var(--accent) 40%, #ffffff)); }
  * { box-sizing: border-box; }
  html { scroll-padding-top: 1rem; }
  body { font: 16px/1.6 Inter, ui-sans-serif, system-ui, sans-serif; margin: 0; color: var(--text); background: var(--ground); }
  header { padding: 1rem; border-bottom: 1px solid var(--line); } header p { margin: 0; font-weight: 600; }
  .page { max-width: 88rem; margin: 0 auto; } nav, main { padding: 1.5rem 1rem; } main { min-width: 0; max-width: 62rem; padding-bottom: 6rem; }
  .skip { position: absolute; left: -999rem; } .skip:focus { position: fixed; z-index: 1; top: .5rem; left: .5rem; padding: .5rem 1rem; background: var(--ground); border: 2px solid var(--link); }
  :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; } main:focus { outline: 0; }
  nav { font-size: .875rem; line-height: 1.4; max-height: 20rem; overflow-y: auto; background: var(--soft); border-bottom: 1px solid var(--line); }
  nav h2 { margin: 0 0 .5rem; font-size: inherit; border: 0; } nav ul + h2 { margin-top: 1.5rem; } [aria-current] { font-weight: 600; } nav ul { margin: 0; padding: 0; list-style: none; } nav ul ul { padding-left: 1rem; }
  nav a { display: block; padding: .2rem 0; min-height: 1.5rem; text-decoration: none; overflow-wrap: anywhere; } nav a:hover { text-decoration: underline; } nav ul ul a { color: var(--faint); }
  @media (min-width: 64rem) {
    .page { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 2rem; }
    nav { position: sticky; top: 0; align-self: start; max-height: 100vh; background: none; border: 0; }
  }
  h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .6em; overflow-wrap: anywhere; } h1 { margin-top: 0; } h2 { border-bottom: 1px solid var(--line); padding-bottom: .25em; }
  p, li { overflow-wrap: break-word; }
  a { color: var(--link); } :target, tr:has(:target) { background: var(--warn-ground); }
  code, pre { font: .88em/1.5 ui-monospace, Menlo, Consolas, monospace; background: var(--soft); border-radius: 4px; } code { padding: .1em .3em; overflow-wrap: anywhere; }
  pre { margin: 0; padding: .8em 1em; width: fit-content; min-width: 100%; } pre code { padding: 0; font-size: inherit; overflow-wrap: normal; }
  .scroll { margin: 1em 0; overflow-x: auto; } table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .35em .7em; text-align: left; vertical-align: top; } th { background: var(--soft); } td code { overflow-wrap: normal; }
  @media (max-width: 40rem) { td, th { min-width: 7rem; } }
`;

// The build puts copies of the references beside the program.
const referenceFolder = import.meta.url.endsWith('.ts') ? '../../../../../docs/' : '../../';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(referenceStyle).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The text of a published reference, by the name of its file. */
export function readReference(file: string): string {
  return readFileSync(new URL(referenceFolder + file, import.meta.url), 'utf8');
}

/** A reference as one page that runs nothing and loads nothing, where each heading has its anchor. */
export function referenceRoute(reference: ReferencePage): Route {
  return { method: 'GET', path: '/docs', access: 'anyone', cacheable: true, handle: pageHandler(reference) };
}

/** A reference in several pages: that of `/docs`, and one below it for each name. */
export function referenceRoutes(start: ReferencePage, pages: ReadonlyMap<string, ReferencePage>): Route[] {
  const links = [...pages].map(([name, { title }]) => ({ path: `/docs/${name}`, title }));
  const all = [{ path: '/docs', title: start.title }, ...links];
  const handlers = new Map([...pages].map(([name, page]) => [name, pageHandler(page, all)]));
  const ofPage = route({
    method: 'GET',
    path: '/docs/:page',
    access: 'anyone',
    cacheable: true,
    async handle(request, reply) {
      const handle = handlers.get(request.params.page);
      if (!handle) throw new HttpProblem('path_not_found', 'The reference has no such page. Its first page is /docs.');
      return handle(request, reply);
    },
  });
  return [{ ...referenceRoute(start), handle: pageHandler(start, all) }, ofPage];
}

/** Renders a page on its first request. */
function pageHandler(reference: ReferencePage, links: readonly PageLink[] = []) {
  let page: StaticFile | undefined;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    page ??= new StaticFile(headers['content-type'], Buffer.from(await renderReference(reference, links)));
    return page.sendConditionally(request, reply.headers({ ...headers, link: documentLink }));
  };
}

/** Announces the document beside a page (RFC 8631). */
const documentLink = '</openapi.json>; rel="service-desc"; type="application/json"';

/**
 * Publishes the OpenAPI document of a listener, for pages of any origin too: it holds nothing secret. It is large, so it is
 * built on the first request and then cached.
 */
export function documentRoute(describe: () => object): Route {
  let file: StaticFile | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'anyone',
    anyOrigin: true,
    cacheable: true,
    handle: async (request, reply) => {
      file ??= new StaticFile('application/json', Buffer.from(JSON.stringify(describe())));
      return file.sendConditionally(request, reply.header('access-control-allow-origin', '*'));
    },
  };
}

export interface ReferencePage {
  title: string;
  /** Called on the first request. */
  markdown: () => string;
}

interface PageLink {
  path: string;
  title: string;
}

/**
 * A reference as a page of landmarks: where one is, the contents, and the text. What is wide scrolls by itself, also by
 * keyboard, and is named after its heading.
 */
async function renderReference({ title, markdown }: ReferencePage, links: readonly PageLink[]): Promise<string> {
  const { Marked, Renderer } = await import('marked');
  const marked = new Marked();
  const tokens = marked.lexer(markdown()).filter((token) => !isContents(token));
  const headings = new Headings(tokens);
  marked.use({ renderer: rendererOf(new Renderer(), headings) });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>App Registry: ${title}</title>
<style>${referenceStyle}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p>App Registry: ${title}</p></header>
<div class="page">
<nav aria-labelledby="contents">${pagesOf(links, title)}<h2 id="contents">Contents</h2>
${contentsOf(headings.all)}</nav>
<main id="content" tabindex="-1">
${marked.parser(tokens)}
</main>
</div>
</body>
</html>
`;
}

/** The contents that readers of the file have; the page has its own. */
function isContents(token: Token): boolean {
  return token.type === 'paragraph' && token.raw.startsWith('**Contents**');
}

interface Heading {
  id: string;
  depth: number;
  text: string;
}

/** The headings of a text, in the order in which they are rendered. */
class Headings {
  readonly all: readonly Heading[];
  #next = 0;
  #scrolling = 0;

  constructor(tokens: Token[]) {
    const ids = new Map<string, number>();
    this.all = tokens.filter(isHeading).map(({ depth, text }) => {
      const id = slug(text);
      const before = ids.get(id) ?? 0;
      ids.set(id, before + 1);
      return { id: before === 0 ? id : `${id}-${before}`, depth, text: plain(text) };
    });
  }

  /** The heading that is rendered now. */
  next(): Heading | undefined {
    this.#scrolling = 0;
    this.#next += 1;
    return this.all[this.#next - 1];
  }

  /** The name of something below the heading that was rendered last. */
  nameOf(kind: string): string {
    this.#scrolling += 1;
    const { text } = this.all[this.#next - 1] ?? { text: '' };
    return `${kind} ${this.#scrolling}: ${text}`;
  }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function rendererOf(plainRenderer: Renderer, headings: Headings) {
  const scrolling = (kind: string, html: string) =>
    `<div class="scroll" role="group" tabindex="0" aria-label="${headings.nameOf(kind)}">${html}</div>\n`;
  return {
    heading(this: Renderer, { tokens, depth }: Tokens.Heading) {
      const id = headings.next()?.id;
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    table(this: Renderer, token: Tokens.Table) {
      // A column without a heading has none to read out.
      const table = plainRenderer.table.call(this, token).replaceAll('<th></th>', '<td></td>');
      return scrolling('Table', table);
    },
    code(this: Renderer, token: Tokens.Code) {
      return scrolling('Code', plainRenderer.code.call(this, token));
    },
  };
}

/** Links to the sections and, below each, to its subsections. */
function contentsOf(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  return list(
    sections.map((section, at) => {
      const start = headings.indexOf(section);
      const next = sections[at + 1];
      const inside = headings.slice(start, next && headings.indexOf(next)).filter(({ depth }) => depth === 3);
      return link(section) + (inside.length > 0 ? `\n${list(inside.map(link))}` : '');
    }),
  );
}

/** Links to all pages of a reference that has several. */
function pagesOf(links: readonly PageLink[], current: string): string {
  if (links.length === 0) return '';
  const items = links.map(({ path, title }) => {
    const isCurrent = title === current ? ' aria-current="page"' : '';
    return `<a href="${path}"${isCurrent}>${title}</a>`;
  });
  return `<h2>Pages</h2>\n${list(items)}\n`;
}

function list(items: string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`;
}

function link({ id, text }: Heading): string {
  return `<a href="#${id}">${text}</a>`;
}

/** The text of a heading without markup, for HTML. */
function plain(markdown: string): string {
  const text = markdown.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The anchor that Markdown readers give to a heading. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
