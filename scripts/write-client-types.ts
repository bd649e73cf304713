// Writes what the client derives from the server: the types of its operator API and the fields of an app's content.
import { writeFile } from 'node:fs/promises';
import { clientTypes, clientTypesFile, contentFields, contentFieldsFile } from './client-types.ts';

await writeFile(new URL(`../${clientTypesFile}`, import.meta.url), await clientTypes());
await writeFile(new URL(`../${contentFieldsFile}`, import.meta.url), contentFields());
