import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { type Engine, forEachEngine, isTested, on, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { parse } from 'yaml';
import { serveHere } from '../test/programs/serve-here.ts';
import { updateLastUsedAt } from './features/access/access-queries.ts';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

interface Panel {
  title: string;
  targets?: { expr: string; datasource: { uid: string } }[];
}

const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = textOf('docs/monitoring.md');
const onCall = textOf('docs/on-call.md');
const alerts = parse(textOf('operations/alerts.yml')).groups.flatMap(
  ({ rules }: { rules: Alert[] }) => rules,
) as Alert[];
const dashboard = JSON.parse(textOf('operations/grafana-dashboard.json')) as { panels: Panel[] };
const questions = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ where: `the panel "${title}"`, expr })),
);
const indicators = [...page.matchAll(/^### ([^\n]*)\n\n```promql\n(.*?)```$/gms)].map(([, title = '', expr = '']) => ({
  where: `the indicator "${title}"`,
  expr,
}));
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: `the alert ${alert}`, expr })),
  ...questions,
  ...indicators,
];
/** Process metrics, which the page does not list; and labels that Prometheus adds. */
const ofProcess = /^(process|nodejs)_/;
const ofPrometheus = 'up';

/** The exported metrics of a running server, by engine. */
const exported = new Map<Engine['name'], Map<string, Set<string>>>();
before(async () => {
  for (const engine of [sqlite, postgres].filter(isTested)) exported.set(engine.name, await exportedOn(engine));
});

test(
  'every metric and label that an alert, the dashboard or an indicator queries is exported by a registry',
  on(sqlite, postgres),
  () => {
    assert.equal(indicators.length, 2);
    const known = new Map([...exported.values()].flatMap((labels) => [...labels]));
    for (const { where, expr } of expressions) {
      for (const { metric, labels } of selectorsOf(expr)) {
        if (metric === ofPrometheus) continue;
        const has = known.get(metric);
        assert.ok(has, `${where} queries ${metric}`);
        for (const label of labels)
          assert.ok(has.has(label) || givenByPrometheus.has(label), `${where}: ${metric} has no ${label}`);
      }
    }
  },
);

test('every metric is on the dashboard or in an alert', on(sqlite, postgres), () => {
  const queried = new Set(expressions.flatMap(({ expr }) => selectorsOf(expr).map(({ metric }) => familyOf(metric))));
  const metrics = [...exported.values()].flatMap((labels) => [...labels.keys()].map(familyOf));
  const unused = metrics.filter((metric) => !ofProcess.test(metric) && !queried.has(metric));
  assert.deepEqual(unused, []);
});

forEachEngine((engine) => {
  test('the page lists exactly the metrics of this engine', () => {
    const listed = [...page.matchAll(/^\| `([a-z_]+)` \| (both|SQLite|PostgreSQL) \|/gm)]
      .filter(([, , on]) => on === 'both' || on?.toLowerCase().startsWith(engine.name))
      .map(([, name]) => name);
    const names = [...(exported.get(engine.name)?.keys() ?? [])].map(familyOf).filter((name) => !ofProcess.test(name));
    assert.deepEqual(listed.toSorted(), [...new Set(names)].toSorted());
  });
});

test('every alert has a severity, a summary and a runbook, and every runbook belongs to an alert', () => {
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(critical|warning)$/, alert);
    assert.ok(annotations.summary && annotations.description, alert);
    assert.equal(annotations.runbook_url, `docs/on-call.md#${alert.toLowerCase()}`);
  }
  assert.deepEqual(
    [...entriesOf(onCall).keys()],
    alerts.map(({ alert }) => alert),
  );
});

test('every runbook covers the meaning, the checks, the likely causes, the remedy and the escalation of its alert', () => {
  const labels = ['Means', 'Look first', 'Likely causes', 'Do', 'Escalate'];
  for (const [alert, entry] of entriesOf(onCall)) {
    const given = [...entry.matchAll(/^- \*\*([^*]+)\.\*\* \S/gm)].map(([, label]) => label);
    assert.deepEqual(given, labels, alert);
    const linked = onCall.split('## Alerts')[0] ?? '';
    assert.ok(linked.includes(`[${alert}](#${alert.toLowerCase()})`), `${alert} is in the table`);
  }
});

test('the test of the alerts makes every alert fire', () => {
  const { tests } = parse(textOf('operations/alerts.test.yml')) as {
    tests: { promql_expr_test: { exp_samples?: { labels: string }[] }[] }[];
  };
  const samples = tests.flatMap((one) => one.promql_expr_test.flatMap(({ exp_samples = [] }) => exp_samples));
  const fired = samples.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]);
  assert.deepEqual([...new Set(fired)].toSorted(), alerts.map(({ alert }) => alert).toSorted());
});

test('the dashboard queries the Prometheus that its reader chooses', () => {
  assert.ok(questions.length > 20);
  for (const { targets = [] } of dashboard.panels) {
    for (const { datasource } of targets) assert.equal(datasource.uid, '$' + '{datasource}');
  }
});

test('every metric of an expression is read with the labels that select it', () => {
  const expression = `sum by (instance, le) (rate(a_b_count{status=~"5..", route!="x{y}"}[5m])) > 0.01 * a:c
    or absent(up) and on (job) time() - d offset 5m < 1e9`;
  assert.deepEqual(selectorsOf(expression), [
    { metric: 'a_b_count', labels: ['status', 'route'] },
    { metric: 'a:c', labels: [] },
    { metric: 'up', labels: [] },
    { metric: 'd', labels: [] },
  ]);
});

/** What a runbook says of each alert. */
function entriesOf(runbook: string): Map<string, string> {
  const entries = [...runbook.matchAll(/^### (\w+)\n(?=\S)(.*?)(?=^##)/gms)];
  return new Map(entries.map(([, alert = '', entry = '']) => [alert, entry]));
}

/** A label of the scraped address. */
const givenByPrometheus = new Set(['job', 'instance']);
/** The histogram of one of its samples. */
function familyOf(sample: string): string {
  return sample.replace(/_(bucket|sum|count)$/, '');
}

async function exportedOn(engine: Engine): Promise<Map<string, Set<string>>> {
  const fixture = await RegistryFixture.open(engine);
  const { id } = await fixture.newToken('platform');
  const now = fixture.registry.now();
  await fixture.registry.storage.write((transaction) => updateLastUsedAt(transaction, { ids: [id], hour: now, now }));
  const { operatorUrl, stop } = await serveHere(fixture.databaseUrl);
  const address = { port: Number(new URL(operatorUrl).port) };
  // A request is counted after its response, so the second response includes the first request.
  await ScrapedMetrics.of(address);
  const metrics = await ScrapedMetrics.of(address);
  await stop();
  await fixture.close();
  return metrics.labels();
}

const words = new Set(['and', 'or', 'unless', 'offset', 'bool']);

/** The metrics that a PromQL expression selects, with the labels of its matchers. */
function selectorsOf(expression: string): { metric: string; labels: string[] }[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right) *\([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ');
  const found = bare.matchAll(/(?<![\w.:])([a-z_][\w:]*)(?! *\(|\w)(?:\{([^}]*)\})?/gi);
  return [...found]
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+) *[=!]/g)].map(([, label = '']) => label),
    }))
    .filter(({ metric }) => !words.has(metric));
}
