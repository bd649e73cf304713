import { problemMediaType } from '../problem/problem.ts';
import type { OpenApiDocument, ResponseObject } from './openapi.ts';

type Header = NonNullable<ResponseObject['headers']>[string];

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface PublishedOperation {
  parameters: Parameter[];
  responses: Record<string, ResponseObject>;
}

/**
 * The same document, in which a header, a parameter or a problem that several operations have is a component. Most
 * operations have most of them, and a document that repeats them is four times as large.
 */
export function withSharedComponents(document: OpenApiDocument): OpenApiDocument {
  const paths = document.paths as Record<string, Record<string, PublishedOperation>>;
  const headers = new Shared<Header>('headers', responsesIn(paths).flatMap(({ headers = {} }) => Object.values(headers)));
  const withHeaders = mapOperations(paths, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, (response) => ({
      ...response,
      headers: mapValues(response.headers ?? {}, (header, name) =>
        headers.refer(header.required ? name : `${name}-optional`, header),
      ),
    })),
  }));
  const parameters = new Shared<Parameter>('parameters', operationsIn(paths).flatMap(({ parameters }) => parameters));
  const responses = new Shared<ResponseObject>('responses', responsesIn(withHeaders).filter(isProblem));
  return {
    ...document,
    paths: mapOperations(withHeaders, (operation, path) => ({
      ...operation,
      parameters: operation.parameters.map((parameter) => parameters.refer(parameterName(parameter, path), parameter)),
      responses: mapValues(operation.responses, (response) => responses.refer(problemName(response), response)),
    })),
    components: {
      ...document.components,
      headers: headers.components,
      parameters: { ...document.components.parameters, ...parameters.components },
      responses: { ...document.components.responses, ...responses.components },
    },
  };
}

/** The values of one kind that occur more than once, by their names as components. */
class Shared<Value extends object> {
  readonly components: Record<string, Value> = {};
  readonly #kind: string;
  readonly #repeated: Set<string>;

  constructor(kind: string, values: Value[]) {
    this.#kind = kind;
    const texts = values.map((value) => JSON.stringify(value));
    this.#repeated = new Set(texts.filter((text, at) => texts.indexOf(text) < at));
  }

  /** A reference to the component of this name, or the value itself if it occurs once. */
  refer(name: string, value: Value): Value {
    const text = JSON.stringify(value);
    if (!this.#repeated.has(text)) return value;
    const named = (this.components[name] ??= value);
    if (JSON.stringify(named) !== text) throw new Error(`two different ${this.#kind} have the name ${name}`);
    return { $ref: `#/components/${this.#kind}/${name}` } as unknown as Value;
  }
}

/** Such as `apps-id` for the id in `/apps/{id}`. */
function parameterName({ name, in: place, required }: Parameter, path: string): string {
  if (place !== 'path') return required ? `${name}-required` : name;
  const [collection] = path.split(`/{${name}}`);
  return `${collection?.split('/').at(-1)}-${name}`;
}

/** Such as `precondition_failed`, by its codes. */
function problemName(response: ResponseObject): string {
  const codes = Object.keys(response.content?.[problemMediaType]?.examples ?? {});
  return [...codes, ...('Idempotency-Replayed' in (response.headers ?? {}) ? ['replayed'] : [])].join('-');
}

function isProblem({ content = {} }: ResponseObject): boolean {
  return problemMediaType in content;
}

function operationsIn(paths: Record<string, Record<string, PublishedOperation>>): PublishedOperation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

function responsesIn(paths: Record<string, Record<string, PublishedOperation>>): ResponseObject[] {
  return operationsIn(paths).flatMap(({ responses }) => Object.values(responses));
}

function mapOperations(
  paths: Record<string, Record<string, PublishedOperation>>,
  map: (operation: PublishedOperation, path: string) => PublishedOperation,
): Record<string, Record<string, PublishedOperation>> {
  return mapValues(paths, (item, path) => mapValues(item, (operation) => map(operation, path)));
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
