import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { runConformance } from '../../../../client/src/conformance/run-conformance.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

forEachEngine((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  test('every guarantee of the conformance kit holds, none is skipped, and the app has its content back', async () => {
    const { tokens, data } = http;
    const listingInfo = { shortDescription: 'Before.', backgroundColor: '#abcdef' };
    const app = await data.newApp({ listingInfo, oauthInfo: { loginUrl: 'https://before.example/' } });
    await data.install(app);
    const otherApp = await data.newApp({ developerId: data.otherDeveloper.id });
    const before = (await http.updateApp(app.id, {})).view;
    const { results, failures } = await runConformance({
      baseUrl: `http://127.0.0.1:${await http.port()}`,
      appId: app.id,
      developerToken: tokens.developer,
      platformToken: tokens.platform,
      otherDeveloperToken: tokens.otherDeveloper,
      otherAppId: otherApp.id,
      logoId: (await data.newLogo()).id,
      profile: 'full',
    });
    assert.deepEqual(
      results.filter(({ outcome }) => outcome !== 'ok'),
      [],
    );
    assert.deepEqual(failures, []);
    const { view } = await http.updateApp(app.id, {});
    assert.deepEqual({ ...view, updatedAt: before.updatedAt }, before);
  });
});
