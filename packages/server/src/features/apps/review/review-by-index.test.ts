import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage } from '@appregistrar/testkit/storage/storage-test';
import { assertBounded, assertOrderedBy, planOf } from '../../../../test/storage/query-plan.ts';
import { appRow, decisionRow, developerRow } from '../../../../test/storage/sample-rows.ts';
import type { Position } from '../../../storage/row-pages.ts';
import type { Storage } from '../../../storage/storage.ts';
import { listReasonTemplatePage } from '../../reason-templates/reason-template-queries.ts';
import { listHostPage } from '../app-queries.ts';
import { listLookAlikes } from '../comparison/look-alike-queries.ts';
import { replaceProjections } from '../comparison/projection-queries.ts';
import { listDecisionPage, listNotePage } from './review-queries.ts';

const numbers = Array.from({ length: 4_000 }, (_, at) => at);
const idOf = (at: number) => `app_${String(at).padStart(6, '0')}`;

/** Half of the apps share a name and a host, and belong to one developer. */
async function fill(storage: Storage): Promise<void> {
  const textOf = (at: number, kind: string) => `${kind}.${at % 2 === 0 ? 'shared' : at}.`;
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [
      developerRow({ user_id: 'user_1' }),
      developerRow({ user_id: 'user_2' }),
    ]);
    await transaction.insertNew(
      'apps',
      numbers.map((at) =>
        appRow({ id: idOf(at), name_key: idOf(at), developer_id: `user_${1 + (at % 2)}`, review_status: 'APPROVED' }),
      ),
    );
    const comparisonKeys = numbers.flatMap((at) =>
      (['name', 'host'] as const).map((kind) => {
        const value = textOf(at, kind);
        return { app_id: idOf(at), source: 'approved', field: kind, kind, value, skeleton: value } as const;
      }),
    );
    await replaceProjections(transaction, storage.engine, { ids: numbers.map(idOf), texts: [], comparisonKeys });
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, fill);

  onStorage('the list of apps by host reads a page of an index and no more', async (storage) => {
    const sides: (Position['side'] | undefined)[] = [undefined, 'after', 'before'];
    for (const side of sides) {
      const position = side && { side, values: ['host.shared.', idOf(2_000), 'approved', 'host'] };
      const work = (connection: Storage['reader']) => listHostPage(connection, 'host.', { limit: 20, position });
      await assertBounded(storage, work, { columns: ['value', 'app_id', 'source', 'field'], rowsMax: 42 });
    }
  });

  onStorage('look-alikes are found by their index, reading few of each developer', async (storage) => {
    const compared = (owned: string, developer_id: string) =>
      ({ kind: 'host', owned, skeleton: 'host.shared.', developer_id }) as const;
    const given = [
      compared('host.shared.', 'user_2'),
      compared('host.shared.', 'user_1'),
      compared('host.sharea.', 'user_2'),
      compared('host.sharez.', 'user_2'),
      { ...compared('host.none.', 'user_2'), skeleton: 'host.none.' },
    ];
    const found = await listLookAlikes(storage.reader, given);
    const shared = idOf(0);
    assert.deepEqual(
      found.map(({ same_id, similar_id }) => [same_id, similar_id]),
      [
        [shared, null],
        [null, null],
        [null, shared],
        [null, shared],
        [null, null],
      ],
    );
    const plan = await planOf(storage, (connection) => listLookAlikes(connection, given));
    assert.match(plan, /app_comparison_keys_by_skeleton/);
    assert.doesNotMatch(plan, /SCAN app|Seq Scan|app_comparison_keys_by_host/, plan);
  });

  onStorage('the notes and decisions about an app, and the templates, are read by their indexes', async (storage) => {
    // Half of the notes are about one app, and they are the latest.
    const note = (at: number) => ({
      id: `note_${String(at).padStart(6, '0')}`,
      app_id: idOf(Math.max(0, 2_000 - at)),
      text: 'A note of realistic size. '.repeat(10),
      actor: 'token_1',
      created_at: at,
    });
    const decision = ({ id, app_id, created_at }: ReturnType<typeof note>) =>
      decisionRow({ event_id: id, app_id, decided_at: created_at, content: 'Content of realistic size. '.repeat(40) });
    const template = (at: number) => ({
      id: `template_${String(at).padStart(6, '0')}`,
      title: `Title ${4_000 - at}`,
      message: 'A message of realistic size. '.repeat(10),
      code: null,
      created_at: at,
      updated_at: at,
    });
    await storage.write(async (transaction) => {
      await transaction.insertNew('review_notes', numbers.map(note));
      await transaction.insertNew('decisions', numbers.map(note).map(decision));
      await transaction.insertNew('reason_templates', numbers.map(template));
    });
    await storage.write((transaction) => execute(transaction, 'analyze'));
    const limit = 20;
    for (const side of [undefined, 'after', 'before'] as const) {
      const position = side && { side, values: ['3000', 'note_003000'] };
      for (const appId of [idOf(0), ...(side ? [] : [idOf(1_999), idOf(9_999)])]) {
        for (const [descending, between] of [
          [false, {}],
          [true, { from: ['10', ''], until: ['3990', ''] }],
        ] as const) {
          const bounds = (...order: string[]) => ({ columns: ['app_id', ...order], rowsMax: 4 * (limit + 1) });
          const notes = { order: ['created_at', 'id'], descending, ...between } as const;
          const decisions = { order: ['decided_at', 'event_id'], descending, ...between } as const;
          await assertBounded(
            storage,
            (reader) => listNotePage(reader, { appId }, { limit, position, sorting: notes }),
            bounds('created_at', 'id'),
          );
          await assertBounded(
            storage,
            (reader) => listDecisionPage(reader, { appId }, { limit, position, sorting: decisions }),
            bounds('decided_at', 'event_id'),
          );
        }
      }
      const ofTemplates = side && { side, values: ['Title 2000', 'template_002000'] };
      const templates = (connection: Storage['reader']) =>
        listReasonTemplatePage(connection, { limit, position: ofTemplates, sorting: { order: ['title', 'id'] } });
      await assertOrderedBy(storage, templates, { index: 'reason_templates_by_title', rowsMax: limit + 1 });
    }
  });
});
