import { requireValid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { readEventIds } from '../events/event-ids.ts';
import { givenContent } from './app-content.ts';
import { AppUpdate } from './app-update.ts';
import { operatorView } from './app-view.ts';
import { changeAppContent, orNameTaken } from './change-app-content.ts';
import { lockApp } from './lock-app.ts';
import type { OperatorApp } from './operator-app.ts';
import type { RevisionCondition } from './revision-condition.ts';
import { changesToApproved } from './store-app.ts';

export interface OperatorUpdateInput extends RevisionCondition {
  appId: string;
  update: unknown;
}

/**
 * Update App for operators: of any developer's app, by the same rules. Refuses with
 * `invalid_content`, `app_not_found`, `precondition_failed`, `app_under_review` or `name_taken`.
 */
export async function updateAppAsOperator(
  registry: Registry,
  caller: Caller,
  { appId, update, ...condition }: OperatorUpdateInput,
): Promise<OperatorApp> {
  const given = givenContent(requireValid(AppUpdate, update));
  try {
    return await writeIdempotently<OperatorApp>(registry, caller, {
      content: ['updateAppAsOperator', appId, given, condition],
      work: async (transaction) => {
        const [app, mode, nextEventId] = await Promise.all([
          lockApp(transaction, appId),
          changesToApproved(transaction),
          readEventIds(transaction),
        ]);
        const change = { transaction, app, mode, nextEventId, given, ...condition };
        const changed = await changeAppContent(registry, caller, change);
        return operatorView(registry, changed.app, mode);
      },
    });
  } catch (error) {
    throw orNameTaken(error);
  }
}
