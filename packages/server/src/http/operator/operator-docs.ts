import type { Route } from '../listener/route.ts';
import { readReference, referenceRoute } from '../openapi/reference-page.ts';
import { operationsMarkdown, type PublishedDocument } from './operations-markdown.ts';

const exampleBaseUrl = 'http://127.0.0.1:8081';

/** The pages about the operator API, in their order, with the anchor of each on the page that has them all. */
const anchors = {
  'operator-api.md': 'content',
  'reviewing.md': 'reviewing-apps',
  'webhooks.md': 'webhooks',
  'events.md': 'events',
};
type OperatorPage = keyof typeof anchors;
export const operatorPages = Object.keys(anchors) as OperatorPage[];

/**
 * The pages about the operator API as one page, with every operation of its description. Each problem code
 * has its anchor, also those of the public interface: this listener can respond with any of them.
 */
export function operatorDocsRoute({ operatorBaseUrl }: { operatorBaseUrl: string }, describe: () => object): Route {
  const markdown = () => {
    const reference = operatorPages.map(sectionOf).join('\n').replaceAll(exampleBaseUrl, operatorBaseUrl);
    return `${reference}\n${operationsMarkdown(describe() as PublishedDocument)}\n`;
  };
  return referenceRoute({ title: 'App Registry: the operator API', markdown });
}

/** A page as a part of one that loads nothing: without pictures, and with links to its other parts only. */
function sectionOf(page: OperatorPage): string {
  const text = readReference(page)
    .replaceAll(/^<picture>.*\n/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g, linkWithin);
  return page === 'operator-api.md' ? text : text.replaceAll(/^#+ /gm, '#$&');
}

function linkWithin(_link: string, text: string, page: string, anchor?: string): string {
  if (!(page in anchors)) return text;
  return `[${text}](#${anchor ?? anchors[page as OperatorPage]})`;
}
