import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';

const folder = import.meta.dirname;

/**
 * Writes the software bill of materials of the package, in CycloneDX: each package that a bundle has code of, and those
 * of the other files, which belong to the package too. The same source makes the same document.
 */
export async function writeSbom(bundled: Metafile, others: string[], file: string): Promise<void> {
  const metafile = `${file}.metafile`;
  writeFileSync(metafile, JSON.stringify(withOthers(bundled, others)));
  try {
    const options = ['--output-reproducible', '--validate', '--output-file', file];
    await promisify(execFile)('cyclonedx-esbuild', [...options, metafile], { cwd: folder });
  } finally {
    rmSync(metafile);
  }
}

/** A metafile as if this package had imported the other files. */
function withOthers({ inputs, outputs }: Metafile, others: string[]): Metafile {
  const self = 'package.json';
  const read = Object.fromEntries([self, ...others].map((path) => [path, { bytesInOutput: 1 }]));
  return {
    inputs: {
      ...inputs,
      [self]: { bytes: 1, imports: others.map((path) => ({ path, kind: 'require-call' })) },
      ...Object.fromEntries(others.map((path) => [path, { bytes: 1, imports: [] }])),
    },
    outputs: { ...outputs, others: { bytes: 1, imports: [], exports: [], inputs: read } },
  };
}
