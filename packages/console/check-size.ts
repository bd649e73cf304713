// Fails if the compressed size of everything that a browser loads exceeds the limit.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** With the font, which is compressed as it is. */
const bytesMax = 150_000;
const folder = new URL('dist/', import.meta.url);
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(`${parentPath}/${name}`)).length);
const total = sizes.reduce((sum, size) => sum + size, 0);

// Starting the development server prints no figures.
if (process.env.npm_config_loglevel !== 'silent' || total > bytesMax)
  console.log(`The console: ${total} bytes compressed, of at most ${bytesMax}.`);
if (total > bytesMax) process.exitCode = 1;
