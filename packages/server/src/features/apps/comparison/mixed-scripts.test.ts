import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mixedScripts } from './skeleton.ts';

const ofOne: [why: string, text: string][] = [
  ['Latin with digits, punctuation and accents', 'Café 24/7 – Invoice‑Sync™'],
  ['Latin with a combining accent', 'Cafe\u0301'],
  ['Cyrillic', 'Москва 24'],
  ['Han alone', '微软办公'],
  ['Japanese in Han, Hiragana and Katakana', '日本の請求書サービス'],
  ['Korean in Hangul and Han', '한국 韓國'],
  ['Chinese in Han and Bopomofo', '注音ㄅㄆㄇ'],
  ['Latin beside Japanese', 'Slackの日本語'],
  ['a mark that two scripts of Japanese share', 'サーバー'],
  ['emoji', '🚀 Acme'],
  ['digits alone', '1234'],
  ['a script of no modern language', '𐌰𐌱𐌲'],
];

const ofSeveral: [text: string, scripts: string[]][] = [
  ['Micr\u043esoft', ['Cyrillic', 'Latin']],
  ['\u039dOKIA', ['Greek', 'Latin']],
  ['Москва \u0391', ['Cyrillic', 'Greek']],
  ['한국の', ['Hangul', 'Hiragana']],
  ['Acme \u13aa', ['Latin', 'another script']],
];

describe('mixedScripts', () => {
  for (const [why, text] of ofOne) test(`finds none in ${why}`, () => assert.deepEqual(mixedScripts(text), []));

  for (const [text, scripts] of ofSeveral) {
    test(`finds ${scripts.join(' and ')} in ${text}`, () => assert.deepEqual(mixedScripts(text), scripts));
  }
});
