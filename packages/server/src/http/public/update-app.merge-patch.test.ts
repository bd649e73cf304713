import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import fc from 'fast-check';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { AppUpdate } from '../../features/apps/app-schemas.ts';

type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
type Fields = { [field: string]: Json };

onSqlite((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

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
