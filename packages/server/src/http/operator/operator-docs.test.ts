import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { runHere } from '@appregistrar/testkit/programs/command-line';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { eventTypes } from '../../features/events/event.ts';
import { operatorOperations } from '../../features/operations.ts';
import { settingDeclarations } from '../../features/settings/settings.ts';
import { newId } from '../../kernel/ids.ts';
import type { OperatorOperation } from '../../kernel/operation.ts';
import { problemTitles } from '../../kernel/problem-details.ts';
import { tokenScopes } from '../../kernel/registry.ts';
import { readReference } from '../openapi/reference-page.ts';
import { problemStatuses } from '../problem/problem.ts';
import { camelCase, methodName } from './client-calls.ts';
import { operatorPages } from './operator-docs.ts';
import { documentedOperations, resources, scopesText } from './operator-document.ts';

const reference = readReference('operator-api.md');
let operator: OperatorFixture;
/** The text of each page of the reference, by its path. */
const pages = new Map<string, string>();
before(async () => {
  operator = await OperatorFixture.open(sqlite);
  for (const path of ['/docs', ...resources.map(({ name }) => `/docs/${name}`)]) {
    pages.set(path, (await operator.send({ method: 'GET', path })).text);
  }
});
after(() => operator.close());

test('the colours of the reference are those of the console', () => {
  const tokens = readFileSync(new URL('../../../../console/src/style/tokens.css', import.meta.url), 'utf8');
  const [, declared = ''] = /:root \{ color-scheme: light dark; (.*?) \}/.exec(pages.get('/docs') ?? '') ?? [];
  const colours = declared.split('; ').map((one) => one.replace(/;$/, ''));
  assert.ok(colours.length > 5);
  assert.deepEqual(
    colours.filter((colour) => !tokens.includes(`${colour};`)),
    [],
  );
});

describe('the reference', () => {
  test('lists exactly the operations that exist, each with its scope', () => {
    const scope = `\`(?:${tokenScopes.join('|')})\``;
    const row = new RegExp(`^\\| \`([A-Z]+ /\\S+)\` \\| (${scope}(?: or ${scope})?(?:, not ${scope})?) \\|`, 'gm');
    const documented = [...reference.matchAll(row)].map(([, line, scopes]) => `${line} ${scopes}`);
    const declared = Object.values<OperatorOperation>(operatorOperations).map(
      (operation) =>
        `${operation.method} ${operation.path.replaceAll(/:(\w+)/g, '{$1}').replace('/operator/v1', '')} ${scopesText(operation)}`,
    );
    assert.deepEqual(documented.toSorted(), declared.toSorted());
  });

  test('explains every scope and every setting', () => {
    for (const [name, { default: value, help }] of Object.entries(settingDeclarations))
      assert.ok(reference.includes(`| \`${name}\` | \`${value}\` | ${help} |`), name);
    for (const scope of tokenScopes) assert.match(reference, new RegExp(`^\\| \`${scope}\` \\| \\w`, 'm'), scope);
  });

  test('names what the scope read does not read, like the help of the command that creates tokens', async () => {
    const unread = documentedOperations
      .map(({ operation }) => operatorOperations[operation.operationId as keyof typeof operatorOperations])
      .filter(({ method, scope }) => method === 'GET' && scope === 'admin')
      .map(({ path }) => path.split('/')[3])
      // Deliveries are those of webhooks.
      .filter((name) => name !== 'deliveries');
    const meaning = `read everything except ${[...new Set(unread)].join(' and ')}`;
    assert.match(reference, new RegExp(`^\\| \`read\` \\| ${meaning}`, 'm'));
    assert.match((await runHere('token', 'create', '--help')).stdout, new RegExp(`^  read +${meaning}$`, 'm'));
  });

  test('has an anchor and a status for exactly the problem codes that exist', () => {
    const rows = [...reference.matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` \| (\d+) \| \S.*\. \|$/gm)];
    const documented = Object.fromEntries(
      rows.map(([, id, code, status]) => (id === code ? [id, Number(status)] : [])),
    );
    assert.deepEqual(documented, problemStatuses);
    assert.deepEqual(Object.keys(documented).toSorted(), Object.keys(problemTitles).toSorted());
  });

  test('names every list operation with its filters', () => {
    const lists = documentedOperations.filter(({ operation }) => /^List/.test(operation.summary));
    assert.ok(lists.length > 5);
    for (const { path, operation } of lists) {
      const documentedPath = path.replace('/operator/v1', '').replaceAll(/:(\w+)/g, '{$1}');
      const row = section('## Lists')
        .split('\n')
        .find((line) => line.startsWith(`| \`GET ${documentedPath}\` | `));
      assert.ok(row, path);
      for (const { name, in: location } of operation.parameters as { name: string; in: string }[]) {
        if (location === 'query' && !['cursor', 'limit'].includes(name))
          assert.ok(row.includes(`\`${name}\``), `${path} ${name}`);
      }
    }
  });
});

