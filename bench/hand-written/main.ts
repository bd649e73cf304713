/**
 * What a team would write in a week: Fastify and Kysely as their guides show them, sequential queries, and a
 * transaction for each update. It has the same tables, checks and responses as the registry.
 */
import fastify from 'fastify';
import { AppUpdate } from '../../packages/server/src/features/apps/app-schemas.ts';
import { textFormats } from '../../packages/server/src/kernel/text.ts';
import { connect } from './connect.ts';
import { getApp } from './get-app.ts';
import { HttpError } from './http-error.ts';
import { requireToken } from './require-token.ts';
import { updateApp } from './update-app.ts';

const url = process.env.DATABASE_URL ?? '';
const db = connect(url);
const app = fastify({
  logger: true,
  ajv: {
    customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, allowUnionTypes: true },
    plugins: [
      (ajv) => {
        for (const [name, { validate }] of Object.entries(textFormats)) ajv.addFormat(name, validate);
        return ajv;
      },
    ],
  },
});

app.setErrorHandler((error: Error & { statusCode?: number; validation?: object[] }, _request, reply) => {
  const status = error instanceof HttpError ? error.status : error.validation ? 422 : (error.statusCode ?? 500);
  reply.code(status).type('application/problem+json').send({ title: error.message, status, errors: error.validation });
});

app.get<{ Params: { id: string } }>('/platform/apps/v1/:id', async (request, reply) => {
  await requireToken(db, request.headers.authorization, 'platform');
  const { tag, body } = await getApp(db, request.params.id);
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache', 'x-request-id': request.id });
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type('application/json').send(body);
});

app.patch<{ Params: { id: string }; Body: AppUpdate }>(
  '/developer/apps/v1/:id',
  { schema: { body: AppUpdate } },
  async (request, reply) => {
    const token = await requireToken(db, request.headers.authorization, 'developer');
    const view = await updateApp(db, request.body, {
      id: request.params.id,
      developerId: token.developer_id as string,
      actor: token.id,
      requestId: request.id,
      locks: url.startsWith('postgres'),
      ifMatch: request.headers['if-match'],
    });
    const { revision, ...app } = view;
    return reply.headers({ etag: `"${revision}"`, 'cache-control': 'no-store', 'x-request-id': request.id }).send(app);
  },
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => app.close().then(() => db.destroy()));
