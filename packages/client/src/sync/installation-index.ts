import type { CopiedInstallation } from './change.ts';

/** Installations by their ids, by app and workspace, and by workspace. */
export class InstallationIndex {
  readonly #byId = new Map<string, CopiedInstallation>();
  readonly #byApp = new Map<string, Map<string, CopiedInstallation>>();
  readonly #byWorkspace = new Map<string, CopiedInstallation[]>();

  get(id: string): CopiedInstallation | undefined {
    return this.#byId.get(id);
  }

  find(appId: string, workspaceId: string): CopiedInstallation | undefined {
    return this.#byApp.get(appId)?.get(workspaceId);
  }

  keys(): Iterable<string> {
    return this.#byId.keys();
  }

  list({ appId, workspaceId }: { appId?: string | undefined; workspaceId?: string | undefined }): CopiedInstallation[] {
    if (workspaceId !== undefined) {
      const found = this.#byWorkspace.get(workspaceId) ?? [];
      return found.filter((one) => appId === undefined || one.appId === appId);
    }
    return [...(appId === undefined ? this.#byId : (this.#byApp.get(appId) ?? new Map())).values()];
  }

  set(installation: CopiedInstallation): void {
    const { id, appId, workspaceId } = installation;
    this.delete(id);
    this.#byId.set(id, installation);
    const ofApp = this.#byApp.get(appId);
    if (ofApp) ofApp.set(workspaceId, installation);
    else this.#byApp.set(appId, new Map([[workspaceId, installation]]));
    // An array that grows by `push` reserves 16 more places.
    this.#byWorkspace.set(workspaceId, [...(this.#byWorkspace.get(workspaceId) ?? []), installation]);
  }

  delete(id: string): void {
    const installation = this.#byId.get(id);
    if (!installation) return;
    const { appId, workspaceId } = installation;
    this.#byId.delete(id);
    const ofApp = this.#byApp.get(appId);
    // A later one may have its place before the deletion of this one is known.
    if (ofApp?.get(workspaceId) === installation) ofApp.delete(workspaceId);
    if (ofApp?.size === 0) this.#byApp.delete(appId);
    const others = (this.#byWorkspace.get(workspaceId) ?? []).filter((one) => one !== installation);
    if (others.length > 0) this.#byWorkspace.set(workspaceId, others);
    else this.#byWorkspace.delete(workspaceId);
  }
}
