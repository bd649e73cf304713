import { bodyName, pascalCase, singular } from '../packages/server/src/http/operator/client-calls.ts';
import { type Document, fullName, type OperatorMethod, queryTypeName } from './operator-methods.ts';

/** What a group has besides the methods of its operations: its class extends these. */
const baseClasses: Record<string, { name: string; file: string }> = {
  events: { name: 'EventFollower', file: './event-follower.ts' },
};

/** The classes of the operator client, with a method for each operation. */
export function methodsCode(document: Document, methods: OperatorMethod[], typeNames: string[]): string {
  const groups = [...Map.groupBy(methods, ({ group }) => group)];
  const classes = groups.map(([group, ofGroup]) =>
    group === undefined
      ? clientCode(document, groups, ofGroup)
      : groupCode(group, ofGroup, descriptionOfGroup(document, group)),
  );
  const code = classes.join('\n');
  return `${importsFor(code, typeNames)}\n${code}`;
}

function importsFor(code: string, typeNames: string[]): string {
  const modules = {
    '../client/api-promise.ts': ['type ApiPromise'],
    '../client/options.ts': ['type RequestOptions'],
    '../event.ts': ['type AppRegistryEvent'],
    './event-stream.ts': ['type StreamedEvent'],
    './operations.ts': ['formOf', 'type List', 'type Operations'],
    './operator-options.ts': ['type DryRunOptions', 'type FullView', 'type IfMatchOptions'],
    './types.ts': typeNames.map((name) => `type ${name}`),
    ...Object.fromEntries(Object.values(baseClasses).map(({ name, file }) => [file, [name]])),
  };
  const used = new Set(code.replaceAll(/\/\*\*.*?\*\//gs, '').match(/\w+/g));
  const imports = Object.entries(modules).map(([file, names]) => {
    const needed = names.filter((name) => used.has(name.replace('type ', '')));
    if (needed.length === 0) return '';
    const areTypes = needed.every((name) => name.startsWith('type '));
    return areTypes
      ? `import type { ${needed.join(', ').replaceAll('type ', '')} } from '${file}';`
      : `import { ${needed.join(', ')} } from '${file}';`;
  });
  return imports.join('\n');
}

/** A call of each method, with which tests see what it requests and what it returns. */
export function callsCode(methods: OperatorMethod[]): string {
  const calls = methods.map((method) => {
    const { operationId, group } = method;
    const operator = group === undefined ? 'operator' : `{ ${group} }`;
    const called = `${group === undefined ? 'operator.' : ''}${fullName(method)}(${callArguments(method).join(', ')})`;
    return `${operationId}: (${operator}: OperatorClient) => ${called},`;
  });
  return `import type { OperatorClient } from '../operator-client.ts';

/** Stands for any body or query. */
const anything = {} as never;

/** A call of the method that requests each operation, by its operationId. */
export const calls = {
${calls.join('\n')}
};
`;
}

function callArguments({ pathParameters, body, query }: OperatorMethod): string[] {
  return [
    ...pathParameters.map(({ name }) => `'${name}_1'`),
    ...((body && !body.isOptional) || query.some(({ required }) => required) ? ['anything'] : []),
  ];
}

function clientCode(
  document: Document,
  groups: [string | undefined, OperatorMethod[]][],
  methods: OperatorMethod[],
): string {
  const names = groups.map(([group]) => group).filter((group) => group !== undefined);
  return `/**
 * The operations of the operator API, by what they are about.
 *
 * @example
 * const resources: OperatorResources = operator;
 * console.log((await resources.caller.get()).actor);
 */
export class OperatorResources {
${names.map((name) => `/** ${descriptionOfGroup(document, name)} */\nreadonly ${name}: ${className(name)};`).join('\n')}
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
${names.map((name) => `this.${name} = new ${className(name)}(operations);`).join('\n')}
  }

${methods.map(methodCode).join('\n\n')}
}
`;
}

function groupCode(group: string, methods: OperatorMethod[], description: string): string {
  const base = baseClasses[group];
  return `/**
 * ${description}
 *
 * @example
 * ${exampleOf(group, methods)}
 */
export class ${className(group)} ${base ? `extends ${base.name} ` : ''}{
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    ${base ? 'super();' : ''}
    this.#operations = operations;
  }

${methods.map(methodCode).join('\n\n')}
}
`;
}

function descriptionOfGroup({ tags }: Document, group: string): string {
  return tags.find(({ name }) => name.replaceAll('-', '') === group.toLowerCase())?.description ?? `The ${group}.`;
}

function exampleOf(group: string, methods: OperatorMethod[]): string {
  const first = methods.find(({ result }) => result.kind === 'list') ?? methods[0];
  if (!first) return '';
  const form = first.body?.isForm ? [`{ file: new Blob(['{"type":"developer","email":"ada@example.com"}']) }`] : [];
  const given = [...first.pathParameters.map(({ argument }) => argument), ...form];
  const call = `operator.${group}.${first.name}(${given.join(', ')})`;
  const name = singular(group);
  return first.result.kind === 'list'
    ? `for await (const ${name} of ${call}) console.log(${name});`
    : `console.log(await ${call});`;
}

function methodCode(method: OperatorMethod): string {
  const { name, description, httpMethod, ifMatch, body, result } = method;
  const path = `[${method.path.map((segment) => pathCode(method, segment)).join(', ')}]`;
  const parameters = parametersOf(method);
  const given = [
    body && (body.isForm ? `body: formOf(${bodyName(body.type)})` : `body: ${bodyName(body.type)}`),
    queryCode(method),
    ifMatch && 'ifMatch',
  ].filter(Boolean);
  const query = method.query.length > 0 ? 'query' : '{}';
  const call = {
    list: `list(${path}, ${query}, options)`,
    stream: `stream(${path}, ${query}, options)`,
    object: `send('${httpMethod}', ${path}, { ${given.join(', ')} }, options)`,
  }[result.kind];
  const signature = `${name}(${parameters.join(', ')}): ${resultType(method)}`;
  const full = fullSignature(method);
  return `${docComment(description)}
  ${full ? `${full};\n${docComment(description)}\n${signature};\n` : ''}${signature} {
    return this.#operations.${call};
  }`;
}

/** The signature for a query with which a list shows its items in full. */
function fullSignature(method: OperatorMethod): string | undefined {
  const { name, result } = method;
  if (result.kind !== 'list' || result.fullType === undefined) return undefined;
  const parameters = parametersOf(method).map((parameter) =>
    parameter.replace(/^query\?: (\w+)$/, 'query: $1 & FullView'),
  );
  return `${name}(${parameters.join(', ')}): ${resultType({ ...method, result: { ...result, type: result.fullType } })}`;
}

function parametersOf(method: OperatorMethod): string[] {
  const { pathParameters, body, httpMethod, query } = method;
  const ids = pathParameters.map(({ argument, schema }) => {
    const isNumber = [schema.examples].flat().some((example) => /^\d+$/.test(`${example}`));
    return `${argument}: ${isNumber ? 'string | number' : 'string'}`;
  });
  const isRequired = query.some(({ required }) => required);
  return [
    ...ids,
    ...(body ? [`${bodyName(body.type)}${body.isOptional ? '?' : ''}: ${body.type}`] : []),
    ...(httpMethod === 'GET' && query.length > 0 ? [`query${isRequired ? '' : '?'}: ${queryTypeName(method)}`] : []),
    optionsParameter(method),
  ];
}

/** What changes something takes the parameters of its query as options. */
function optionsParameter({ httpMethod, query, ifMatch }: OperatorMethod): string {
  const inQuery = httpMethod === 'GET' ? [] : query;
  const others = inQuery.filter(({ name }) => name !== 'dryRun');
  const names = [...inQuery.map(({ name }) => name), ...(ifMatch ? ['ifMatch'] : [])];
  if (names.length === 0) return 'options?: RequestOptions';
  const types = [
    ...(others.length < inQuery.length ? ['DryRunOptions'] : []),
    ...(ifMatch ? ['IfMatchOptions'] : []),
    ...others.map(
      ({ name, description, schema }) => `{ /** ${description} */ ${name}?: ${typeOfOption(schema)} | undefined }`,
    ),
  ];
  return `{ ${names.join(', ')}, ...options }: ${types.join(' & ')} = {}`;
}

function typeOfOption({ type, enum: values }: OperatorMethod['query'][number]['schema']): string {
  return values?.map((value) => `'${value}'`).join(' | ') ?? `${type}`;
}

function queryCode({ httpMethod, query }: OperatorMethod): string | undefined {
  if (query.length === 0) return undefined;
  return httpMethod === 'GET' ? 'query' : `query: { ${query.map(({ name }) => name).join(', ')} }`;
}

function pathCode({ pathParameters }: OperatorMethod, segment: string): string {
  return pathParameters.find(({ name }) => segment === `{${name}}`)?.argument ?? `'${segment}'`;
}

function resultType({ result }: OperatorMethod): string {
  if (result.kind === 'stream') return 'AsyncGenerator<StreamedEvent, void, void>';
  if (result.kind !== 'list') return `ApiPromise<${result.type}>`;
  return result.beside ? `List<${result.type}, ${result.beside}>` : `List<${result.type}>`;
}

function className(group: string): string {
  return `Operator${pascalCase(group)}`;
}

const widthMax = 115;

function docComment(text: string): string {
  if (text.length < widthMax - 3) return `/** ${text} */`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length >= widthMax) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n');
}
