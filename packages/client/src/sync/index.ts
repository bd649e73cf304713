export type { Change, CopiedApp, CopiedInstallation } from './change.ts';
export { type CopyState, type InstallationFilter, RegistryCopy } from './registry-copy.ts';
export { type SyncOptions, sync } from './sync.ts';
