import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Route } from '../listener/route.ts';
import { documentLink } from './document-route.ts';
import { referenceStyle } from './reference-style.ts';
import { type Reference, renderReference } from './render-reference.ts';

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

/** A reference as a page that runs nothing and loads nothing, where each heading has its anchor. It is rendered on the first request. */
export function referenceRoute(reference: Reference): Route {
  let page: string | undefined;
  return {
    method: 'GET',
    path: '/docs',
    access: 'anyone',
    handle: async (_request, reply) => {
      page ??= await renderReference(reference);
      return reply.headers({ ...headers, link: documentLink }).send(page);
    },
  };
}
