export type { Method, RequestParts } from '../client/options.ts';
export {
  type AppContent,
  type AppContentAtRevision,
  type AppWithContents,
  approvedContent,
  effectiveContent,
} from './app-content.ts';
export type { EventFollower } from './event-follower.ts';
export type { StreamedEvent } from './event-stream.ts';
export { List } from './operations.ts';
export { OperatorClient, type OperatorClientOptions } from './operator-client.ts';
export type * from './operator-options.ts';
export type * from './operator-resources.ts';
export type * from './types.ts';
