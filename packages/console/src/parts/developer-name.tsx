import type { OperatorDeveloper } from '@appregistrar/client/operator';
import { operator } from '../operator.ts';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

/** Loads each developer once while the page is open, however many apps they have. */
const developers = new Map<string, Promise<OperatorDeveloper>>();

/** A developer by name or else email address; by id if loading fails. */
export function DeveloperName({ userId }: { userId: string }) {
  const { data, error } = useRequest(() => developerOf(userId), [userId]);
  if (error) return <bdi>{userId}</bdi>;
  // An id is wider than most names: the columns would move once the name is loaded.
  return <bdi title={userId}>{data ? nameOf(data) : '…'}</bdi>;
}

/** A developer by name, with a link to their page. */
export function DeveloperLink({ userId }: { userId: string }) {
  return (
    <a href={hrefOf(['developers', userId])}>
      <DeveloperName userId={userId} />
    </a>
  );
}

/** Loads a developer anew, after a change. */
export function forgetDeveloper(userId: string): void {
  developers.delete(userId);
}

type Person = Pick<OperatorDeveloper, 'email' | 'firstName' | 'lastName'>;

export function nameOf({ firstName, lastName, email }: Person): string {
  return [firstName, lastName].filter((name) => name !== undefined).join(' ') || email;
}

function developerOf(userId: string): Promise<OperatorDeveloper> {
  const cached = developers.get(userId);
  if (cached) return cached;
  const loading = operator.developers.get(userId);
  developers.set(userId, loading);
  loading.catch(() => developers.delete(userId));
  return loading;
}
