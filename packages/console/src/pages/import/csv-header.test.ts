import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnFor, readCsvHeader } from './csv-header.ts';

test('the columns and the separator of a header are found, also with quotes and a byte order mark', () => {
  assert.deepEqual(readCsvHeader('\uFEFFa,b\n1;2;3,4'), { columns: ['a', 'b'], delimiter: ',' });
  assert.deepEqual(readCsvHeader('"E-mail; work";"say ""hi""";x\r\n'), {
    columns: ['E-mail; work', 'say "hi"', 'x'],
    delimiter: ';',
  });
  assert.deepEqual(readCsvHeader('a\tb').delimiter, '\t');
  assert.deepEqual(readCsvHeader('alone').columns, ['alone']);
});

test('a column is matched to a field by its name, however it is written', () => {
  const columns = ['Developer ID', 'short_description', 'E-mail'];
  assert.equal(columnFor('developerId', columns), 'Developer ID');
  assert.equal(columnFor('listingInfo.shortDescription', columns), 'short_description');
  assert.equal(columnFor('email', columns), 'E-mail');
  assert.equal(columnFor('name', columns), undefined);
});