describe('the pages', () => {
  test('list exactly the types of events that exist', () => {
    const [, table = ''] = /^## Event types\n(.*?)^## /ms.exec(readReference('events.md')) ?? [];
    const types = [...table.matchAll(/`(\w+\.\w+)`/g)].map(([, type]) => type);
    assert.deepEqual(types.toSorted(), eventTypes.toSorted());
  });

  test('show an event that the schema accepts', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(readReference('events.md')) ?? [];
    const { components } = operator.document;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: 'document', components });
    assert.ok(ajv.validate({ $ref: 'document#/components/schemas/KnownEvent' }, JSON.parse(example)), ajv.errorsText());
  });

  test('link only to pages and headings that exist, as a reader of the files follows them', () => {
    const links = operatorPages.flatMap((file) =>
      [...readReference(file).matchAll(/\]\((?:([\w-]+\.md))?(?:#([\w-]+))?\)/g)].map(([, target, anchor]) => ({
        file: target ?? file,
        anchor,
      })),
    );
    assert.ok(links.length > 30);
    const own = links.filter(({ file }) => operatorPages.some((known) => known === file));
    assert.deepEqual(
      own.filter(({ file, anchor }) => anchor && !anchorsOf(readReference(file)).includes(anchor)),
      [],
    );
  });
});

describe('the pages that the listener serves', () => {
  test('are HTML without scripts or external resources, each of a size to open at once', async () => {
    for (const [path, page] of pages) {
      const { status, headers } = await operator.send({ method: 'GET', path });
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
      assert.doesNotMatch(page, /<script|<img|<picture|<link|<iframe| on\w+=/i);
      assert.ok(page.length < 250_000, `${path} has ${page.length} characters`);
    }
    assert.equal((await operator.send({ method: 'GET', path: '/docs/none' })).refusal, '404 path_not_found');
  });

  test('have the anchor of each problem; the type of one that both listeners report points to the public page', async () => {
    for (const [path, port] of [
      ['/apps/app_x', 8080],
      [`/developers/${newId('user')}`, 8081],
    ] as const) {
      const { problem } = await operator.call(`GET ${path}`);
      const [address, code] = problem.type.split('#');
      assert.equal(address, `http://127.0.0.1:${port}/docs`);
      assert.ok(pages.get('/docs')?.includes(`<a id="${code}"></a>`));
    }
  });

  test('show every operation on the page of its resource, with its command and the method of the client', () => {
    const groups = resources.map(({ name }) => camelCase(name));
    for (const { path, method, operation } of documentedOperations) {
      const page = pages.get(`/docs/${operation.tags[0]}`) ?? '';
      const { operationId } = operation;
      const start = page.indexOf(`<code>${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}</code>`);
      assert.ok(start > 0, operationId);
      const section = page.slice(start, page.indexOf('<h3', start));
      const { command } = operatorOperations[operationId as keyof typeof operatorOperations];
      assert.ok(section.includes(`<code>app-registry ${command?.name}</code>`), operationId);
      const { group, name } = methodName(operationId, groups);
      const call = `<code>operator.${group === undefined ? '' : `${group}.`}${name}(`;
      assert.ok(section.includes(call), operationId);
    }
  });

  test('show every schema once', () => {
    for (const name of Object.keys(operator.document.components.schemas)) {
      const heading = `<h3 id="${name.toLowerCase()}">${name}</h3>`;
      assert.equal([...pages.values()].filter((page) => page.includes(heading)).length, 1, name);
    }
  });

  test('have unique anchors, and link only to those of the reference', () => {
    const ids = new Map(
      [...pages].map(([path, page]) => [path, [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
    );
    for (const [path, page] of pages) {
      const own = ids.get(path) ?? [];
      assert.equal(new Set(own).size, own.length, path);
      const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, target = '']) => target);
      assert.ok(links.length > 20);
      const broken = links.filter((link) => {
        const [target = '', anchor] = link.split('#');
        const known = ids.get(target || path);
        return !known || (anchor !== undefined && !known.includes(anchor));
      });
      assert.deepEqual(broken, [], path);
    }
  });
});

/** The text under a heading of the reference, up to the next heading of the same level. */
function section(heading: string): string {
  const [, text] = new RegExp(`^${heading}\n(.*?)^## `, 'ms').exec(reference) ?? [];
  return text ?? assert.fail(heading);
}

/** The anchors that a reader of a file has: those of its headings and of its codes. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  return [...slugs, ...[...text.matchAll(/<a id="(\w+)">/g)].map(([, id = '']) => id)];
}
