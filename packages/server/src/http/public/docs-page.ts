import type { Route } from '../listener/route.ts';
import { readReference, referenceRoute } from '../openapi/reference-page.ts';

const exampleBaseUrl = 'https://apps.example.com';

/** The published reference as a page, where each problem code has its anchor (decision 31). */
export function docsRoute({ baseUrl }: { baseUrl: string }): Route {
  return referenceRoute({
    title: 'App Registry: the interface',
    markdown: () => readReference('interface.md').replaceAll(exampleBaseUrl, baseUrl),
  });
}
