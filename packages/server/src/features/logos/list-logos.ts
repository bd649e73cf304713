import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { readPage } from '../../kernel/page.ts';
import type { PageOf } from '../../kernel/page-parameters.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Registry } from '../../kernel/registry.ts';
import { type Logo, LogoQuery } from './logo.ts';
import { listLogoPage } from './logo-queries.ts';
import { logoView } from './logo-view.ts';

/** A page of all logos or of those of a developer, by id. Refuses with `invalid_content`. */
export async function listLogos(registry: Registry, input: unknown): Promise<PageOf<Logo>> {
  const given = requireValid(LogoQuery, input);
  const ids = new PlatformIds();
  const developerId = given.developerId && ids.read(given.developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  return readPage(given, {
    name: 'logos',
    read: (request) => listLogoPage(registry.storage.reader, { developerId }, request),
    view: (row) => logoView(registry, row),
  });
}
