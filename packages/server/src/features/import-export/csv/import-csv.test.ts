import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { getDeveloper } from '@appregistrar/testkit/calls/developers';
import { listInstallations } from '@appregistrar/testkit/calls/installations';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { refusalOf, rowCounts } from '@appregistrar/testkit/registry/import-file';
import { Ajv } from 'ajv';
import { csvFile } from '../../../../test/registry/csv-files.ts';
import { ImportFixture } from '../../../../test/registry/import-fixture.ts';
import { encodeTypeId, newId, uuidV5 } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { renderLogo } from '../../logos/logo.ts';
import { importRegistry } from '../import-registry.ts';
import { publishedMappingSchema } from './import-mapping.ts';

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
      ...{ appId: 'product', workspaceId: 'customer', userId: 'by', createdAt: 'at' },
      enabled: { column: 'active', values: { t: true, f: false } },
    },
  },
};

const partners = 'partner,mail,joined,note\n7,ada@example.com,2019-04-01 10:00:00,x\n';
const products = 'number,owner,title,summary,state,created\n';
const installs = 'product,customer,by,active,at\n';

onSqlite((engine) => {
  const imports = new ImportFixture(engine);

  /** Imports CSV files, by the text of a mapping or an object for it. */
  const importCsv = (files: Record<string, string | Uint8Array>, mapped?: object | string, beside = {}) =>
    importRegistry(imports.registry, commandLine, {
      csv: {
        files: Object.entries(files).map(([name, text]) => csvFile(name, text, beside)),
        ...(mapped && {
          mapping: { name: 'mapping.json', text: typeof mapped === 'string' ? mapped : JSON.stringify(mapped) },
        }),
        ...(mapped === mapping && { idNamespace }),
      },
    });

  /** The place and code of each error of a refused import, which has stored nothing. */
  async function errorsOf(importing: Promise<unknown>) {
    const stored = await rowCounts(imports.registry);
    const { groups } = await refusalOf(importing);
    assert.deepEqual(await rowCounts(imports.registry), stored);
    const errors = groups.map(({ file, line, column, pointer, code }) =>
      [file, line, column ?? pointer, code].join(' '),
    );
    return { groups, errors };
  }

  test('files of other names and columns are imported by a mapping, in any order', async () => {
    const rows = [
      '101,7,Mapped app,"Says ""hello"", twice",live,1554112800',
      '102,7,Beta of it,,beta,1554112800',
      '103,7,Neither,,,1554112800',
    ].join('\r\n');
    const summary = await importCsv(
      {
        'installs.csv': `${installs}101,55,3,f,2020-01-01 00:00:00+02\n`,
        'products.csv': products + rows,
        'partners.csv': partners,
      },
      mapping,
    );
    assert.deepEqual([summary.developers.created, summary.apps.created, summary.installations.created], [1, 3, 1]);
    assert.equal((await getDeveloper(imports.registry, id('user', 'partner:7'))).email, 'ada@example.com');
    const [app, beta, neither] = await Promise.all(
      ['101', '102', '103'].map((n) => imports.show(id('app', `app:${n}`))),
    );
    assert.deepEqual(
      [app?.name, app?.reviewStatus, app?.createdAt, app?.listingInfo],
      [
        ...['Mapped app', 'APPROVED', '2019-04-01T10:00:00.000Z'],
        { backgroundColor: '#336699', shortDescription: 'Says "hello", twice' },
      ],
    );
    assert.deepEqual([beta?.reviewStatus, neither?.reviewStatus], ['DRAFT', 'REJECTED']);
    const { items } = await listInstallations(imports.registry, { appId: app?.id });
    assert.deepEqual(
      items.map(({ workspaceId, userId, enabled, createdAt }) => [workspaceId, userId, enabled, createdAt]),
      [[id('workspace', 'workspace:55'), id('user', 'user:3'), false, '2019-12-31T22:00:00.000Z']],
    );
  });

  describe('a marker of no value', () => {
    const header = 'userId,email,firstName,lastName,createdAt\n';
    const importNames = async (names: string, noValue?: string[]) => {
      const userId = newId('user');
      await importCsv({ 'developers.csv': `${header}${userId},a@example.com,${names}\n` }, noValue && { noValue });
      const { firstName, lastName } = await getDeveloper(imports.registry, userId);
      return [firstName, lastName];
    };

    test('is NULL or \\N, in quotes or not, for any kind of field and without a mapping', async () => {
      assert.deepEqual(await importNames('NULL,\\N,NULL'), [undefined, undefined]);
      assert.deepEqual(await importNames('"NULL","\\N",\\N'), [undefined, undefined]);
      assert.deepEqual(await importNames('Null,NULL Jr,'), ['Null', 'NULL Jr']);
      const { errors } = await errorsOf(importCsv({ 'developers.csv': 'userId,email\nNULL,\\N\n' }));
      assert.deepEqual(errors, ['developers.csv 2 email required', 'developers.csv 2 userId required']);
    });

    test('is what the mapping lists instead', async () => {
      assert.deepEqual(await importNames('n/a,NULL,', ['n/a']), [undefined, 'NULL']);
      assert.deepEqual(await importNames('NULL,\\N,', []), ['NULL', '\\N']);
    });

    test('is a value where the mapping of the field has one for it', async () => {
      const userId = newId('user');
      const fields = { userId: 'id', email: 'mail', firstName: { column: 'first', values: { NULL: 'Nil' } } };
      await importCsv(
        { 'developers.csv': `id,mail,first\n${userId},b@example.com,NULL\n` },
        { developers: { fields } },
      );
      assert.equal((await getDeveloper(imports.registry, userId)).firstName, 'Nil');
    });
  });

  test('a logo is read from a file beside the CSV file', async () => {
    const png = await renderLogo(
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'),
    );
    const beside = { 'icons/a.png': png, 'b.txt': Buffer.from('text') };
    const fields = { id: 'id', developerId: 'owner', createdAt: 'at', png: { column: 'icon', isPath: true } };
    const importLogos = (...paths: string[]) => {
      const rows = paths.map((path) => `${newId('logo')},${imports.developerId},2020-01-01T00:00:00Z,${path}\n`);
      return importCsv({ 'logos.csv': `id,owner,at,icon\n${rows.join('')}` }, { logos: { fields } }, beside);
    };
    assert.equal((await importLogos('icons/a.png')).logos.created, 1);
    const { errors } = await errorsOf(importLogos('c.png', 'b.txt'));
    assert.deepEqual(errors, ['logos.csv 2 icon not_found', 'logos.csv 3 icon invalid_format']);
  });

  test('without a mapping, the header has the names of the fields, and ids are TypeIDs or UUIDs', async () => {
    const [userId, uuid] = [newId('user'), crypto.randomUUID()];
    const header = 'id,developerId,name,createdAt,listingInfo.longDescription\n';
    await importCsv({
      'apps.csv': `${header}${uuid},${userId},By names,2020-01-01T00:00:00Z,"two\r\nlines"\n`,
      'developers.csv': `email,userId\ndev@example.com,${userId}\n`,
    });
    const { listingInfo } = await imports.show(encodeTypeId('app', uuid));
    assert.equal(listingInfo.longDescription, 'two\r\nlines');
    const { groups, errors } = await errorsOf(importCsv({ 'developers.csv': 'userId,email\n5,five@example.com\n' }));
    assert.deepEqual(errors, ['developers.csv 2 userId invalid_format']);
    assert.match(groups[0]?.detail ?? '', /--id-namespace/);
  });

  test('all errors of the mapping, of names of files and of headers are reported at once', async () => {
    const files = {
      'partners.csv': 'partner,mail,mail\n',
      'other.csv': 'x\n',
      'installs.csv': '',
      'apps.csv': Buffer.from('caf\xe9\n', 'latin1'),
    };
    const fields = {
      id: {},
      name: { column: 'a', constant: 'b' },
      createdAt: { column: 'c', timeZone: 'Europe/Bärlin', time: 'date' },
      developerId: { column: 'c', isPath: true, time: 'date' },
      reviewStatus: { column: 'c', values: { a: [] } },
    };
    const { errors } = await errorsOf(importCsv(files, { ...mapping, apps: { fields } }));
    assert.deepEqual(errors, [
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

  for (const [what, text, expected] of [
    ['that is no JSON', '{"apps":', [' invalid_format']],
    ['that is no object', '[]', [' wrong_type']],
    [
      'with unknown fields',
      '{"app":{},"apps":{"fields":{"title":"x","__proto__":"x"}}}',
      ['/app unknown_field', '/apps/fields/title unknown_field', '/apps/fields/__proto__ unknown_field'],
    ],
  ] as const) {
    test(`a mapping ${what} is refused`, async () => {
      const { errors } = await errorsOf(importCsv({ 'apps.csv': 'id\n' }, text));
      const ofMapping = errors.filter((error) => error.startsWith('mapping.json'));
      assert.deepEqual(
        ofMapping,
        expected.map((error) => `mapping.json 1 ${error}`),
      );
    });
  }

  test('columns without a field are errors, unless a mapping leaves them out', async () => {
    const { errors } = await errorsOf(importCsv({ 'developers.csv': 'userId,email,__proto__,constructor\n' }));
    assert.deepEqual(errors, ['developers.csv 1  unknown_field', 'developers.csv 1  unknown_field']);
  });

  test('every error of a row is reported at its column, with its line', async () => {
    const rows = [
      '1,7,"Over',
      'two lines",,dead,yesterday',
      '2,7,Too short',
      '3,7,Too long,,live,1,2',
      '4,8,Of a stranger,,live,1554112800',
      '5,7,,,live,1554112800',
    ].join('\n');
    const files = { 'partners.csv': partners, 'products.csv': products + rows };
    const { groups, errors } = await errorsOf(importCsv(files, mapping));
    assert.deepEqual(errors.toSorted(), [
      'products.csv 2 created invalid_format',
      'products.csv 2 state not_allowed',
      'products.csv 2 title invalid_format',
      'products.csv 4  invalid_format',
      'products.csv 6 owner not_found',
      'products.csv 7 title required',
    ]);
    assert.equal(groups.find(({ column }) => column === 'created')?.examples[0]?.value, 'yesterday');
  });

  test('an object that is described twice is refused with the line of the other one, near or far', async () => {
    const others = Array.from({ length: 2_500 }, (_, at) => `${1_000 + at},7,Far ${at},,live,1554112800`);
    const once = '1,7,Once,,live,1554112800';
    const files = {
      'partners.csv': `${partners}7,ada@example.com,2019-04-01 10:00:00,\n`,
      'products.csv': products + [once, ...others, once].join('\n'),
      'installs.csv': `${installs}1,5,3,t,2020-01-01T00:00:00Z\n1,5,4,t,2020-01-01T00:00:00Z\n`,
    };
    const { groups } = await errorsOf(importCsv(files, mapping));
    assert.deepEqual(
      groups.map(({ file, line, examples: [example] }) => [file, line, example?.clashesWith?.line]),
      [
        ['partners.csv', 3, 2],
        ['products.csv', 2_503, 2],
        ['installs.csv', 3, 2],
      ],
    );
  });

  test('a file that cannot be read to its end is refused, and the files after it are not read', async () => {
    const files = { 'partners.csv': `${partners}8,"x\n`, 'products.csv': `${products}1,9,No one's,,live,0\n` };
    const { errors } = await errorsOf(importCsv(files, mapping));
    assert.deepEqual(errors, ['partners.csv 3  invalid_format']);
  });

  test('importing the same CSV again, or its export, changes nothing', async () => {
    const files = { 'partners.csv': partners };
    await importCsv(files, mapping);
    const summary = await importCsv(files, mapping);
    assert.deepEqual(summary.developers, { created: 0, updated: 0, unchanged: 1 });
    const { developers } = await importText(imports.registry, await exportText(imports.registry));
    assert.equal(developers.updated, 0);
  });
});

describe('the published schema of mappings', () => {
  const read = (name: string) => readFile(new URL(`../../../../../../docs/${name}`, import.meta.url), 'utf8');

  test('is docs/import-mapping.schema.json (npm run mapping-schema)', async () => {
    const published = JSON.parse(await read('import-mapping.schema.json'));
    assert.deepEqual(published, JSON.parse(JSON.stringify(publishedMappingSchema())));
  });

  test('accepts the mapping of docs/migrating.md, and finds its mistakes', async () => {
    const validate = new Ajv({ strict: false }).compile(publishedMappingSchema());
    const [, text = ''] = /```json\n(.*?)```/s.exec(await read('migrating.md')) ?? [];
    const example = JSON.parse(text);
    assert.equal(validate(example), true, JSON.stringify(validate.errors));
    for (const field of [5, '', { colum: 'mail' }, { column: 'mail', time: 'epoch' }]) {
      example.developers.fields.email = field;
      assert.equal(validate(example), false, JSON.stringify(field));
    }
    assert.equal(validate({ developers: { fields: { mail: 'mail' } } }), false);
  });
});
