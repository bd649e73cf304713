import { readFile } from 'node:fs/promises';
import { brand } from '../setup/brand.ts';

interface StyleFile {
  type: string;
  read: () => Promise<Uint8Array<ArrayBuffer> | string>;
}

const fontPath = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const ofConsole = new URL('../../../packages/console/src/style/', import.meta.url);

/** The styles of each page. Colours, type and the card of an app are those of the console, so that all look alike. */
export const styleFiles: Record<string, StyleFile> = {
  '/tokens.css': {
    type: 'text/css',
    async read() {
      const tokens = await readFile(new URL('tokens.css', ofConsole), 'utf8');
      return `${tokens.replace(fontPath, '/inter.woff2')}:root { --accent: ${brand.accent}; }`;
    },
  },
  '/card.css': { type: 'text/css', read: () => readFile(new URL('card.css', ofConsole)) },
  '/style.css': { type: 'text/css', read: () => readFile(new URL('style.css', import.meta.url)) },
  '/inter.woff2': { type: 'font/woff2', read: () => readFile(new URL(import.meta.resolve(fontPath))) },
  '/mark.svg': { type: 'image/svg+xml', read: () => readFile(brand.mark) },
};
