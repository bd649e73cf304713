import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import fc from 'fast-check';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { AppUpdate } from '../../features/apps/app-schemas.ts';

type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
type Fields = { [field: string]: Json };

interface MergeCase {
  original: Json;
  patch: Json;
  result: Json;
}

const cases: MergeCase[] = JSON.parse(
  readFileSync(new URL('../corpora/merge-patch/cases.json', import.meta.url), 'utf8'),
);

/** The field that replaces each letter of the cases. */
const fieldOf: Record<string, string> = { a: 'loginUrl', b: 'callbackUrl', c: 'loginUrl' };

onSqlite((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  describe('the published merge patch cases', () => {
    const expressible = cases.map(asAppUpdate).filter((merge) => merge !== null);
    const notAnObject = cases.filter(({ patch }) => !isObject(patch));

    test('are all used except those with arrays, numbers or a third level, which no app has', () => {
      assert.deepEqual([cases.length, expressible.length, notAnObject.length], [15, 5, 4]);
    });

    for (const { original, patch, result } of expressible) {
      test(`${JSON.stringify(patch)} turns ${JSON.stringify(original)} into ${JSON.stringify(result)}`, async () => {
        const app = await http.data.newApp({ oauthInfo: original });
        const { view } = await http.updateApp(app.id, { oauthInfo: patch });
        assert.deepEqual(view.oauthInfo, result);
      });
    }

    for (const { patch } of notAnObject) {
      test(`a patch that is not an object would replace the app, and is refused: ${JSON.stringify(patch)}`, async () => {
        const app = await http.data.newApp();
        const response = await http.updateApp(app.id, JSON.stringify(patch));
        assert.deepEqual(response.validationErrors, [' wrong_type']);
      });
    }
  });

  test('any sequence of updates has the result of RFC 7396, and changes the ETag if and only if it changes the app', async () => {
    const sequence = fc.array(anyUpdate(), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequence, async (updates) => {
        const app = await http.data.newApp();
        let last = await http.updateApp(app.id, {});
        for (const update of updates) {
          const { view, etag } = await http.updateApp(app.id, update);
          const expected = mergePatch(editable(last.view), update as Json);
          assert.deepEqual(editable(view), expected);
          const isChange = JSON.stringify(editable(view)) !== JSON.stringify(editable(last.view));
          assert.equal(etag !== last.etag, isChange);
          last = await http.updateApp(app.id, {});
          assert.deepEqual(last.view, view);
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** A case whose object, or the object inside it, has only fields that can be text or absent. */
function asAppUpdate({ original, patch, result }: MergeCase): Record<keyof MergeCase, Fields> | null {
  const outer = [original, patch, result].filter(isObject);
  const inner = outer.map(({ a = null }) => a).filter(isObject);
  const [one, two, three] = (inner.length === 3 ? inner : outer).map(asOauthInfo);
  return one && two && three ? { original: one, patch: two, result: three } : null;
}

function asOauthInfo(value: Fields): Fields | null {
  const fields = Object.entries(value).map(([name, text]) => [fieldOf[name], text] as const);
  const fits = fields.every(([name, text]) => name && (text === null || typeof text === 'string'));
  if (!fits) return null;
  return Object.fromEntries(fields.map(([name, text]) => [name, text && `https://${text}.example/`]));
}

/** The algorithm of RFC 7396, section 2. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Fields = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name] ?? null, value);
  }
  return merged;
}

function editable({ listingInfo, oauthInfo }: { listingInfo: object; oauthInfo: object }): Fields {
  return { listingInfo, oauthInfo } as Fields;
}

function anyUpdate(): fc.Arbitrary<AppUpdate> {
  const text = fc.constantFrom(null, 'One', 'Two', 'Three');
  const address = fc.constantFrom(null, 'https://one.example/', 'https://two.example/');
  const listingInfo = fc.record(
    { shortDescription: text, longDescription: text, backgroundColor: fc.constantFrom('#000', '#fff') },
    { requiredKeys: [] },
  );
  const oauthInfo = fc.record({ loginUrl: address, callbackUrl: address }, { requiredKeys: [] });
  return fc.record({ listingInfo, oauthInfo }, { requiredKeys: [] });
}

function isObject(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
