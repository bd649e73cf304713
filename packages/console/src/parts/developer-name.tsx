import { type Developer, showDeveloper } from '../api/operations.ts';
import { useRequest } from '../use-request.ts';

/** Loads each developer once while the page is open, however many apps they have. */
const developers = new Map<string, Promise<Developer>>();

/** A developer by name or else email address; by id if loading fails. */
export function DeveloperName({ userId }: { userId: string }) {
  const { data, error } = useRequest(() => developerOf(userId), [userId]);
  if (error) return <bdi>{userId}</bdi>;
  // An id is wider than most names: the columns would move once the name is loaded.
  return <bdi title={userId}>{data ? nameOf(data) : '…'}</bdi>;
}

export function nameOf({ firstName, lastName, email }: Developer): string {
  return [firstName, lastName].filter((name) => name !== undefined).join(' ') || email;
}

function developerOf(userId: string): Promise<Developer> {
  const cached = developers.get(userId);
  if (cached) return cached;
  const loading = showDeveloper(userId);
  developers.set(userId, loading);
  loading.catch(() => developers.delete(userId));
  return loading;
}
