import type { Caller } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import { withCause, withoutCause } from './causes.ts';
import { changeCauses, installationsOfApp } from './change-causes.ts';
import { listRevokedInstallations } from './disabled-installation-queries.ts';

const batchMax = 1_000;

/** A review step in progress: its app is locked, and thereby its installations. */
interface Review {
  caller: Caller;
  at: number;
  appId: string;
}

/** Disables every installation of an app until the app is approved again (decision 28). */
export async function disableInstallations(transaction: Connection, { appId, ...context }: Review): Promise<void> {
  for await (const rows of installationsOfApp(transaction, appId)) {
    await changeCauses(transaction, context, { rows, next: (causes) => withCause(causes, 'revocation') });
  }
}

/** Removes the revocation from them: those without another cause are enabled. */
export async function enableInstallations(transaction: Connection, { appId, ...context }: Review): Promise<void> {
  let lastId = '';
  for (;;) {
    const rows = await listRevokedInstallations(transaction, { appId, id: lastId, limit: batchMax });
    if (rows.length === 0) return;
    await changeCauses(transaction, context, { rows, next: (causes) => withoutCause(causes, 'revocation') });
    lastId = rows.at(-1)?.id ?? lastId;
  }
}
