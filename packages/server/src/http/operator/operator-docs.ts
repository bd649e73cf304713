import type { Route } from '../listener/route.ts';
import { readReference, referenceRoute } from '../openapi/reference-page.ts';
import { operationsMarkdown, type PublishedDocument } from './operations-markdown.ts';

const exampleBaseUrl = 'http://127.0.0.1:8081';

/**
 * The reference of the operator API as a page, with every operation of its description. Each problem code
 * has its anchor, also those of the public interface: this listener can respond with any of them.
 */
export function operatorDocsRoute({ operatorBaseUrl }: { operatorBaseUrl: string }, describe: () => object): Route {
  const markdown = () => {
    const reference = readReference('operator-api.md').replaceAll(exampleBaseUrl, operatorBaseUrl);
    return `${reference}\n${operationsMarkdown(describe() as PublishedDocument)}\n`;
  };
  return referenceRoute({ title: 'App Registry: the operator API', markdown });
}
