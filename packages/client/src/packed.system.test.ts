import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { PackedPackage } from '@appregistrar/testkit/programs/packed-package';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { build } from 'esbuild';
import { signRequest } from '../../server/src/features/webhooks/delivery/receiver.ts';
import type { EventOf } from './event.ts';
import { ForwardProxy } from './testing/forward-proxy.ts';
import { PackedPage } from './testing/packed-page.ts';
import type { SampleInput } from './testing/packed-sample.ts';

const bundledBytesMax = 6_250;
const packedBytesMax = 150_000;
/** The oldest supported version. */
const oldestNode = '20.0.0';
/** Programs that a user installs beside the package. None runs a script when it is installed. */
const installed = [
  '@opentelemetry/api@1.9.1',
  '@opentelemetry/sdk-trace-node@2.12.0',
  'jest@30.5.2',
  'node-fetch@3.3.2',
  'undici@8.12.4',
  'workerd@1.20261117.1',
];
const repositoryModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const settings = {
  nodenext: { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [join(repositoryModules, '@types')] },
  bundler: { module: 'esnext', lib: ['es2022', 'dom'], types: [] },
};

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event: EventOf<'app.updated'> = {
  id: 'event_01jq3w3k1hf5tr8z0v6n2m9c4d',
  type: 'app.updated',
  timestamp: '2026-11-21T12:00:00.000Z',
  actor: 'command-line:demo',
  subjectId: 'app_01jq3w7q5nf9yr2d4z0s6r3g8h',
  data: { before: { name: 'Old' }, after: { name: 'Zürich 🚋' }, changedSinceApproval: ['name'] },
};
/** The fixed vector of the Standard Webhooks specification, as its libraries test it. */
const vector = {
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
  secret,
  now: 1_614_265_330_000,
};
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJ3Lm2qLpcUc=';
const expected = {
  listingInfo: { shortDescription: 'From every runtime.', backgroundColor: '#e7f5ff' },
  developer: 'Ada',
  isNew: false,
  installed: 11,
  missing: 'app_not_found',
  isInstalled: [true, false],
  state: 'closed',
  logged: true,
  changed: ['name'],
  vector: 'invalid_event',
  otherSecret: 'no_matching_signature',
  handled: [204, 'Bern', 'Zürich'],
};

const npx = ['npx', '--yes', '--prefer-offline'] as const;
const onOldest = nodeOf(oldestNode);

const main = `import { sample } from './sample.js';
const result = await sample(JSON.parse(process.argv[2]));
console.log(JSON.stringify({ ...result, node: process.version }));
`;
const commonMain = `const { sample } = require('./sample.cjs');
sample(JSON.parse(process.argv[2])).then((result) =>
  console.log(JSON.stringify({ ...result, node: process.version })),
);
`;

const jest = 'node_modules/jest/bin/jest.js';
const workerdConfig = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;

/** The set-up of a program of its own: prints its spans when it ends. */
const tracingSetup = `import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
process.on('exit', () => {
  const spans = exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    trace: span.spanContext().traceId,
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    attributes: span.attributes,
    events: span.events.map(({ name }) => name),
  }));
  console.log(JSON.stringify(spans));
});
`;

let packed: PackedPackage;
let page: PackedPage;
let registry: Program;
let input: SampleInput;
let draftId: string;
let appName: string;
let operatorUrl: string;
let sampleCode: string;

