import type { Renderer, Token, Tokens } from 'marked';
import { referenceStyle } from './reference-style.ts';

export interface Reference {
  title: string;
  /** Called on the first request. */
  markdown: () => string;
}

/**
 * A reference as a page of landmarks: where one is, the contents, and the text. What is wide scrolls by itself, also by
 * keyboard, and is named after its heading.
 */
export async function renderReference({ title, markdown }: Reference): Promise<string> {
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
<title>${title}</title>
<style>${referenceStyle}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p>${title}</p></header>
<div class="page">
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2>
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
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
