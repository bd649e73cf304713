/** Someone who can sign in. A real provider has passwords, passkeys and a database. */
export interface Account {
  id: string;
  name: string;
  role: string;
  /** The scopes of the person at the registry. */
  scopes: string[];
  /** The workspace of a customer. */
  workspace?: { id: string; name: string };
}

export const people: Account[] = [
  {
    id: 'user_01jq3v8nbtf4mrk6d2m3wz5xa1',
    name: 'Ada Lovelace',
    role: 'Developer of Invoice Sync',
    scopes: ['app-registry:developer'],
  },
  {
    id: 'user_01jq3v8nbtf4mrk6d2m3wz5xg2',
    name: 'Grace Hopper',
    role: 'Developer of five other apps',
    scopes: ['app-registry:developer'],
  },
  {
    id: 'user_01jq3v8nbtf4mrk6d2m3wz5xr3',
    name: 'Ruth Moreno',
    role: 'Reviewer of the marketplace',
    scopes: ['app-registry:review'],
  },
  {
    id: 'user_01jq3v8nbtf4mrk6d2m3wz5xn4',
    name: 'Noor Haddad',
    role: 'Customer, Harbour Bakery',
    scopes: [],
    workspace: { id: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9h1', name: 'Harbour Bakery' },
  },
  {
    id: 'user_01jq3v8nbtf4mrk6d2m3wz5xt5',
    name: 'Tomás Rey',
    role: 'Customer, Studio Linden',
    scopes: [],
    workspace: { id: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9s2', name: 'Studio Linden' },
  },
];

export function personOf(accountId: string): Account | undefined {
  return people.find(({ id }) => id === accountId);
}