before(async () => {
  // Offline: it has no dependencies.
  packed = await PackedPackage.install('client', '--offline');
  await packed.run('npm', 'install', '--prefer-offline', '--no-audit', '--ignore-scripts', ...installed);
  page = await PackedPage.open();
  const operatorAddress = `127.0.0.1:${await freePort()}`;
  operatorUrl = `http://${operatorAddress}`;
  registry = new Program([linkedLauncher, 'dev', '--json'], {
    env: {
      PUBLIC_ADDRESS: `127.0.0.1:${await freePort()}`,
      OPERATOR_ADDRESS: operatorAddress,
      CORS_ORIGINS: page.origin,
      LOG_LEVEL: 'info',
    },
  });
  const demo = JSON.parse(await registry.until((stdout) => /^{"baseUrl".*$/m.exec(stdout)?.[0]));
  const body = JSON.stringify(event);
  const headers = signRequest({ id: event.id, body, secrets: [secret] }, Date.now());
  appName = demo.apps[0].name;
  draftId = demo.apps.find((app: { reviewStatus: string }) => app.reviewStatus === 'DRAFT').id;
  input = {
    registry: { ...demo, appId: demo.apps[0].id },
    operator: { baseUrl: operatorUrl, token: demo.operatorToken },
    webhook: { headers, body, secret },
    vector,
    otherSecret,
  };
  const source = await readFile(new URL('testing/packed-sample.ts', import.meta.url), 'utf8');
  sampleCode = source
    .replace("'../index.ts'", "'@appregistrar/client'")
    .replace("'../logging/index.ts'", "'@appregistrar/client/logging'")
    .replace("'../operator/index.ts'", "'@appregistrar/client/operator'")
    .replace("'../sync/index.ts'", "'@appregistrar/client/sync'")
    .replace("'../webhook/handler/index.ts'", "'@appregistrar/client/webhooks'")
    .replace("'../webhook/signing/index.ts'", "'@appregistrar/client/testing'");
  await packed.write('sample.ts', sampleCode);
});
after(async () => {
  registry?.kill('SIGTERM');
  await registry?.ended;
  page?.close();
  await packed?.remove();
});

for (const moduleResolution of ['nodenext', 'bundler'] as const) {
  test(`a sample type-checks in strict mode under ${moduleResolution}, and so do the types of the package`, () =>
    compile({ ...settings[moduleResolution], moduleResolution }));
}

test('the sample runs on the oldest Node of the package', async () => {
  assert.deepEqual(await runOn(...onOldest), { ...expected, node: `v${oldestNode}` });
});

test('the sample runs on the Node of this repository', async () => {
  assert.deepEqual(await runOn(process.execPath), { ...expected, node: process.version });
});

const runtimes: Record<string, [string, ...string[]]> = {
  'Node 22': nodeOf('22.23.3'),
  'Node 24': nodeOf('24.21.0'),
  Bun: [...npx, '--package=bun@1.4.5', '--', 'bun'],
  Deno: [...npx, '--package=deno@2.9.6', '--', 'deno', 'run', '--allow-all', '--quiet'],
};
for (const [runtime, command] of Object.entries(runtimes)) {
  test(`the sample runs on ${runtime}`, async () => {
    const { node: _, ...result } = (await runOn(...command)) as Record<string, unknown>;
    assert.deepEqual(result, expected);
  });
}

for (const module of ['node16', 'nodenext'] as const) {
  test(`a CommonJS project requires the package on its oldest Node, compiled by TypeScript 5.4 for ${module}`, async () => {
    // Without the current types of Node, which that compiler cannot read.
    await compile(
      { ...settings.bundler, module, moduleResolution: module },
      [...npx, '--package=typescript@5.4.5', '--', 'tsc'],
      'cts',
    );
    await packed.write('main.cjs', commonMain);
    assert.deepEqual(JSON.parse(await packed.run(...onOldest, 'main.cjs', JSON.stringify(input))), {
      ...expected,
      node: `v${oldestNode}`,
    });
  });
}

test('the conformance command runs on the oldest Node, and every guarantee of the interface holds', async () => {
  const { baseUrl, developerToken, platformToken } = input.registry;
  const tokens = ['--developer-token', developerToken, '--platform-token', platformToken];
  const server = ['--base-url', baseUrl, '--app', draftId];
  const command = ['node_modules/.bin/app-registry-client', 'conformance', ...server, ...tokens, '--json'];
  const { summary, failures } = JSON.parse(await packed.run(...onOldest, ...command));
  assert.deepEqual([summary.fails, failures], [0, []]);
  assert.ok(summary.ok > 20, `${summary.ok} guarantees`);
});

test('the sample passes under Jest with its defaults, and under Jest with ES modules', async () => {
  await compile({ ...settings.nodenext, moduleResolution: 'nodenext' });
  await compile({ ...settings.nodenext, moduleResolution: 'nodenext' }, undefined, 'cts');
  await packed.write('cases.json', JSON.stringify({ input, expected }));
  const body = `const { input, expected } = JSON.parse(require('node:fs').readFileSync('cases.json', 'utf8'));
test('the sample has its result', async () => expect(await sample(input)).toEqual(expected));
`;
  await packed.write('common.test.cjs', `const { sample } = require('./sample.cjs');\n${body}`);
  const required = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";
  await packed.write('module.test.js', `import { sample } from './sample.js';\n${required}${body}`);
  await packed.run(process.execPath, jest, 'common');
  await packed.run(process.execPath, '--experimental-vm-modules', jest, 'module');
});

test('the bundled sample runs on workerd', async () => {
  const code = `import { sample } from './sample.ts';
    export default { fetch: async () => Response.json(await sample(${JSON.stringify(input)})) };`;
  await packed.write('worker.js', await bundle(code));
  const port = await freePort();
  await packed.write('worker.capnp', workerdConfig(port));
  const workerd = packed.start([workerdProgram(), 'serve', 'worker.capnp', '--verbose']);
  try {
    assert.deepEqual(await responseOf(`http://127.0.0.1:${port}/`), expected);
  } finally {
    workerd.kill('SIGTERM');
    await workerd.ended;
  }
});

test('the fetch of undici and of node-fetch is accepted without a cast, and works', async () => {
  const code = `import { AppRegistryClient } from '@appregistrar/client';
import nodeFetch from 'node-fetch';
import { fetch as undiciFetch } from 'undici';
const { baseUrl, developerToken: token, appId } = JSON.parse(process.argv[2] ?? '').registry;
const clients = [
  new AppRegistryClient({ baseUrl, token, fetch }),
  new AppRegistryClient({ baseUrl, token, fetch: nodeFetch }),
  new AppRegistryClient({ baseUrl, token, fetch: undiciFetch }),
];
const ids: string[] = [];
for (const { developer } of clients) ids.push((await developer.apps.update(appId, {})).id);
console.log(JSON.stringify(ids));
`;
  await packed.write('fetches.ts', code);
  await compile({ ...settings.nodenext, moduleResolution: 'nodenext' }, undefined, 'ts', ['fetches.ts']);
  const ids = JSON.parse(await packed.run(process.execPath, 'fetches.js', JSON.stringify(input)));
  assert.deepEqual(ids, Array(3).fill(input.registry.appId));
});

test('the recipe for OpenTelemetry has a span for each attempt, whose context reaches the registry', async (t) => {
  const proxy = await ForwardProxy.open(t, input.registry.baseUrl);
  proxy.refusals = 1;
  await packed.write('setup.js', tracingSetup);
  await writeRecipe('tracing', { importing: '@opentelemetry/api', baseUrl: proxy.url });
  const [name, printed = ''] = await runRecipe('node --import ./setup.js tracing.js');
  const [refused, served, caller] = JSON.parse(printed);
  assert.equal(name, appName);
  assert.deepEqual(
    proxy.traceparents,
    [refused, served].map(({ id }) => `00-${caller.trace}-${id}-01`),
  );
  for (const span of [refused, served]) assert.deepEqual([span.trace, span.parent], [caller.trace, caller.id]);
  assert.deepEqual(caller.events, ['retry']);
  assert.equal(refused.attributes['http.response.status_code'], 503);
  const requestId = served.attributes['app_registry.request_id'];
  assert.match(requestId, /^[0-9a-f-]{36}$/);
  await registry.until((stdout) => stdout.includes(`"requestId":"${requestId}"`) || null);
});

test('the recipes for proxies send every request through the proxy', async (t) => {
  const proxy = await ForwardProxy.open(t, input.registry.baseUrl);
  // This host does not exist: only the proxy reaches the registry.
  const baseUrl = 'http://apps.example.invalid';
  await writeRecipe('agent', { importing: 'undici', baseUrl });
  assert.deepEqual(await runRecipe(`HTTP_PROXY=${proxy.url} node agent.js`), [appName]);
  const plain = `import { AppRegistryClient } from '@appregistrar/client';
const client = new AppRegistryClient({ baseUrl: '${baseUrl}', token: process.env.PLATFORM_TOKEN ?? '' });
console.log((await client.platform.apps.get('${input.registry.appId}')).name);
`;
  await packed.write('server.js', plain);
  const [command = ''] = (await recipes('sh')).filter((block) => block.includes('NODE_USE_ENV_PROXY'));
  const shown = 'HTTPS_PROXY=http://proxy.example.com:3128';
  assert.ok(command.includes(shown));
  assert.deepEqual(await runRecipe(command.replace(shown, `HTTP_PROXY=${proxy.url}`)), [appName]);
  assert.deepEqual(proxy.hosts, Array(2).fill('apps.example.invalid'));
});

test('the bundled sample runs in Chromium, on a page of another origin than the registry', async () => {
  // The operator API allows pages of other origins nothing: the server of the page passes its requests on.
  page.operatorUrl = operatorUrl;
  const onPage = { ...input, operator: { ...input.operator, baseUrl: page.origin } };
  const script = await bundle(`import { sample } from './sample.ts'; report(await sample(${JSON.stringify(onPage)}));`);
  assert.deepEqual(await page.run(script), expected);
});

test('the package, minified and gzipped, has less than 6.25 kB', async (t) => {
  const bytes = gzipSync(await bundle("export * from '@appregistrar/client';")).length;
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes < bundledBytesMax, `${bytes} bytes`);
});

