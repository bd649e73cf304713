import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { mechanisms, switchOff } from './speed.ts';

const source = fileURLToPath(new URL('../../packages/server/src', import.meta.url));

for (const mechanism of mechanisms) {
  test(`${mechanism.name} can be switched off in the current source`, () => {
    const copy = temporaryFolder('speed-');
    for (const { file } of mechanism.patches) cpSync(join(source, file), join(copy, file));
    switchOff(mechanism, copy);
  });
}
