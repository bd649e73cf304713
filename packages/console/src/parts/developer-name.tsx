import { type Developer, showDeveloper } from '../api/operations.ts';
import { useRequest } from '../use-request.ts';

/** Many apps are of one developer, who is asked for once while the page is open. */
const developers = new Map<string, Promise<Developer>>();

/** Whose app it is: by name, else by email address; by id where neither can be had. */
export function DeveloperName({ userId }: { userId: string }) {
  const { answer, refusal } = useRequest(() => developerOf(userId), [userId]);
  if (refusal) return <bdi>{userId}</bdi>;
  // An id would be wider than most names, and the columns would move when the name comes.
  return <bdi title={userId}>{answer ? nameOf(answer) : '…'}</bdi>;
}

export function nameOf({ firstName, lastName, email }: Developer): string {
  return [firstName, lastName].filter((name) => name !== undefined).join(' ') || email;
}

function developerOf(userId: string): Promise<Developer> {
  const known = developers.get(userId);
  if (known) return known;
  const asked = showDeveloper(userId);
  developers.set(userId, asked);
  asked.catch(() => developers.delete(userId));
  return asked;
}
