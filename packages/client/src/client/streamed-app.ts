import type { Installation, PlatformApp } from '../types/app.ts';

/**
 * An app whose installations are still arriving.
 *
 * @example
 * const { app, etag, installations }: StreamedApp = await client.platform.apps.stream(id);
 * console.log(app.name, etag);
 * for await (const { workspaceId } of installations) console.log(workspaceId);
 * console.log(app.logoUrl);
 */
export interface StreamedApp {
  /** The app has changed, or nothing was cached. */
  notModified: false;
  /** Names this state of the app. Use it as `ifNoneMatch`. */
  etag: string | undefined;
  /** Identifies the request. Include it when you ask for help. */
  requestId: string | undefined;
  /**
   * The app without its installations. A registry sends `logoUrl` after them, and may do so with fields that are newer than
   * this version: this object gets those once the last installation has been read.
   */
  app: Omit<PlatformApp, 'installations'>;
  /** Can be read once. Leaving the loop, or `return()`, aborts the request. */
  installations: AsyncGenerator<Installation, void, void>;
}
