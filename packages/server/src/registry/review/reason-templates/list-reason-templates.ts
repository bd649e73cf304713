import type { PageOf } from '../../../contract/page.ts';
import { type ReasonTemplate, ReasonTemplateQuery } from '../../../contract/review/reason-template.ts';
import { listReasonTemplatePage } from '../../../storage/queries/review/reason-templates.ts';
import { requireValid } from '../../failure.ts';
import { readPage } from '../../page.ts';
import type { Registry } from '../../registry.ts';
import { reasonTemplateView } from './reason-template-view.ts';

/** A page of the templates of reasons, by title. Refuses with `invalid_content`. */
export async function listReasonTemplates(registry: Registry, input: unknown): Promise<PageOf<ReasonTemplate>> {
  return readPage(requireValid(ReasonTemplateQuery, input), {
    name: 'reason-templates',
    read: (request) => listReasonTemplatePage(registry.storage.reader, request),
    view: reasonTemplateView,
  });
}
