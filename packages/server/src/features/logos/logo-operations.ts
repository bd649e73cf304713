import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { pageOf } from '../../kernel/page-parameters.ts';
import { imageBytesMax, Logo, LogoBlock, LogoQuery, NewLogo } from './logo.ts';

const logos = '/operator/v1/logos';

const logo = `${logos}/:id` as const;

const one = { response: Logo, refusals: ['logo_not_found'] } as const;

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** The images that apps show. */
export const logoOperations = {
  listLogos: {
    method: 'GET',
    path: logos,
    summary: 'List logos, ordered by id',
    scope: 'read',
    query: LogoQuery,
    response: pageOf(Logo, 'Logo'),
  },
  createLogo: {
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
      'Its image then returns 404, and no app can set it. Apps that use it keep it, but show no image. Copies made by app transfers are blocked too. Blocking a blocked logo changes nothing.',
    scope: 'review',
    body: LogoBlock,
  },
  unblockLogo: {
    ...one,
    method: 'POST',
    path: `${logo}/unblock`,
    summary: 'Unblock a logo',
    description: 'Unblocks the copies made by app transfers too.',
    scope: 'review',
  },
  deleteLogo: {
    ...one,
    method: 'DELETE',
    path: logo,
    summary: 'Delete a logo that no app uses',
    description:
      'A logo is in use if it is in the current or approved content of an app, including deleted apps that can be restored.',
    scope: 'admin',
    refusals: ['logo_not_found', 'logo_in_use'],
  },
} as const satisfies Record<string, OperatorOperation>;
