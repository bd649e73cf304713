import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { getDeveloper } from '@appregistrar/testkit/calls/developers';
import { listInstallations } from '@appregistrar/testkit/calls/installations';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { type Refused, refusalOf, rowCounts } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { csvFile } from '../../../../test/registry/csv-files.ts';
import { encodeTypeId, newId, uuidV5 } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { checkRegistry } from '../../integrity/check-registry.ts';
import { renderLogo } from '../../logos/logo.ts';
import { importRegistry } from '../import-registry.ts';
import type { CsvInput } from './csv-plan.ts';

const idNamespace = 'c1f0a1e2-5b3c-4d6e-8f70-91a2b3c4d5e6';
const id = (prefix: string, name: string) => encodeTypeId(prefix, uuidV5(idNamespace, name));

const mapping = {
  developers: {
    file: 'partners.csv',
    fields: {
      userId: { column: 'partner', idKind: 'partner' },
      email: 'mail',
      createdAt: { column: 'joined', timeZone: 'Europe/Berlin' },
    },
  },
  apps: {
    file: 'products.csv',
    fields: {
      id: 'number',
      developerId: { column: 'owner', idKind: 'partner' },
      name: 'title',
      'listingInfo.shortDescription': 'summary',
      'listingInfo.backgroundColor': { constant: '#336699' },
      reviewStatus: { column: 'state', values: { live: 'APPROVED', beta: null, '': 'REJECTED' } },
      createdAt: { column: 'created', time: 'epochSeconds' },
    },
  },
  installations: {
    file: 'installs.csv',
    fields: {
      appId: 'product',
      workspaceId: 'customer',
      userId: 'by',
      enabled: { column: 'active', values: { t: true, f: false } },
      createdAt: 'at',
    },
  },
};

const partners = 'partner,mail,joined,note\n7,ada@example.com,2019-04-01 10:00:00,x\n';

