import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCellTime } from './cell-time.ts';
import type { FieldMapping } from './import-mapping.ts';

const berlin = { timeZone: 'Europe/Berlin' };

/** A cell with its time, or why it is refused. */
const cells: [cell: string, mapping: FieldMapping, expected: string | RegExp][] = [
  ['2026-03-01T09:30:00Z', {}, '2026-03-01T09:30:00Z'],
  ['2026-03-01T09:30:00.1234567Z', {}, '2026-03-01T09:30:00.123Z'],
  ['2026-03-01 09:30:00,5+01', {}, '2026-03-01T08:30:00.500Z'],
  ['2026-03-01 09:30:00 +0130', {}, '2026-03-01T08:00:00.000Z'],
  ['2026-01-01T00:30-05:00', {}, '2026-01-01T05:30:00.000Z'],
  ['2026-03-01 09:30:00', berlin, '2026-03-01T08:30:00.000Z'],
  ['2026-07-01 09:30:00', berlin, '2026-07-01T07:30:00.000Z'],
  ['2026-07-01 09:30:00Z', berlin, '2026-07-01T09:30:00.000Z'],
  ['2026-03-29 01:59:59', berlin, '2026-03-29T00:59:59.000Z'],
  ['2026-03-29 03:00:00', berlin, '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 02:30:00+02:00', berlin, '2026-10-25T00:30:00.000Z'],
  ['2026-07-01 09:30:00', { timeZone: '+05:30' }, '2026-07-01T04:00:00.000Z'],
  ['2026-07-01', { ...berlin, time: 'date' }, '2026-06-30T22:00:00.000Z'],
  ['1554112800', { time: 'epochSeconds' }, '2019-04-01T10:00:00.000Z'],
  ['1554112800.25', { time: 'epochSeconds' }, '2019-04-01T10:00:00.250Z'],
  ['-1', { time: 'epochMilliseconds' }, '1969-12-31T23:59:59.999Z'],
  ['2026-03-01T09:30:00', {}, /no offset/],
  ['2026-02-29 09:30:00Z', {}, /must be a time/],
  ['2026-03-01T24:00:00+00:00', {}, /must be a time/],
  ['2026-03-01T09:30:60+00:00', {}, /must be a time/],
  ['2026-03-01', {}, /must be a time/],
  ['01.03.2026 09:30', berlin, /must be a time/],
  ['0000-01-01T00:00:00+01:00', {}, /must be a time/],
  ['2026-03-29 02:30:00', berlin, /went forward/],
  ['2026-10-25 02:30:00', berlin, /went back/],
  ['2026-07-01 09:30', { ...berlin, time: 'date' }, /must be a date/],
  ['2026-07-01T09:30:00Z', { time: 'epochSeconds' }, /seconds since 1970/],
  ['1e9', { time: 'epochSeconds' }, /seconds since 1970/],
  ['999999999999999', { time: 'epochSeconds' }, /seconds since 1970/],
];
for (const [cell, mapping, expected] of cells) {
  test(`${cell} with ${JSON.stringify(mapping)} is ${expected}`, () => {
    const { text, detail = '' } = readCellTime(cell, mapping);
    if (typeof expected === 'string') assert.equal(text, expected);
    else assert.match(detail, expected);
  });
}

test('a local time is the time that the clocks of its zone show, in every zone and year', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const time = fc.date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...zones), time, (timeZone, date) => {
      const at = Math.floor(date.getTime() / 60_000) * 60_000;
      const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);
      const { text, detail } = readCellTime(local, { timeZone });
      if (detail === undefined) assert.equal(text, new Date(at).toISOString());
      else assert.match(detail, /went back/);
    }),
    { numRuns: 500 },
  );
});
