import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../packages/server/src/config/config.ts';
import { drainLimits } from '../../packages/server/src/http/listener/connections.ts';
import { imageEnvironment, imageUser } from './image/build-image.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const pages = textOf('docs/configuration.md') + textOf('docs/identity-provider.md');
const documented = new Set([...pages.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name));
const health = textOf('packages/server/src/http/operator/operator-routes.ts');
const [composeText, kubernetes] = [textOf('deploy/compose.yaml'), 'deploy/kubernetes'];
const compose: Compose = parse(composeText);
const deploymentText = textOf(`${kubernetes}/deployment.yaml`);
const deployment: Deployment = parse(deploymentText);
const { spec } = deployment.spec.template;
const [container] = spec.containers as [Container];
const { data } = parse(textOf(`${kubernetes}/config.yaml`)) as { data: Record<string, string> };

test('the composition and the deployment set only variables that exist, with values that the registry accepts', () => {
  const { environment = {} } = compose.services.registry ?? assert.fail();
  for (const variables of [environment, data]) {
    assert.deepEqual(
      Object.keys(variables).filter((name) => !documented.has(name)),
      [],
    );
    const given = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, interpolated(value)]));
    const files = { DATABASE_URL_FILE: '', SECRETS_KEY_FILE: '' };
    const config = readConfig({ ...imageEnvironment, ...given, ...files, DATABASE_URL: 'postgres://app@db/app' });
    assert.equal(config.baseUrl, 'https://apps.example.com');
    assert.equal(variables.DATABASE_URL, '', 'the file that the image names is not used');
  }
});

test('the composition refers only to services, volumes, configurations and secrets that it declares', () => {
  for (const [name, { image, depends_on = {}, secrets = [], volumes = [], configs = [] }] of Object.entries(
    compose.services,
  )) {
    assert.ok(image, name);
    for (const other of Object.keys(depends_on)) assert.ok(compose.services[other]?.healthcheck, other);
    for (const secret of secrets) assert.ok(compose.secrets[secret], secret);
    for (const { source } of configs) assert.ok(compose.configs[source], source);
    for (const volume of volumes) assert.ok((volume.split(':')[0] as string) in compose.volumes, volume);
  }
});

test('containers are checked by paths and commands that exist, on the ports of the image', () => {
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
  assert.equal(imageEnvironment.PUBLIC_ADDRESS, `0.0.0.0:${ports.public}`);
  assert.equal(imageEnvironment.OPERATOR_ADDRESS, `0.0.0.0:${ports.operator}`);
  for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
    assert.equal(probe.httpGet.port, 'operator');
    assert.ok(health.includes(`path: '${probe.httpGet.path}'`), probe.httpGet.path);
  }
  assert.equal(container.readinessProbe.httpGet.path, '/readyz');
  assert.deepEqual(compose.services.registry?.healthcheck?.test, ['CMD', '/usr/local/bin/app-registry', 'healthcheck']);
});

test('containers run without privileges on a read-only root, and have time to drain', () => {
  assert.deepEqual([spec.securityContext.runAsNonRoot, spec.securityContext.runAsUser], [true, imageUser]);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  assert.equal(compose.services.registry?.read_only, true);
  const drainSeconds = drainLimits.cutOffMs / 1_000;
  assert.ok(spec.terminationGracePeriodSeconds > drainSeconds + container.lifecycle.preStop.sleep.seconds);
  assert.ok(Number.parseInt(compose.services.registry?.stop_grace_period ?? '', 10) > drainSeconds);
});

test('the services and the disruption budget select the pods, and allow one to be unavailable', () => {
  const labels = deployment.spec.template.metadata.labels;
  const selectors = ['services.yaml', 'disruption-budget.yaml'].flatMap((file) =>
    parseAllDocuments(textOf(`${kubernetes}/${file}`)).map((document) => document.toJS().spec.selector),
  );
  assert.equal(selectors.length, 3);
  for (const selector of selectors) assert.deepEqual(selector.matchLabels ?? selector, labels);
  const { minAvailable } = parse(textOf(`${kubernetes}/disruption-budget.yaml`)).spec;
  assert.deepEqual([deployment.spec.replicas, minAvailable], [2, 1]);
});

test('the network policy selects the pods, and opens each port to some namespaces only', () => {
  const { podSelector, ingress } = parse(textOf(`${kubernetes}/network-policy.yaml`)).spec as NetworkPolicySpec;
  assert.deepEqual(podSelector.matchLabels, deployment.spec.template.metadata.labels);
  assert.deepEqual(
    ingress.flatMap(({ ports }) => ports.map(({ port }) => port)),
    container.ports.map(({ name }) => name),
  );
  for (const { from } of ingress) for (const source of from) assert.ok(source.namespaceSelector);
});

test('the files say that no test runs them', () => {
  for (const text of [composeText, deploymentText])
    assert.match(text, /^# .*A test checks this file but does not run it\.$/m);
});

test('the proxy of the composition has the ports of the image, and passes requests to two replicas', () => {
  const { registry, proxy } = compose.services;
  assert.deepEqual([registry?.deploy?.replicas, registry?.ports], [2, undefined]);
  assert.deepEqual(proxy?.ports, ['127.0.0.1:8080:8080', '127.0.0.1:8081:8081']);
  const { content } = compose.configs.proxy ?? assert.fail();
  for (const port of [8080, 8081]) {
    assert.match(content, new RegExp(`server registry:${port} resolve max_fails=0;`));
    assert.match(content, new RegExp(`listen ${port};`));
  }
});

/** As Compose replaces `${NAME:-default}` and `${NAME:?what is missing}`. */
function interpolated(value: string): string {
  const given: Record<string, string> = {
    BASE_URL: 'https://apps.example.com',
    OPERATOR_BASE_URL: 'https://operators.example.com',
  };
  return value.replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_all, name: string) => given[name] ?? '');
}

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, object>;
  configs: Record<string, { content: string }>;
  secrets: Record<string, object>;
}

interface ComposeService {
  image: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, object>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  configs?: { source: string }[];
  deploy?: { replicas: number };
  healthcheck?: { test: string[] };
  read_only?: boolean;
  stop_grace_period?: string;
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  securityContext: { readOnlyRootFilesystem: boolean };
  lifecycle: { preStop: { sleep: { seconds: number } } };
}

interface NetworkPolicySpec {
  podSelector: { matchLabels: Record<string, string> };
  ingress: { from: { namespaceSelector?: object }[]; ports: { port: string }[] }[];
}

interface Deployment {
  spec: {
    replicas: number;
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: { runAsNonRoot: boolean; runAsUser: number };
        containers: Container[];
      };
    };
  };
}
