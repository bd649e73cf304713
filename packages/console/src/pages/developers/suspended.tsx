import type { OperatorDeveloper } from '@appregistrar/client/operator';

/** Marks a developer who is suspended. */
export function Suspended({ developer: { suspendedAt } }: { developer: OperatorDeveloper }) {
  return suspendedAt === undefined ? null : <span class="badge rejected">Suspended</span>;
}
