import { test } from 'node:test';
import { mutatedFiles } from './mutant.ts';
import { listPrograms } from './programs.ts';

for (const { name, torture } of await listPrograms()) {
  for (const mutant of torture.mutants) {
    test(`the mutant ${mutant.name} of ${name} applies to the current source`, async () => {
      await mutatedFiles(mutant);
    });
  }
}
