import type { FastifyInstance } from 'fastify';
import { parseJson } from './json.ts';
import { jsonMediaTypes } from './json-body.ts';

/**
 * Parses JSON strictly, and accepts no other media type unless a route adds one. Bodies and parameters stay as they
 * were sent: the registry validates every value.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonMediaTypes, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
  app.setValidatorCompiler(() => () => true);
}
