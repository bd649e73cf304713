import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { calls } from '../../client/src/operator/testing/calls.ts';
import { methodName } from '../../client/src/operator/testing/method-name.ts';

type OperationId = keyof typeof calls;

/** The operations that no screen uses yet, and why. */
const withoutScreen: Partial<Record<OperationId, string>> = {
  getAppNote: 'the app lists its notes with everything about them',
  getInstallation: 'an app lists its installations with everything about them',
  getLogo: 'the pages with logos list them with everything about each',
  getProtectedName: 'a list of them has everything about each',
  getReasonTemplate: 'a list of them has everything about each',
  getCaller: 'the session of the browser has the same',
  readEventFeed: 'it is for programs: the changes of an app show its events',
};

test('each operation of the operator API has a screen, or a reason why it has none', () => {
  const used = usedMethods();
  const operationIds = documentedOperations();
  const hasScreen = (id: OperationId) => used.has(methodName(id));
  assert.deepEqual(
    operationIds.filter((id) => !hasScreen(id)).toSorted(),
    Object.keys(withoutScreen).toSorted(),
    'those without a screen are those with a reason',
  );
});

test('the console uses only operations that the operator API documents', () => {
  const documented = documentedOperations().map(methodName);
  // Sessions are not part of that API.
  const others = [...usedMethods()].filter((method) => !documented.includes(method));
  assert.deepEqual(others, ['request']);
  assert.deepEqual(
    sources()
      .filter(({ text }) => /operator\.request\(/.test(text))
      .map(({ file }) => file),
    ['session.ts'],
  );
});

test('the client sends all requests of the console', () => {
  const sendsItself = /\bfetch\b|XMLHttpRequest|sendBeacon|EventSource|WebSocket/;
  // It gives the client a fetch that outlives the page.
  assert.deepEqual(
    sources()
      .filter(({ text }) => sendsItself.test(text))
      .map(({ file }) => file),
    ['operator.ts'],
  );
});

/** The operations of the document that the operator listener publishes. */
function documentedOperations(): OperationId[] {
  const url = new URL('../../../docs/operator-openapi.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(url, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const all = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  return all.filter((id) => id !== undefined) as OperationId[];
}

/** The methods of the client that any source calls. */
function usedMethods(): Set<string> {
  const found = sources().flatMap(({ text }) => [...text.matchAll(/\boperator\.((?:\w+\.)?\w+)\(/g)]);
  return new Set(found.map(([, method = '']) => method));
}

function sources(): { file: string; text: string }[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });
  return files.map((file) => ({ file, text: readFileSync(`${import.meta.dirname}/${file}`, 'utf8') }));
}
