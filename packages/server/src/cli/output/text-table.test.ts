import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutTo, Table, textWidth } from './text-table.ts';

const columns = ['id', 'name', 'status', 'reason'];
const rows = [
  ['app_1', 'Invoice Sync for the whole team', 'DRAFT', ''],
  ['app_2', '請求書 同期', 'APPROVED', 'It has no callback URL yet.'],
];

function linesAt(terminalWidth: number | undefined, isOptional = false): string[] {
  return new Table(columns, { terminalWidth, isOptional }).lines(rows);
}

test('without a terminal, rows are tab-separated values without a header', () => {
  assert.deepEqual(
    linesAt(undefined),
    rows.map((row) => row.join('\t')),
  );
});

test('on a wide terminal, each column is as wide as its widest text', () => {
  assert.deepEqual(linesAt(120), [
    'id     name                             status    reason',
    'app_1  Invoice Sync for the whole team  DRAFT',
    'app_2  請求書 同期                      APPROVED  It has no callback URL yet.',
  ]);
});

test('on a narrow terminal, words are cut before ids, and the last column wraps between words', () => {
  assert.deepEqual(linesAt(52), [
    'id     name              status    reason',
    'app_1  Invoice Sync fo…  DRAFT',
    'app_2  請求書 同期       APPROVED  It has no',
    '                                   callback URL yet.',
  ]);
});

test('no line is wider than the terminal, at any width that holds the columns', () => {
  for (let width = 34; width < 120; width += 1) {
    for (const isOptional of [true, false]) {
      for (const line of linesAt(width, isOptional)) assert.ok(textWidth(line) <= width, `${width}: ${line}`);
    }
  }
});

test('the last columns are left out where they do not fit, unless they were chosen', () => {
  assert.equal(linesAt(34, true)[0]?.includes('reason'), false);
  assert.equal(linesAt(34, false)[0]?.includes('reas'), true);
});

test('rows that follow have the widths of the first, without another header', () => {
  const table = new Table(columns, { terminalWidth: 120, isOptional: true });
  table.lines(rows);
  assert.deepEqual(table.lines([['app_3', 'X', 'DRAFT', '']]), ['app_3  X                                DRAFT']);
});

test('the width of a text is that on a terminal', () => {
  const widths: [text: string, width: number][] = [
    ['abc', 3],
    ['請求書', 6],
    ['한국', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇨🇭', 2],
    ['ｱ', 1],
    ['', 0],
  ];
  for (const [text, width] of widths) assert.equal(textWidth(text), width, text);
  assert.equal(cutTo('請求書同期', 6), '請求…');
});