test('the package has at most 150 kB as npm packs it', async (t) => {
  const [tarball = ''] = (await readdir(packed.folder)).filter((file) => file.endsWith('.tgz'));
  const { size } = await stat(join(packed.folder, tarball));
  t.diagnostic(`${size} bytes`);
  assert.ok(size <= packedBytesMax, `${size} bytes`);
});

test('a bundle contains only the parts that are used', async () => {
  assert.equal(await bundle("import '@appregistrar/client';"), '');
  assert.doesNotMatch(await bundle("export { visit } from '@appregistrar/client';"), /webhook-signature/);
});

/** The program itself: the wrapper does not forward signals. */
function workerdProgram(): string {
  const architecture = process.arch === 'x64' ? '64' : process.arch;
  return join(packed.folder, `node_modules/@cloudflare/workerd-linux-${architecture}/bin/workerd`);
}

/** A version of Node, from npm. */
function nodeOf(version: string): [string, ...string[]] {
  return [...npx, `--package=node-linux-${process.arch}@${version}`, '--', 'node'];
}

/** The JSON that a server responds with once it listens. */
async function responseOf(url: string): Promise<unknown> {
  for (const end = AbortSignal.timeout(30_000); ; ) {
    try {
      return await (await fetch(url, { signal: end })).json();
    } catch (error) {
      if (end.aborted || !(error instanceof TypeError)) throw error;
      await delay(50);
    }
  }
}

