import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import { assertRefused, contentOf, eventsDuring, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { runOperation } from '../../kernel/operation.ts';
import { commandLine as caller } from '../../kernel/registry.ts';
import {
  createReasonTemplate,
  deleteReasonTemplate,
  listReasonTemplates,
  updateReasonTemplate,
} from './reason-templates.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const create = (body: object) => runOperation(createReasonTemplate, fixture.registry, { caller, body });
  const update = (id: string, body: object) =>
    runOperation(updateReasonTemplate, fixture.registry, { caller, params: { id }, body });
  const remove = (id: string) => runOperation(deleteReasonTemplate, fixture.registry, { caller, params: { id } });
  const list = (query: Record<string, unknown> = {}) =>
    runOperation(listReasonTemplates, fixture.registry, { caller, query });
  const titlesOf = async (query: Record<string, unknown> = {}) => (await list(query)).items.map(({ title }) => title);
  const message = 'The callback URL does not respond.';

  test('templates are listed by title, over pages, regardless of the order of their creation', async () => {
    const ids: string[] = [];
    for (const title of ['Spam', 'Broken', 'Broken', 'Misleading']) ids.push((await create({ title, message })).id);
    assert.deepEqual(await titlesOf(), ['Broken', 'Broken', 'Misleading', 'Spam']);
    const first = await list({ limit: 1 });
    const second = await list({ limit: 2, cursor: first.nextCursor });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ title }) => title),
      ['Broken', 'Broken', 'Misleading'],
    );
    for (const id of ids) await remove(id);
    assert.deepEqual(await list(), { items: [] });
  });

  test('each change of a template appends an event with the values before and after', async () => {
    let id = '';
    const events = await eventsDuring(fixture.registry, async () => {
      const template = await create({ title: 'Broken', message, code: 'broken_address' });
      id = template.id;
      const createdAt = '2026-03-01T09:30:00.000Z';
      const created = { id, title: 'Broken', message, code: 'broken_address', createdAt, updatedAt: createdAt };
      assert.deepEqual(template, { ...created, etag: template.etag });
      now += 1_000;
      const changed = await update(id, { title: 'Silent' });
      const updatedAt = '2026-03-01T09:30:01.000Z';
      assert.deepEqual(changed, { ...created, title: 'Silent', updatedAt, etag: changed.etag });
      assert.deepEqual(await update(id, {}), changed, 'what is not given stays');
      assert.deepEqual(await update(id, { title: 'Silent' }), changed, 'nothing changes');
      const { code: _, ...withoutCode } = contentOf(changed);
      assert.deepEqual(contentOf(await update(id, { code: null })), withoutCode);
      assert.deepEqual(contentOf(await remove(id)), withoutCode);
    });
    assert.deepEqual(
      events.map(({ type, subject_id, before: old, after: new_ }) => [type, subject_id, old, new_]),
      [
        ['reason_template.created', id, null, { title: 'Broken', message, code: 'broken_address' }],
        [
          'reason_template.updated',
          id,
          { title: 'Broken', message, code: 'broken_address' },
          { title: 'Silent', message, code: 'broken_address' },
        ],
        [
          'reason_template.updated',
          id,
          { title: 'Silent', message, code: 'broken_address' },
          { title: 'Silent', message },
        ],
        ['reason_template.deleted', id, { title: 'Silent', message }, null],
      ],
    );
  });

  test('an export has no templates', async () => {
    const { id } = await create({ title: 'Of this registry', message });
    assert.ok(!(await exportText(fixture.registry)).includes(message));
    await remove(id);
  });

  test('a wrong template and an unknown one are refused', async () => {
    const refusal = await assertRefused(
      fixture.registry,
      () => create({ title: 'Two\nlines', message: ' ', code: 'Not so', more: 1 }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), [
      '/code invalid_format',
      '/message invalid_format',
      '/more unknown_field',
      '/title invalid_format',
    ]);
    const { id } = await create({ title: 'Right', message });
    await assertRefused(fixture.registry, () => update(id, { message: null }), 'invalid_content');
    for (const unknown of [newId('template'), 'template_1', "' or 1=1"]) {
      await assertRefused(fixture.registry, () => update(unknown, { title: 'New' }), 'reason_template_not_found');
      await assertRefused(fixture.registry, () => remove(unknown), 'reason_template_not_found');
    }
    await remove(id);
  });
});
