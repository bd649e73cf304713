import { appNotFound, requireAppId } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { catchUp } from '../search/projections.ts';
import { findAppWithMode } from './app-queries.ts';
import { operatorView } from './app-view.ts';
import type { AppWithWarnings } from './operator-app.ts';
import { currentClaims } from './review/review-claims.ts';
import { allowedSteps } from './review/transitions.ts';
import { warningsOf } from './review/warnings/warnings-of.ts';

interface ShowOptions {
  /** Whether the caller may read what is only for reviewers; true by default. */
  showsNotes?: boolean;
}

/** The app as operators see it, with its review warnings and allowed review steps. Refuses with `app_not_found`. */
export async function getAppAsOperator(
  registry: Registry,
  id: string,
  { showsNotes = true }: ShowOptions = {},
): Promise<AppWithWarnings> {
  requireAppId(id);
  const app = await findAppWithMode(registry.storage.reader, { id });
  if (!app) throw appNotFound();
  await catchUp(registry);
  const [warnings, claims] = await Promise.all([
    warningsOf(registry.storage.reader, [app]),
    currentClaims(registry, showsNotes ? [id] : []),
  ]);
  const claim = claims.get(id);
  return {
    ...operatorView(registry, app, app.changes_to_approved),
    warnings: warnings.get(app.id) ?? [],
    reviewSteps: allowedSteps({ app, mode: app.changes_to_approved }),
    ...(claim && { claim }),
  };
}
