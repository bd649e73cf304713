import { type OperatorApp, ReviewQueueQuery } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';
import { listReviewQueuePage } from '../../storage/queries/apps-in-review.ts';
import { operatorView } from '../apps/app-view.ts';
import { requireValid } from '../failure.ts';
import { readPage } from '../page.ts';
import type { Registry } from '../registry.ts';

/** A page of the apps in review, longest-waiting first. Refuses with `invalid_content`. */
export async function listReviewQueue(registry: Registry, input: unknown): Promise<PageOf<OperatorApp>> {
  return readPage(requireValid(ReviewQueueQuery, input), {
    name: 'review queue',
    read: (request) => listReviewQueuePage(registry.storage.reader, request),
    view: (app) => operatorView(registry, app, app.changes_to_approved),
  });
}
