import { idOf, type RegistrySize } from './fill-registry.ts';

/** A request for a list, with values for its filters. */
export interface ListRequest {
  /** The list and its filters without values, which figures are grouped by. */
  list: string;
  path: string;
  parameters: Record<string, string>;
}

/** Every list of the operator API, with every combination of filters that match many rows, one or none. */
export function listRequests({ apps, installations }: RegistrySize): ListRequest[] {
  const developerId = [idOf('user', 0), idOf('user', 1), idOf('user', 2), idOf('user', installations)];
  return [
    ...listsOf('developers', {}),
    ...listsOf('apps', {
      status: ['APPROVED', 'REJECTED', 'AWAITING_REVIEW'],
      developerId,
      changedSinceApproval: ['true', 'false'],
      name: ['alpha', 'zeta', 'omega'],
    }),
    ...listsOf('apps', {
      sort: ['-createdAt', '-updatedAt'],
      status: ['APPROVED', 'AWAITING_REVIEW'],
      developerId,
      changedSinceApproval: ['true'],
    }).filter(({ parameters }) => parameters.sort),
    ...listsOf('apps', { deleted: ['true'], developerId }),
    ...listsOf('installations', {
      appId: [idOf('app', 0), idOf('app', 1), idOf('app', apps)],
      workspaceId: [idOf('workspace', 0), idOf('workspace', 1), idOf('workspace', installations * 2)],
      userId: [idOf('user', 0), idOf('user', 1), idOf('user', 2), idOf('user', installations)],
    }).filter(({ parameters }) => Object.keys(parameters).length > 0),
    ...listsOf('tokens', { developerId, kind: ['developer', 'platform'] }),
    ...listsOf('logos', { developerId }).filter(({ parameters }) => parameters.developerId),
    ...listsOf('events', { appId: [idOf('app', 0), idOf('app', 1)] }),
    ...listsOf('events', { actor: [idOf('token', 0), idOf('token', installations)] }).filter(
      ({ parameters }) => parameters.actor,
    ),
  ];
}

function listsOf(name: string, filters: Record<string, string[]>): ListRequest[] {
  return combinations(Object.entries(filters)).map((parameters) => ({
    list: [name, ...Object.keys(parameters)].join(' '),
    path: `/operator/v1/${name}`,
    parameters,
  }));
}

/** Every combination: each filter absent, or with one of its values. */
function combinations([filter, ...others]: [string, string[]][]): Record<string, string>[] {
  if (!filter) return [{}];
  const [name, values] = filter;
  return combinations(others).flatMap((rest) => [rest, ...values.map((value) => ({ [name]: value, ...rest }))]);
}
