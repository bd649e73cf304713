import { imageBytesMax, Logo, LogoBlock, LogoQuery, NewLogo } from '../logo.ts';
import { pageOf } from '../page.ts';
import type { OperatorOperation } from './operation.ts';

const logos = '/operator/v1/logos';

const logo = `${logos}/:id` as const;

const one = { response: Logo, refusals: ['logo_not_found'] } as const;

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** The images that apps show. */
export const logoOperations = {
  listLogos: {
    method: 'GET',
    path: logos,
    summary: 'List logos, in the order of their ids',
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
  blockLogo: {
    ...one,
    method: 'POST',
    path: `${logo}/block`,
    summary: 'Block a logo',
    description:
      'Its image is not found from then on, and no app can set it. Apps that show it keep it, without an image. The copies that transfers of apps have made of it are blocked too. Repeating it changes nothing.',
    scope: 'review',
    body: LogoBlock,
  },
  unblockLogo: {
    ...one,
    method: 'POST',
    path: `${logo}/unblock`,
    summary: 'Unblock a logo',
    description: 'With the copies that transfers of apps have made of it.',
    scope: 'review',
  },
  deleteLogo: {
    ...one,
    method: 'DELETE',
    path: logo,
    summary: 'Delete a logo that no app uses',
    description:
      'An app uses a logo in its current and in its approved content, also when it is deleted and can be restored.',
    scope: 'admin',
    refusals: ['logo_not_found', 'logo_in_use'],
  },
} as const satisfies Record<string, OperatorOperation>;
