import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { HttpRequest } from './http-request.ts';
import type { HttpResponse } from './http-response.ts';
import { knownValues } from './open-string.ts';
import { resolveComponents } from './resolve-components.ts';

interface PublishedHeader {
  required?: boolean;
  schema: object;
}

interface PublishedResponse {
  headers?: Record<string, PublishedHeader>;
  content?: Record<string, { schema: object; examples?: object }>;
}

interface PublishedOperation {
  responses: Record<string, PublishedResponse>;
}

export interface Document {
  paths: Record<string, Record<string, PublishedOperation>>;
  components: { schemas: Record<string, object> };
}

/** Headers that are of HTTP or of browsers rather than of an operation. */
const transportHeaders =
  /^(?:date|connection|keep-alive|transfer-encoding|content-(?:length|type)|vary|access-control-.*)$/;
const anyProblem = { $ref: '#/components/schemas/Problem' };
/** By their text. */
const documents = new Map<string, PublishedDocument>();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Validates responses against the OpenAPI document that the service publishes, more strictly than the document
 * requires: a field that no schema declares is an error too, and so is an unknown value of an open string.
 */
export class PublishedDocument {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false });
  readonly #compiled = new Map<object, ValidateFunction>();
  readonly #templates: [template: string, pattern: RegExp][];

  /** That of the same text is the same: compiling its schemas takes longer than most tests. */
  static ofText(text: string): PublishedDocument {
    const known = documents.get(text) ?? new PublishedDocument(JSON.parse(text));
    documents.set(text, known);
    return known;
  }

  constructor(document: Document) {
    this.#document = resolveComponents(document);
    this.#templates = Object.keys(document.paths).map((template) => [
      template,
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    ]);
    this.#ajv.addVocabulary(['components']);
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    this.#ajv.addFormat('uri', (text) => URL.canParse(text));
    this.#ajv.addFormat('uuid', uuid);
    this.#ajv.addSchema({ $id: 'document', components: { schemas: closed(document.components.schemas) } });
  }

  /** Throws unless the document allows this response to the request. */
  assertDocumented(request: Pick<HttpRequest, 'method' | 'path'>, response: HttpResponse): void {
    assert.match(response.headers['x-request-id'] ?? '', uuid, 'every response has an X-Request-Id');
    if (response.status >= 400 && request.method !== 'HEAD') this.#assertProblem(response);
    const operation = this.#operation(request);
    if (!operation) return;
    const declared = operation.responses[response.status];
    assert.ok(declared, `status ${response.status} is not in the document for ${request.method} ${request.path}`);
    this.#assertHeaders(declared, response);
    if (request.method !== 'HEAD') this.#assertBody(declared, response);
  }

  #assertProblem({ status, headers, problem }: HttpResponse): void {
    this.#assertMatches(anyProblem, problem);
    assert.equal(problem.status, status);
    assert.equal(problem.requestId, headers['x-request-id']);
    assert.equal(problem.instance, `urn:uuid:${problem.requestId}`);
    assert.ok(problem.type.endsWith(`/docs#${problem.code}`), problem.type);
    assert.equal(problem.code === 'invalid_content', problem.errors !== undefined);
  }

  #operation({ method, path }: { method: string; path: string }): PublishedOperation | undefined {
    const [pathname = ''] = path.split('?');
    // A path without parameters comes before one with them.
    const exact = this.#templates.find(([template]) => template === pathname);
    const [template] = exact ?? this.#templates.find(([, pattern]) => pattern.test(pathname)) ?? [];
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    return template === undefined ? undefined : this.#document.paths[template]?.[name];
  }

  #assertHeaders(declared: PublishedResponse, { status, headers }: HttpResponse): void {
    const names = Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase());
    const undeclared = Object.keys(headers).filter((name) => !names.includes(name) && !transportHeaders.test(name));
    assert.deepEqual(undeclared, [], `headers of a ${status} that the document does not declare`);
    for (const [name, { required, schema }] of Object.entries(declared.headers ?? {})) {
      const value = headers[name.toLowerCase()];
      if (value === undefined) assert.ok(!required, `the response has no ${name}`);
      else this.#assertMatches(schema, 'type' in schema && schema.type === 'integer' ? Number(value) : value);
    }
  }

  #assertBody(declared: PublishedResponse, { status, headers, text }: HttpResponse): void {
    if (!declared.content) {
      assert.equal(text, '', `a ${status} has no body`);
      return;
    }
    const content = declared.content[headers['content-type'] ?? ''];
    assert.ok(content, `media type ${headers['content-type']} is not in the document for ${status}`);
    if (headers['content-type'] === 'text/event-stream') {
      for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm))
        this.#assertMatches(content.schema, JSON.parse(data));
      return;
    }
    const body = JSON.parse(text);
    this.#assertMatches(content.schema, body);
    if (status >= 400) assert.ok(body.code in (content.examples ?? {}), `${status} never has code ${body.code}`);
  }

  #assertMatches(schema: object, value: unknown): void {
    let validate = this.#compiled.get(schema);
    if (!validate) {
      validate = this.#ajv.compile(absolute(schema) as object);
      this.#compiled.set(schema, validate);
    }
    if (!validate(value)) assert.fail(`${JSON.stringify(value)} ${this.#ajv.errorsText(validate.errors)}`);
  }
}

/** The same schemas, but without additional properties, and with no other value of an open string. */
function closed(schema: unknown): unknown {
  return mapObjects(schema, (object) => {
    const values = knownValues(object);
    if (values) return { type: 'string', enum: values };
    return 'properties' in object ? { ...object, additionalProperties: false } : object;
  });
}

function absolute(schema: unknown): unknown {
  return mapObjects(schema, (object) => ('$ref' in object ? { $ref: `document${object.$ref}` } : object));
}

function mapObjects(value: unknown, map: (object: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, map));
  if (typeof value !== 'object' || value === null) return value;
  const properties = Object.entries(value).map(([name, property]) => [name, mapObjects(property, map)]);
  return map(Object.fromEntries(properties));
}
