import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { type Document, PublishedDocument } from '@appregistrar/testkit/http/published-document';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { AppUpdate } from '../../features/apps/app-schemas.ts';
import { check } from '../../kernel/check.ts';
import { publicDocument } from './public-document.ts';

const document = publicDocument({
  baseUrl: 'https://apps.example.com',
  devBaseUrl: 'https://apps.dev.example.com',
}) as Document;
const published = new PublishedDocument(document);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

test('the document contains exactly the two operations of the public API', () => {
  assert.deepEqual(
    operations.map(({ method, path }) => `${method} ${path}`),
    ['PATCH /developer/apps/v1/{id}', 'GET /platform/apps/v1/{id}'],
  );
});

test('docs/openapi.json is this document; to update it, run: npm run openapi', async () => {
  const written = await readFile(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');
  assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(document)));
});

test('the service publishes it at /openapi.json with its own two base URLs', async () => {
  const http = await HttpFixture.open(sqlite);
  const { status, headers, text } = await http.send({ method: 'GET', path: '/openapi.json' });
  await http.close();
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  const { servers, ...rest } = JSON.parse(text);
  assert.deepEqual(
    servers.map(({ url }: { url: string }) => url),
    ['https://apps.example.com', 'http://127.0.0.1:8090'],
  );
  const { servers: _, ...expected } = JSON.parse(JSON.stringify(document));
  assert.deepEqual(rest, expected);
});

describe('every example matches its schema', () => {
  for (const { method, path, operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const [[mediaType, content] = ['', {}]] = Object.entries(response.content ?? {});
      const { example, examples = {} } = content as {
        example?: unknown;
        examples?: Record<string, { value: unknown }>;
      };
      const values = [example, ...Object.values(examples).map(({ value }) => value)].filter(Boolean);
      test(`${method} ${path} ${status}`, () => {
        assert.ok(values.length > 0 || status === '304', 'there is an example');
        for (const value of values) {
          const headers = { ...exampleHeaders(response.headers), 'content-type': mediaType };
          published.assertDocumented(
            { method, path },
            new HttpResponse(Number(status), headers, JSON.stringify(value)),
          );
        }
      });
    }

    const { requestBody } = operation as { requestBody?: { content: object } };
    for (const [mediaType, { examples }] of Object.entries(requestBody?.content ?? {})) {
      test(`${method} ${path} ${mediaType}`, () => {
        for (const { value } of Object.values(examples as Record<string, { value: unknown }>)) {
          assert.equal(check(AppUpdate, value), null, JSON.stringify(value));
        }
      });
    }
  }
});

describe('the check of documented responses rejects', () => {
  const request = { method: 'GET', path: '/platform/apps/v1/app_x' };
  const { headers, content } = document.paths['/platform/apps/v1/{id}']?.get?.responses[200] ?? assert.fail();
  const view = (content?.['application/json'] as { example?: object } | undefined)?.example ?? assert.fail();
  const good = { ...exampleHeaders(headers), 'content-type': 'application/json' };

  test('an undeclared status', () => {
    assert.throws(
      () => published.assertDocumented(request, new HttpResponse(201, good, JSON.stringify(view))),
      /status 201/,
    );
  });

  test('an undeclared field, at any depth', () => {
    for (const extra of [{ installationCount: 1 }, { developer: { userId: 'u', email: 'a@b', phone: '1' } }]) {
      const response = new HttpResponse(200, good, JSON.stringify({ ...view, ...extra }));
      assert.throws(() => published.assertDocumented(request, response), /additional properties/);
    }
  });

  test('a missing field and a null field', () => {
    for (const change of [{ name: undefined }, { logoUrl: null }]) {
      const response = new HttpResponse(200, good, JSON.stringify({ ...view, ...change }));
      assert.throws(() => published.assertDocumented(request, response), /required property|must be string/);
    }
  });

  test('a missing header and another media type', () => {
    const { etag, ...withoutEtag } = good as Record<string, string>;
    assert.ok(etag);
    const response = new HttpResponse(200, withoutEtag, JSON.stringify(view));
    assert.throws(() => published.assertDocumented(request, response), /no ETag/);
    const asHtml = new HttpResponse(200, { ...good, 'content-type': 'text/html' }, JSON.stringify(view));
    assert.throws(() => published.assertDocumented(request, asHtml), /text\/html/);
  });
});

function exampleHeaders(headers: Record<string, { schema: object }> = {}): Record<string, string> {
  const entries = Object.entries(headers).map(([name, { schema }]) => [
    name.toLowerCase(),
    String((schema as { examples?: unknown[] }).examples?.[0]),
  ]);
  return { ...Object.fromEntries(entries), 'x-request-id': '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' };
}
