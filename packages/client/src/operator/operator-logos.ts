import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { ListQuery } from './queries.ts';
import type { Logo, LogoBlock } from './types.ts';

/**
 * An image to upload.
 *
 * @example
 * const image: NewLogoImage = { developerId: 'user_7', image: new Blob([png]) };
 * console.log((await operator.logos.create(image)).id);
 */
export interface NewLogoImage {
  /** The developer whose apps may use it. */
  developerId: string;
  image: Blob;
}

/**
 * Logos of apps.
 *
 * @example
 * const logo = await operator.logos.create({ developerId: 'user_7', image: new Blob([png]) });
 * await operator.apps.update(app.id, { logoId: logo.id });
 */
export class OperatorLogos {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** All logos, or those of a developer. */
  list(query?: ListQuery & { developerId?: string | undefined }, options?: RequestOptions): List<Logo> {
    return this.#operations.list(['logos'], query, options);
  }

  /** Uploads an image: a PNG, JPEG, WebP or SVG file, which becomes a PNG of 512 by 512 pixels. */
  create({ developerId, image }: NewLogoImage, options?: RequestOptions): ApiPromise<Logo> {
    const form = new FormData();
    form.set('developerId', developerId);
    form.set('image', image);
    return this.#operations.post(['logos'], { body: form }, options);
  }

  /** Hides a logo from everyone. */
  block(id: string, block: LogoBlock, options?: RequestOptions): ApiPromise<Logo> {
    return this.#operations.post(['logos', id, 'block'], { body: block }, options);
  }

  unblock(id: string, options?: RequestOptions): ApiPromise<Logo> {
    return this.#operations.post(['logos', id, 'unblock'], {}, options);
  }

  delete(id: string, options?: RequestOptions): ApiPromise<Logo> {
    return this.#operations.send('DELETE', ['logos', id], {}, options);
  }
}
