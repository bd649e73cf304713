import type { FastifyInstance } from 'fastify';
import { parseJson } from './json.ts';
import { jsonMediaTypes } from './json-body.ts';

/**
 * JSON is read strictly, and is the only kind of body until a listener is given another one. Bodies and
 * parameters reach the rules of the registry, which judge every value, as they came.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonMediaTypes, { parseAs: 'buffer' }, async (_request: unknown, body: string | Buffer) =>
    parseJson(body as Buffer),
  );
  app.setValidatorCompiler(() => () => true);
}
