// Writes docs/import-mapping.schema.json: the schema of the mapping files of "app-registry import", for editors.
import { writeFile } from 'node:fs/promises';
import { publishedMappingSchema } from '../packages/server/src/features/import-export/csv/import-mapping.ts';

const file = new URL('../docs/import-mapping.schema.json', import.meta.url);
await writeFile(file, `${JSON.stringify(publishedMappingSchema(), null, 2)}\n`);
