import type { OperatorDeveloper } from '@appregistrar/client/operator';
import { operator } from '../operator.ts';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';
import { LoadedTogether } from './loaded-together.ts';

const developers = new LoadedTogether(async (ids: string[]) => {
  const { items } = await operator.developers.list({ ids, limit: ids.length }).page();
  return items.map((developer): [string, OperatorDeveloper] => [developer.id, developer]);
});

/** A developer by name or else email address; by id if loading fails. */
export function DeveloperName({ userId }: { userId: string }) {
  const { data, error } = useRequest(() => developers.get(userId), [userId]);
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
  developers.forget(userId);
}

type Person = Pick<OperatorDeveloper, 'email' | 'firstName' | 'lastName'>;

export function nameOf({ firstName, lastName, email }: Person): string {
  return [firstName, lastName].filter((name) => name !== undefined).join(' ') || email;
}