onSqlite((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importCsv = (
    files: Record<string, string | Uint8Array>,
    given: Partial<CsvInput> & { mapped?: object } = {},
  ) => {
    const { mapped, ...input } = given;
    return importRegistry(fixture.registry, commandLine, {
      csv: {
        files: Object.entries(files).map(([name, text]) => csvFile(name, text)),
        ...(mapped && { mapping: { name: 'mapping.json', text: JSON.stringify(mapped) } }),
        ...input,
      },
    });
  };

  const described = ({ groups }: Refused) =>
    groups.map(({ file, line, column, pointer, code }) => [file, line, column ?? pointer, code].join(' '));

  test('files of other names and columns are imported by a mapping, in any order', async () => {
    const summary = await importCsv(
      {
        'installs.csv': 'product,customer,by,active,at\n101,55,3,f,2020-01-01 00:00:00+02\n',
        'products.csv': [
          'number,owner,title,summary,state,created',
          '101,7,Mapped app,"Says ""hello"", twice",live,1554112800',
          '102,7,Beta of it,,beta,1554112800',
          '103,7,Neither,,,1554112800',
        ].join('\r\n'),
        'partners.csv': partners,
      },
      { mapped: mapping, idNamespace },
    );
    assert.deepEqual([summary.developers.created, summary.apps.created, summary.installations.created], [1, 3, 1]);
    const developer = await getDeveloper(fixture.registry, id('user', 'partner:7'));
    assert.equal(developer.email, 'ada@example.com');
    const app = await getAppAsOperator(fixture.registry, id('app', 'app:101'));
    assert.deepEqual(
      [app.name, app.reviewStatus, app.createdAt, app.listingInfo],
      [
        'Mapped app',
        'APPROVED',
        '2019-04-01T10:00:00.000Z',
        { backgroundColor: '#336699', shortDescription: 'Says "hello", twice' },
      ],
    );
    const statuses = ['102', '103'].map(
      async (n) => (await getAppAsOperator(fixture.registry, id('app', `app:${n}`))).reviewStatus,
    );
    assert.deepEqual(await Promise.all(statuses), ['DRAFT', 'REJECTED']);
    const { items } = await listInstallations(fixture.registry, { appId: app.id });
    assert.deepEqual(
      items.map(({ workspaceId, userId, enabled, createdAt }) => [workspaceId, userId, enabled, createdAt]),
      [[id('workspace', 'workspace:55'), id('user', 'user:3'), false, '2019-12-31T22:00:00.000Z']],
    );
    await checkRegistry(fixture.registry);
  });

  test('a logo is read from a file beside the CSV file', async () => {
    const { userId } = fixture.developer;
    const [logo, broken] = [newId('logo'), newId('logo')];
    const image = await renderLogo(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`));
    const rows = `${logo},${userId},2020-01-01T00:00:00Z,icons/a.png\n`;
    const fields = { id: 'id', developerId: 'owner', createdAt: 'at', png: { column: 'icon', isPath: true } };
    const csv = (text: string) => ({
      files: [
        csvFile('logos.csv', `id,owner,at,icon\n${text}`, { 'icons/a.png': image, 'b.txt': Buffer.from('text') }),
      ],
      mapping: { name: 'mapping.json', text: JSON.stringify({ logos: { fields } }) },
    });
    const summary = await importRegistry(fixture.registry, commandLine, { csv: csv(rows) });
    assert.equal(summary.logos.created, 1);
    const refused = await refusalOf(
      importRegistry(fixture.registry, commandLine, {
        csv: csv(
          `${broken},${userId},2020-01-01T00:00:00Z,c.png\n${newId('logo')},${userId},2020-01-01T00:00:00Z,b.txt\n`,
        ),
      }),
    );
    assert.deepEqual(described(refused), ['logos.csv 2 icon not_found', 'logos.csv 3 icon invalid_format']);
  });

  test('without a mapping, the header has the names of the fields, and ids are TypeIDs or UUIDs', async () => {
    const [userId, uuid] = [newId('user'), crypto.randomUUID()];
    const summary = await importCsv({
      'apps.csv': `id,developerId,name,createdAt,listingInfo.longDescription\n${uuid},${userId},By names,2020-01-01T00:00:00Z,"two\r\nlines"\n`,
      'developers.csv': `email,userId\ndev@example.com,${userId}\n`,
    });
    assert.equal(summary.apps.created, 1);
    const { listingInfo } = await getAppAsOperator(fixture.registry, encodeTypeId('app', uuid));
    assert.equal(listingInfo.longDescription, 'two\r\nlines');
    const refused = await refusalOf(importCsv({ 'developers.csv': 'userId,email\n5,five@example.com\n' }));
    assert.deepEqual(described(refused), ['developers.csv 2 userId invalid_format']);
    assert.match(refused.groups[0]?.detail ?? '', /--id-namespace/);
  });

  test('all errors of the mapping, of names of files and of headers are reported at once', async () => {
    const refused = await refusalOf(
      importCsv(
        {
          'partners.csv': 'partner,mail,mail\n',
          'other.csv': 'x\n',
          'installs.csv': '',
          'apps.csv': Buffer.from('caf\xe9\n', 'latin1'),
        },
        {
          mapped: {
            ...mapping,
            apps: {
              fields: {
                id: {},
                name: { column: 'a', constant: 'b' },
                createdAt: { column: 'c', timeZone: 'Europe/Bärlin', time: 'date' },
                developerId: { column: 'c', isPath: true, time: 'date' },
                reviewStatus: { column: 'c', values: { a: [] } },
              },
            },
          },
        },
      ),
    );
    assert.deepEqual(described(refused), [
      'mapping.json 1 /apps/fields/name not_allowed',
      'mapping.json 1 /apps/fields/id not_allowed',
      'mapping.json 1 /apps/fields/developerId/time not_allowed',
      'mapping.json 1 /apps/fields/developerId/isPath not_allowed',
      'mapping.json 1 /apps/fields/createdAt/timeZone not_allowed',
      'mapping.json 1 /apps/fields/reviewStatus/values/a not_allowed',
      'partners.csv 1  already_exists',
      'partners.csv 1  not_found',
      'other.csv 1  not_allowed',
      'installs.csv 1  required',
      'apps.csv 1  invalid_format',
    ]);
  });

  for (const [what, text, errors] of [
    ['that is no JSON', '{"apps":', [' invalid_format']],
    ['that is no object', '[]', [' wrong_type']],
    [
      'with unknown fields',
      '{"app":{},"apps":{"fields":{"title":"x","__proto__":"x"}}}',
      ['/app unknown_field', '/apps/fields/title unknown_field', '/apps/fields/__proto__ unknown_field'],
    ],
  ] as const) {
    test(`a mapping ${what} is refused`, async () => {
      const csv = { files: [csvFile('apps.csv', 'id\n')], mapping: { name: 'm.json', text } };
      const { groups } = await refusalOf(importRegistry(fixture.registry, commandLine, { csv }));
      const ofMapping = groups.filter(({ file }) => file === 'm.json').map(({ pointer, code }) => `${pointer} ${code}`);
      assert.deepEqual(ofMapping, errors);
    });
  }

  test('columns without a field are errors, unless a mapping leaves them out', async () => {
    const refused = await refusalOf(importCsv({ 'developers.csv': 'userId,email,__proto__,constructor\n' }));
    assert.deepEqual(described(refused), ['developers.csv 1  unknown_field', 'developers.csv 1  unknown_field']);
  });

  test('every error of a row is reported at its column, with its line', async () => {
    const stored = await rowCounts(fixture.registry);
    const refused = await refusalOf(
      importCsv(
        {
          'partners.csv': partners,
          'products.csv': [
            'number,owner,title,summary,state,created',
            '1,7,"Over',
            'two lines",,dead,yesterday',
            '2,7,Too short',
            '3,7,Too long,,live,1,2',
            '4,8,Of a stranger,,live,1554112800',
            '5,7,,,live,1554112800',
          ].join('\n'),
        },
        { mapped: mapping, idNamespace },
      ),
    );
    assert.deepEqual(described(refused).toSorted(), [
      'products.csv 2 created invalid_format',
      'products.csv 2 state not_allowed',
      'products.csv 2 title invalid_format',
      'products.csv 4  invalid_format',
      'products.csv 6 owner not_found',
      'products.csv 7 title required',
    ]);
    assert.deepEqual(refused.groups.find(({ column }) => column === 'created')?.examples[0]?.value, 'yesterday');
    assert.deepEqual(await rowCounts(fixture.registry), stored);
  });

  describe('an object that is described twice', () => {
    test('is refused with the line of the other object, near or far', async () => {
      const other = Array.from({ length: 2_500 }, (_, at) => `${1_000 + at},7,Far ${at},,live,1554112800`);
      const refused = await refusalOf(
        importCsv(
          {
            'partners.csv': `${partners}7,ada@example.com,2019-04-01 10:00:00,\n`,
            'products.csv': [
              'number,owner,title,summary,state,created',
              '1,7,Once,,live,1554112800',
              ...other,
              '1,7,Once,,live,1554112800',
            ].join('\n'),
            'installs.csv':
              'product,customer,by,active,at\n1,5,3,t,2020-01-01T00:00:00Z\n1,5,4,t,2020-01-01T00:00:00Z\n',
          },
          { mapped: mapping, idNamespace },
        ),
      );
      assert.deepEqual(
        refused.groups.map(({ file, line, examples: [example] }) => [file, line, example?.clashesWith?.line]),
        [
          ['partners.csv', 3, 2],
          ['products.csv', 2_503, 2],
          ['installs.csv', 3, 2],
        ],
      );
    });
  });

  test('a file that cannot be read to its end is refused, and the files after it are not read', async () => {
    const refused = await refusalOf(
      importCsv(
        { 'partners.csv': `${partners}8,"x\n`, 'products.csv': 'number,owner,title,summary,state,created\n' },
        {
          mapped: mapping,
        },
      ),
    );
    assert.deepEqual(described(refused).at(-1), 'partners.csv 3  invalid_format');
  });

  test('importing the same CSV again, or its export, changes nothing', async () => {
    const files = { 'partners.csv': partners };
    await importCsv(files, { mapped: mapping, idNamespace });
    const summary = await importCsv(files, { mapped: mapping, idNamespace });
    assert.deepEqual(summary.developers, { created: 0, updated: 0, unchanged: 1 });
    const { developers } = await importText(fixture.registry, await exportText(fixture.registry));
    assert.equal(developers.updated, 0);
  });
});
