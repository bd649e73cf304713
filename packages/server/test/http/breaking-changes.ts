import { existsSync, readFileSync } from 'node:fs';
import { resolveComponents } from '@appregistrar/testkit/http/resolve-components';
import { type Direction, SchemaComparison, type Schemas } from './breaking-schema-changes.ts';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: object;
}

type Content = Record<string, { schema: object; examples?: object }>;

interface Response {
  headers?: Record<string, { required?: boolean; schema: object }>;
  content?: Content;
}

interface Operation {
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}

/** The part of an OpenAPI document that clients build on. */
export interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
}

const folder = new URL('../../../../docs/released/', import.meta.url);

/**
 * The changes of a document that would break a client of the last release, one sentence each. There are none before the
 * first release, which creates the folder.
 */
export function breakingChangesSinceRelease(name: 'openapi.json' | 'operator-openapi.json', current: object): string[] {
  const file = new URL(name, folder);
  if (!existsSync(file)) return [];
  return breakingChanges(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(current)));
}

/** The changes that would break a client of a released document, one sentence each. */
export function breakingChanges(released: Contract, current: Contract): string[] {
  return new ContractComparison(resolveComponents(released), resolveComponents(current)).changes();
}

class ContractComparison {
  readonly #released: Contract;
  readonly #current: Contract;
  readonly #schemas: SchemaComparison;

  constructor(released: Contract, current: Contract) {
    this.#released = released;
    this.#current = current;
    this.#schemas = new SchemaComparison(released.components.schemas, current.components.schemas);
  }

  changes(): string[] {
    return Object.entries(this.#released.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const place = `${method.toUpperCase()} ${path}`;
        const now = this.#current.paths[path]?.[method];
        return now ? this.#operation(place, operation, now) : [`${place} was removed`];
      }),
    );
  }

  #operation(place: string, released: Operation, current: Operation): string[] {
    return [
      ...differences(`${place} security`, released.security, current.security),
      ...this.#parameters(place, released.parameters ?? [], current.parameters ?? []),
      ...this.#requestBody(`${place} body`, released.requestBody, current.requestBody),
      ...Object.entries(released.responses).flatMap(([status, response]) => {
        const now = current.responses[status];
        return now ? this.#response(`${place} ${status}`, response, now) : [`${place} ${status} was removed`];
      }),
    ];
  }

  #parameters(place: string, released: Parameter[], current: Parameter[]): string[] {
    const find = (parameters: Parameter[], wanted: Parameter) =>
      parameters.find((parameter) => parameter.in === wanted.in && parameter.name === wanted.name);
    const removed = released.filter((parameter) => !find(current, parameter));
    return [
      ...removed.map(({ name }) => `${place} parameter ${name} was removed`),
      ...current.flatMap((parameter) => {
        const before = find(released, parameter);
        const at = `${place} parameter ${parameter.name}`;
        const required = parameter.required && !before?.required ? [`${at} is required now`] : [];
        return before ? [...required, ...this.#schema('request', at, before, parameter)] : required;
      }),
    ];
  }

  #requestBody(place: string, released: Operation['requestBody'], current: Operation['requestBody']): string[] {
    const required = current?.required && !released?.required ? [`${place} is required now`] : [];
    return [...required, ...this.#content('request', place, released?.content, current?.content)];
  }

  #response(place: string, released: Response, current: Response): string[] {
    const headers = Object.entries(released.headers ?? {}).flatMap(([name, header]) => {
      const at = `${place} header ${name}`;
      const now = current.headers?.[name];
      if (!now) return [`${at} was removed`];
      const missing = header.required && !now.required ? [`${at} may be absent now`] : [];
      return [...missing, ...this.#schema('response', at, header, now)];
    });
    return [...headers, ...this.#content('response', place, released.content, current.content)];
  }

  #content(direction: Direction, place: string, released: Content = {}, current: Content = {}): string[] {
    return Object.entries(released).flatMap(([mediaType, media]) => {
      const at = `${place} ${mediaType}`;
      const now = current[mediaType];
      if (!now) return [`${at} was removed`];
      return [
        ...this.#schema(direction, at, media, now),
        ...removedProblems(direction, at, [media.examples, now.examples]),
      ];
    });
  }

  #schema(direction: Direction, place: string, released: { schema: object }, current: { schema: object }): string[] {
    return this.#schemas.changes({ direction, place }, released.schema, current.schema);
  }
}

/** The examples of a problem are named after their codes: each code must keep its status. */
function removedProblems(
  direction: Direction,
  place: string,
  examples: [object | undefined, object | undefined],
): string[] {
  const [released = {}, current = {}] = examples;
  if (direction === 'request' || !place.endsWith(' application/problem+json')) return [];
  return Object.keys(released)
    .filter((code) => !(code in current))
    .map((code) => `${place} with code ${code} was removed`);
}

function differences(place: string, released: unknown, current: unknown): string[] {
  return JSON.stringify(released) === JSON.stringify(current) ? [] : [`${place} has changed`];
}
