import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAppDecisions, reviewApp } from '@appregistrar/testkit/calls/review';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { listEvents } from '../../../test/calls/events.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { actorNames } from './actor-names.ts';
import { openSessionOf } from './browser-sessions.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  test('each actor has its known name, and unknown actors have none', async () => {
    const { registry } = fixture;
    const named = await fixture.newToken('operator', { name: 'Grace, reviewer' });
    const ofDeveloper = await fixture.newToken('developer');
    const ofOther = await fixture.newToken('developer', { developerId: fixture.otherDeveloper.id });
    const unnamed = await fixture.newToken('platform');
    const issuedTo = { issuer: 'https://login.example.com', id: 'oidc:sha256:abc', name: 'Rui', scopes: [] };
    await openSessionOf(registry, { issuedTo, goodUntil: Date.now() + 60_000 });
    const known: [actor: string, name: string][] = [
      [named.id, 'Grace, reviewer'],
      [ofDeveloper.id, 'Ada Lovelace'],
      ['oidc:sha256:abc', 'Rui'],
      ['oidc:248289761001', '248289761001'],
      ['command-line:demo', 'demo'],
      ['command-line:ops/grace', 'ops/grace'],
      ['maintenance', 'automatic maintenance'],
    ];
    const unknown = [ofOther.id, unnamed.id, newId('token'), 'oidc:sha256:def', 'a later kind of actor', ''];
    const actors = [...known.map(([actor]) => actor), ...unknown];
    const names = await actorNames(registry, [...actors, ...actors]);
    assert.deepEqual(
      names,
      known.map(([actor, name]) => ({ actor, name })),
    );
    assert.deepEqual(await actorNames(registry, []), []);
  });

  test('events and decisions have the names of their actors only when they are requested', async () => {
    const { registry } = fixture;
    const { id: actor } = await fixture.newToken('operator', { name: 'Rui, reviewer' });
    const { id: appId } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    await reviewApp(registry, { actor, requestId: null }, { appId, step: 'approve' });
    const expected = [
      { actor: 'command-line:demo', name: 'demo' },
      { actor, name: 'Rui, reviewer' },
    ];
    assert.deepEqual((await listEvents(registry, { appId, actors: true })).actors, expected);
    assert.equal((await listEvents(registry, { appId })).actors, undefined);
    const decisions = (query: object) => listAppDecisions(registry, { appId, query, showsNotes: true });
    assert.deepEqual((await decisions({ actors: true })).actors, expected.slice(1));
    assert.equal((await decisions({ actors: false })).actors, undefined);
    const found = await listEvents(registry, { field: 'name', actors: true, limit: 1 });
    assert.equal(found.actors?.length, 1, 'a search has them too');
  });

  test('an erased developer no longer has a name', async () => {
    const { id } = await fixture.newToken('developer');
    assert.equal((await actorNames(fixture.registry, [id])).length, 1);
    await eraseDeveloper(fixture.registry, commandLine, fixture.developer.id);
    assert.deepEqual(await actorNames(fixture.registry, [id]), []);
  });
});
