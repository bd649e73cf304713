import { imageBytesMax, Logo, LogoQuery, NewLogo } from '../logo.ts';
import { pageOf } from '../page.ts';
import type { OperatorOperation } from './operation.ts';

const logos = '/operator/v1/logos';

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** The images that apps show. */
export const logoOperations = {
  listLogos: {
    method: 'GET',
    path: logos,
    summary: 'List the logos of a developer, in the order of their ids',
    scope: 'read',
    query: LogoQuery,
    response: pageOf(Logo, 'Logo'),
  },
  addLogo: {
    method: 'POST',
    path: logos,
    summary: 'Upload a logo for the apps of one developer',
    description: 'The image is converted to a PNG of 512 by 512 pixels. Set the id as `logoId` of an app to show it.',
    scope: 'portal',
    form: { parts: NewLogo, file: { name: 'image', bytesMax: imageBytesMax, mediaTypes } },
    creates: true,
    response: Logo,
    refusals: ['developer_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
