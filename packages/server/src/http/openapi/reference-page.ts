import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Route } from '../listener/route.ts';
import { documentLink } from './document-route.ts';

// The build puts copies of the references beside the program.
const referenceFolder = import.meta.url.endsWith('.ts') ? '../../../../../docs/' : '../../';

const style = `
  :root { color-scheme: light dark; --line: light-dark(#dee2e6, #373a40); --soft: light-dark(#f1f3f5, #25262b); --link: light-dark(#364fc7, #91a7ff); }
  body { font: 16px/1.6 ui-sans-serif, system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 6rem; color: light-dark(#212529, #dee2e6); background: light-dark(#fff, #1a1b1e); }
  h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .6em; } h1 { margin-top: 0; } h2 { border-bottom: 1px solid var(--line); padding-bottom: .25em; }
  a { color: var(--link); } :target, tr:has(:target) { background: light-dark(#fff3bf, #5c3c00); }
  code, pre { font: .88em/1.5 ui-monospace, Menlo, Consolas, monospace; background: var(--soft); border-radius: 4px; } code { padding: .1em .3em; overflow-wrap: anywhere; }
  pre { padding: .8em 1em; overflow-x: auto; } pre code { padding: 0; font-size: inherit; overflow-wrap: normal; }
  .table { overflow-x: auto; } table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .35em .7em; text-align: left; vertical-align: top; } th { background: var(--soft); }
`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export interface Reference {
  title: string;
  /** Called on the first request. */
  markdown: () => string;
}

/** The text of a published reference, by the name of its file. */
export function readReference(file: string): string {
  return readFileSync(new URL(referenceFolder + file, import.meta.url), 'utf8');
}

/** A reference as a page that runs nothing and loads nothing, where each heading has its anchor. It is rendered on the first request. */
export function referenceRoute(reference: Reference): Route {
  let page: string | undefined;
  return {
    method: 'GET',
    path: '/docs',
    access: 'anyone',
    handle: async (_request, reply) => {
      page ??= await render(reference);
      return reply.headers({ ...headers, link: documentLink }).send(page);
    },
  };
}

async function render({ title, markdown }: Reference): Promise<string> {
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
    hooks: {
      // A wide table scrolls, not the page.
      postprocess: (html) =>
        html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>'),
    },
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${marked.parse(markdown())}
</body>
</html>
`;
}

/** The anchor that Markdown readers give to a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
