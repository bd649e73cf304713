import { exportRegistry } from '../../../server/src/features/import-export/export-registry.ts';
import type { ImportSummary } from '../../../server/src/features/import-export/import-input.ts';
import { importRegistry } from '../../../server/src/features/import-export/import-registry.ts';
import { commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

/** An export as one string. */
export async function exportText(registry: Registry): Promise<string> {
  let text = '';
  await exportRegistry(registry, async (lines) => {
    text += lines;
  });
  return text;
}

export function importText(registry: Registry, text: string): Promise<ImportSummary> {
  const open = async function* () {
    yield Buffer.from(text);
  };
  return importRegistry(registry, commandLine, { open });
}
