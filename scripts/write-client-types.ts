// Writes the types of the client's operator API from docs/operator-openapi.json.
import { writeFile } from 'node:fs/promises';
import { clientTypes, clientTypesFile } from './client-types.ts';

await writeFile(new URL(`../${clientTypesFile}`, import.meta.url), await clientTypes());