/** Runs the sample on a Node and returns its result. */
async function runOn(...node: [string, ...string[]]): Promise<unknown> {
  await compile({ ...settings.nodenext, moduleResolution: 'nodenext' });
  await packed.write('main.js', main);
  return JSON.parse(await packed.run(...node, 'main.js', JSON.stringify(input)));
}

/** Compiles the sample, as an ES module or as CommonJS. */
async function compile(
  options: object,
  compiler: [string, ...string[]] = [process.execPath, join(repositoryModules, 'typescript/bin/tsc')],
  extension: 'ts' | 'cts' = 'ts',
  files = [`sample.${extension}`],
): Promise<void> {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, target: 'es2022' };
  const compilerOptions = { ...strict, ...options };
  await packed.write(`sample.${extension}`, sampleCode);
  await packed.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  await packed.run(...compiler);
}

/** The code of one language in the recipes of the README. */
async function recipes(language: 'sh' | 'ts'): Promise<string[]> {
  const [, section = ''] = (await readFile(new URL('../README.md', import.meta.url), 'utf8')).split('## Recipes');
  return [...section.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  );
}

/** Compiles the recipe that imports a package, for the demo data. */
async function writeRecipe(name: string, { importing, baseUrl }: Record<'importing' | 'baseUrl', string>) {
  const [code = ''] = (await recipes('ts')).filter((recipe) => recipe.includes(`from '${importing}'`));
  const used = code
    .replace('https://apps.example.com', baseUrl)
    .replace('app_01jq3v9y6ae0xv5m6b7k8c9d0e', input.registry.appId);
  await packed.write(`${name}.ts`, used);
  await compile({ ...settings.nodenext, moduleResolution: 'nodenext' }, undefined, 'ts', [`${name}.ts`]);
}

/** The lines that a command of the shell prints. */
async function runRecipe(command: string): Promise<string[]> {
  const output = await packed.run('sh', '-c', `export PLATFORM_TOKEN=${input.registry.platformToken}\n${command}`);
  return output.trim().split('\n');
}

/** Bundles a module in the folder of the project. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: packed.folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
