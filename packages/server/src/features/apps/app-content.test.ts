import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Type from 'typebox';
import { check } from '../../kernel/check.ts';
import { appContentFields, defaultOf, isOptional, type PartialContent } from './app-content.ts';
import * as appFields from './app-fields.ts';
import { AppUpdate, type DeveloperApp, ListingInfo, NewApp, OauthInfo } from './app-schemas.ts';

type Same<One, Other> = [One, Other] extends [Other, One]
  ? true
  : { differs: Exclude<One, Other> | Exclude<Other, One> };

/** Each leaf by its path and its value: `listingInfo.shortDescription` and whether null clears it. */
type LeavesOf<Content, Prefix extends string = ''> = {
  [Name in keyof Content & string]-?: NonNullable<Content[Name]> extends string
    ? { path: `${Prefix}${Name}`; clears: null extends Content[Name] ? true : false }
    : LeavesOf<NonNullable<Content[Name]>, `${Name}.`>;
}[keyof Content & string];

test('the table has exactly the fields of an update, and null clears the same ones', () => {
  // The compiler checks it too, and names what differs.
  const compiled: Same<LeavesOf<AppUpdate>, LeavesOf<PartialContent>> = true;
  const declared = appContentFields.map((field) => [field.path, isOptional(field)]);
  assert.deepEqual(declared.toSorted(), leavesOf(AppUpdate).toSorted());
  assert.ok(compiled);
});

test('a view shows each field that is in a group, and a new app may be given every field', () => {
  type Shown = LeavesOf<Pick<DeveloperApp, 'listingInfo' | 'oauthInfo'>>['path'];
  type InGroups = Extract<LeavesOf<PartialContent>['path'], `${string}.${string}`>;
  const compiled: Same<Shown, InGroups> = true;
  const paths = appContentFields.map(({ path }): string => path);
  const shown = [...leavesOf(ListingInfo, 'listingInfo.'), ...leavesOf(OauthInfo, 'oauthInfo.')].map(([path]) => path);
  assert.deepEqual(shown.toSorted(), paths.filter((path) => path.includes('.')).toSorted());
  const given = leavesOf(NewApp).map(([path]) => path);
  assert.deepEqual(given.toSorted(), [...paths, 'developerId'].toSorted());
  assert.ok(compiled);
});

const schemas = new Map<string, Type.TSchema & { examples?: readonly unknown[] }>(Object.entries(appFields));

for (const field of appContentFields) {
  test(`${field.path} has the schema that the table names, whose example is valid, and so is its default`, () => {
    const schema = schemas.get(field.schema);
    assert.ok(schema);
    assert.deepEqual(schemaAt(NewApp, field.path), schema);
    const [example] = schema.examples ?? [];
    assert.equal(check(schema, example), null, `${example}`);
    const initial = defaultOf(field);
    if (typeof initial === 'string') assert.equal(check(schema, initial), null, initial);
  });
}

function leavesOf(
  { properties = {} }: Type.TSchema & { properties?: Record<string, Type.TSchema> },
  prefix = '',
): [path: string, clears: boolean][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { type, properties: inner } = schema as { type?: unknown; properties?: object };
    return inner ? leavesOf(schema, `${name}.`) : [[`${prefix}${name}`, Array.isArray(type) && type.includes('null')]];
  });
}

function schemaAt(schema: Type.TSchema, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => Object(Object(inner).properties)[name], schema);
}
