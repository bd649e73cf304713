import { appNotFound, requireAppId, requireValid } from '../../../kernel/failure.ts';
import { readPage } from '../../../kernel/page.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { actorNames } from '../../access/actor-names.ts';
import { findApp } from '../app-queries.ts';
import { type DecisionPage, DecisionQuery } from './decision.ts';
import { decisionView } from './decision-view.ts';
import { listDecisionPage } from './review-queries.ts';

interface DecisionsInput {
  appId: string;
  query: unknown;
  /** Whether the caller may read what is only for reviewers. */
  showsNotes: boolean;
}

/**
 * A page of the decisions about an app, newest first. With `actors`, includes their names. Refuses with `invalid_content`
 * or `app_not_found`.
 */
export async function listDecisions(
  registry: Registry,
  { appId, query, showsNotes }: DecisionsInput,
): Promise<DecisionPage> {
  const { actors, ...given } = requireValid(DecisionQuery, query);
  requireAppId(appId);
  const { reader } = registry.storage;
  if (!(await findApp(reader, { id: appId }))) throw appNotFound();
  const page = await readPage(given, {
    name: `decisions ${appId}`,
    read: (request) => listDecisionPage(reader, { appId }, request),
    view: (row) => decisionView({ ...registry, showsNotes }, row),
  });
  if (!actors) return page;
  const names = await actorNames(
    registry,
    page.items.map(({ actor }) => actor),
  );
  return { ...page, actors: names };
}
