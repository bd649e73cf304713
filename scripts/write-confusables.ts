// Writes the data of look-alike characters from a copy of Unicode's confusables.txt (UTS #39, in its folder `security`).
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(
  new URL('../packages/server/src/features/apps/comparison/confusables.json', import.meta.url),
);

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('usage: node scripts/write-confusables.ts PATH_OF_CONFUSABLES_TXT');
const text = await readFile(source, 'utf8');
const version = /^# Version: (?<version>\d+\.\d+\.\d+)$/m.exec(text)?.groups?.version;
if (version === undefined) throw new Error(`${source} does not state its version: is it confusables.txt?`);

/** The code points that stand for each prototype, all in hexadecimal, as the file has them. */
const characters: Record<string, string> = {};
for (const [, character, prototype] of text.matchAll(/^([0-9A-F]+) ;\s+([0-9A-F ]+?) ;\s+MA\b/gm)) {
  if (character === undefined || prototype === undefined) continue;
  characters[prototype] = characters[prototype] ? `${characters[prototype]} ${character}` : character;
}
const data = { copyright: '© Unicode, Inc. See unicode-license.txt.', version, characters };
await writeFile(target, `${JSON.stringify(data, null, 2)}\n`);
