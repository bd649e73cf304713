// Writes what the client derives from the server: the types and methods of its operator API, and the fields of an app's content.
import { writeFile } from 'node:fs/promises';
import { clientFiles } from './client-files.ts';

for (const [file, text] of await clientFiles()) await writeFile(new URL(`../${file}`, import.meta.url), text);
