import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type Type from 'typebox';
import { AppUpdate, DeveloperApp, PlatformApp } from '../features/apps/app-schemas.ts';
import { reviewStatuses } from '../features/apps/review/review-status.ts';
import { check } from './check.ts';
import { interfaceProblemTitles, interfaceValidationErrorCodes, Problem } from './problem-details.ts';
import { tokenKinds } from './registry.ts';

// The published reference is prose: these tests check what a program can.
const reference = readFileSync(new URL('../../../../docs/interface.md', import.meta.url), 'utf8');

describe('the published reference', () => {
  test('has an anchor for every problem code, as its type URL needs, and for no other', () => {
    const table = section('7.2 Problem codes');
    assert.deepEqual(anchors(table).toSorted(), Object.keys(interfaceProblemTitles).toSorted());
  });

  test('names every code of a validation error', () => {
    const table = section('7.3 Validation errors');
    for (const code of interfaceValidationErrorCodes) assert.ok(table.includes(`\`${code}\``), code);
  });

  test('names every field of every view and of the update', () => {
    const resources = section('2.2 App, developer view', '## 3');
    for (const field of [DeveloperApp, PlatformApp, AppUpdate].flatMap(fieldsOf)) {
      assert.match(resources, new RegExp(`\`(?:\\w+\\.)?${field}\``), field);
    }
  });

  test('names every review status and every kind of token', () => {
    for (const status of reviewStatuses) assert.ok(section('3. Review', '## 4').includes(status), status);
    for (const kind of tokenKinds) assert.ok(section('5. Authentication', '## 6').includes(`\`${kind}\``), kind);
  });

  test('shows responses that the schemas accept', () => {
    const [developerApp, platformApp, problem, ...others] = matches(reference, /```json\n(.*?)```/gs).map((text) =>
      JSON.parse(text),
    );
    assert.deepEqual(others, []);
    assertResponse(DeveloperApp, developerApp);
    assertResponse(PlatformApp, platformApp);
    assertResponse(Problem, problem);
  });

  test('has no broken internal links', () => {
    const targets = new Set([...matches(reference, /^#+ (.*)$/gm).map(slug), ...anchors(reference)]);
    const links = matches(reference, /\]\(#([^)]+)\)/g);
    assert.ok(links.length > 20);
    for (const link of links) assert.ok(targets.has(link), link);
  });
});

/** The text under a heading, up to the next heading of the same level or up to `end`. */
function section(heading: string, end?: string): string {
  const [, marks, rest] = new RegExp(`^(#+) ${heading}\n(.*)`, 'ms').exec(reference) ?? assert.fail(heading);
  const [text = ''] = (rest as string).split(
    end === undefined ? new RegExp(`^#{1,${marks?.length}} `, 'm') : `\n${end}`,
  );
  return text;
}

/** What the first group of a pattern matches. */
function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

function anchors(text: string): string[] {
  return matches(text, /<a id="([^"]+)"><\/a>/g);
}

/** The anchor that a renderer gives to a heading. */
function slug(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return words.replaceAll(' ', '-');
}

/** Asserts that a response is valid and has no field that the schema does not declare. */
function assertResponse(schema: Type.TObject, response: unknown): void {
  assert.equal(check(schema, response), null);
  const fields = fieldsOf(schema);
  const unknown = namesIn(response).filter((name) => !fields.includes(name));
  assert.deepEqual(unknown, []);
}

function fieldsOf(schema: object): string[] {
  const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object };
  const inner = items ? [items] : Object.values(properties);
  return [...Object.keys(properties), ...inner.flatMap(fieldsOf)];
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...namesIn(field)]);
}
