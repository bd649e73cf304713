/** Descriptions of parameters whose schemas have none. */
const descriptions: Record<string, string> = {
  appId: 'The id of the app, as a TypeID or UUID.',
  developerId: 'The user id of the developer, as a TypeID or UUID.',
  kind: 'Only tokens of this kind.',
  limit: 'The maximum number of items. Default: 20.',
  revision: 'The revision: its number, its `ETag`, or a UTC time at which it was current.',
  status: 'Only apps with this review status.',
  userId: 'The user id, as a TypeID or UUID.',
  workspaceId: 'The id of the workspace, as a TypeID or UUID.',
};

const examples: Record<string, string> = {
  apps: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
  deliveries: 'delivery_01jq3w6p4me8xv1c3y9r5q2f7g',
  developers: 'user_01jq3v8nbtf4mrk6d2m3wz5x7c',
  installations: 'installation_01jq3w3k1hf5tr8z0v6n2m9c4d',
  notes: 'note_01jq3w6p4me8xv1c3y9r5q2f7g',
  'reason-templates': 'template_01jq3w6p4me8xv1c3y9r5q2f7g',
  logos: 'logo_01jq3va2c8f0ntb5m6b7k8c9d0',
  revisions: '7',
  tokens: 'token_01jq3w4m2je6vs9a1w7p3n0d5e',
  webhooks: 'webhook_01jq3w5n3kf7wt0b2x8q4p1e6f',
  workspaces: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
};

/** The parameters of a path, such as the `id` of `/operator/v1/apps/:id`. */
export function pathParameters(path: string): object[] {
  return [...path.matchAll(/(\w+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: descriptions[name] ?? `The id, as listed by ${collection}.`,
    schema: { type: 'string', ...(examples[collection] && { examples: [examples[collection]] }) },
  }));
}

/** The parameters of a query, by its schema. */
export function queryParameters({ properties = {}, required = [] }: QuerySchema): object[] {
  return Object.entries(properties).map(([name, { description = descriptions[name], ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

interface QuerySchema {
  properties?: Record<string, { description?: string }>;
  required?: readonly string[];
}
