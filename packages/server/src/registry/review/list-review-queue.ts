import { check } from '../../contract/check.ts';
import { type OperatorApp, ReviewQueueQuery } from '../../contract/operator-app.ts';
import type { PageOf, PageParameters } from '../../contract/page.ts';
import { listReviewQueuePage } from '../../storage/queries/apps-in-review.ts';
import { operatorView } from '../apps/app-view.ts';
import { throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import type { Registry } from '../registry.ts';

/** A page of the apps in review, longest-waiting first. Refuses with `invalid_content`. */
export async function listReviewQueue(registry: Registry, input: unknown): Promise<PageOf<OperatorApp>> {
  throwIfInvalid(check(ReviewQueueQuery, input));
  return readPage(input as PageParameters, {
    read: (request) => listReviewQueuePage(registry.storage.reader, request),
    view: (app) => operatorView(registry, app),
  });
}
