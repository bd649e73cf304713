import { test } from 'node:test';
import { defectiveFiles } from './defect.ts';
import { listPrograms } from './programs.ts';

for (const { name, faultInjection } of await listPrograms()) {
  for (const defect of faultInjection.defects) {
    test(`the defect ${defect.name} of ${name} applies to the current source`, async () => {
      await defectiveFiles(defect);
    });
  }
}
