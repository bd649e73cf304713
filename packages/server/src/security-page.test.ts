import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');

test('the security page names an existing test for each risk of the OWASP API Security Top 10', () => {
  const risks = [...page.matchAll(/^\| API(\d+) .*\| (.*) \|$/gm)];
  assert.deepEqual(
    risks.map(([, risk]) => Number(risk)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  for (const [, risk, tests = ''] of risks) assert.match(tests, /`[\w./*-]+\.test\.ts`/, `API${risk}`);
  const named = [...page.matchAll(/`([\w./*-]+\.test\.ts)`/g)].map(([, path = '']) => path);
  const missing = named.filter((path) => globSync(path, { cwd: import.meta.dirname }).length === 0);
  assert.deepEqual(missing, []);
});
