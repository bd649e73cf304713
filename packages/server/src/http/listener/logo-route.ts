import { readLogoImage } from '../../features/logos/logos.ts';
import type { Registry } from '../../kernel/registry.ts';
import { type Route, route } from './route.ts';

/** A logo image, which never changes: a new logo has a new id. */
export function logoRoute(registry: Registry): Route {
  return route({
    method: 'GET',
    path: '/logos/:logoId',
    access: 'anyone',
    cacheable: true,
    async handle({ params }, reply) {
      const png = await readLogoImage(registry, params.logoId);
      return reply
        .headers({
          'content-type': 'image/png',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          // Pages that isolate themselves show no other images of a foreign origin.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(png);
    },
  });
}
