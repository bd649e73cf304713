import { imageBytesMax, Logo, LogoQuery, NewLogo } from '../../contract/logo.ts';
import { pageOf } from '../../contract/page.ts';
import { addLogo } from '../../registry/logos/add-logo.ts';
import { listLogos } from '../../registry/logos/list-logos.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Operation } from './operation.ts';

const logos = '/operator/v1/logos';

/** The images that apps show. */
export function logoOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: logos,
      id: 'listLogos',
      summary: 'List the logos of a developer, in the order of their ids',
      scope: 'read',
      query: LogoQuery,
      answer: pageOf(Logo, 'Logo'),
      handle: ({ query }) => listLogos(registry, query),
    },
    {
      method: 'POST',
      path: logos,
      id: 'addLogo',
      summary: 'Upload a logo for the apps of one developer',
      description:
        'The image is drawn anew as a PNG of 512 by 512 pixels. Set the id as `logoId` of an app to show it.',
      scope: 'portal',
      form: { parts: NewLogo, file: { name: 'image', bytesMax: imageBytesMax, mediaTypes } },
      creates: true,
      answer: Logo,
      refusals: ['developer_not_found'],
      handle: ({ caller, body }) => addLogo(registry, caller, body),
    },
  ];
}

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];
