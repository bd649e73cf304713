import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { type Document, PublishedDocument } from '@appregistrar/testkit/http/published-document';
import { breakingChangesSinceRelease } from '../../../test/http/breaking-changes.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { AppUpdate } from '../../features/apps/app-schemas.ts';
import { check } from '../../kernel/check.ts';
import { interfaceProblemTitles } from '../../kernel/problem-details.ts';
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

test('the document does not break clients of the last release', () => {
  const changes = breakingChangesSinceRelease('openapi.json', document);
  assert.deepEqual(changes, [], 'a breaking change requires a new version');
});

test('the reference page has the anchor of every problem code, and neither scripts nor external resources', async () => {
  const http = await HttpFixture.open(sqlite);
  const { headers, text } = await http.send({ method: 'GET', path: '/docs' });
  await http.close();
  const missing = Object.keys(interfaceProblemTitles).filter((code) => !text.includes(`id="${code}"`));
  assert.deepEqual(missing, []);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
  assert.doesNotMatch(text, /<script|<img|<link|<iframe| on\w+=/i);
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

function exampleHeaders(headers: Record<string, { schema: object }> = {}): Record<string, string> {
  const entries = Object.entries(headers).map(([name, { schema }]) => [
    name.toLowerCase(),
    String((schema as { examples?: unknown[] }).examples?.[0]),
  ]);
  return { ...Object.fromEntries(entries), 'x-request-id': '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' };
}
