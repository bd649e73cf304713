import { test } from 'node:test';
import { mutatedFiles } from './mutant.ts';
import { listPrograms } from './programs.ts';

for (const { name, torture } of await listPrograms()) {
  for (const mutant of torture.mutants) {
    test(`the mutant ${mutant.name} of ${name} can be made of the source as it is`, async () => {
      await mutatedFiles(mutant);
    });
  }
}
