import { idOf, type RegistrySize } from './fill-registry.ts';

/** A request for a list, with values for its filters. */
export interface ListRequest {
  /** The list and its filters without values, which figures are grouped by. */
  list: string;
  path: string;
  parameters: Record<string, string>;
  /** The sort key of a row in the middle, for cursors. */
  middle: string[];
}

/** Every list of the operator API, with every combination of filters that match many rows, one or none. */
export function listRequests({ apps, installations }: RegistrySize): ListRequest[] {
  const developers = Math.ceil(apps / 5);
  const developerId = [idOf('user', 0), idOf('user', 1), idOf('user', 2), idOf('user', installations)];
  const half = { apps: Math.floor(apps / 2), installations: Math.floor(installations / 2) };
  return [
    ...listsOf('developers', {}, [idOf('user', developers / 2)]),
    ...listsOf(
      'apps',
      {
        status: ['APPROVED', 'REJECTED', 'AWAITING_REVIEW'],
        developerId,
        changedSinceApproval: ['true', 'false'],
        name: ['alpha', 'zeta', 'omega'],
      },
      [idOf('app', half.apps)],
    ).map(byName),
    ...listsOf('deleted-apps', { developerId }, [idOf('app', apps + developers / 2)]),
    ...listsOf(
      'installations',
      {
        appId: [idOf('app', 0), idOf('app', 1), idOf('app', apps)],
        workspaceId: [idOf('workspace', 0), idOf('workspace', 1), idOf('workspace', installations * 2)],
        userId: [idOf('user', 0), idOf('user', 1), idOf('user', 2), idOf('user', installations)],
      },
      [idOf('installation', half.installations)],
    ).filter(({ parameters }) => Object.keys(parameters).length > 0),
    ...listsOf('tokens', { developerId, kind: ['developer', 'platform'] }, [idOf('token', developers / 2)]),
    ...listsOf('logos', { developerId }, [idOf('logo', developers / 2)]).filter(
      ({ parameters }) => parameters.developerId,
    ),
    ...eventLists({ appId: [idOf('app', 0), idOf('app', 1)] }, half.installations),
    ...eventLists({ actor: [idOf('token', 0), idOf('token', installations)] }, half.installations),
  ];
}

function listsOf(name: string, filters: Record<string, string[]>, middle: string[]): ListRequest[] {
  return combinations(Object.entries(filters)).map((parameters) => ({
    list: [name, ...Object.keys(parameters)].join(' '),
    path: `/operator/v1/${name}`,
    parameters,
    middle,
  }));
}

/** Every combination: each filter absent, or with one of its values. */
function combinations([filter, ...others]: [string, string[]][]): Record<string, string>[] {
  if (!filter) return [{}];
  const [name, values] = filter;
  return combinations(others).flatMap((rest) => [rest, ...values.map((value) => ({ [name]: value, ...rest }))]);
}

/** Lists filtered by name are ordered by name. */
function byName(request: ListRequest): ListRequest {
  const { name } = request.parameters;
  return name === undefined ? request : { ...request, middle: [`${name} 0000000000500000`, ...request.middle] };
}

/** All events, and those of one owner, which are ordered by owner first. */
function eventLists(owner: Record<string, string[]>, half: number): ListRequest[] {
  return listsOf('events', owner, [idOf('event', Math.floor(half / 5))]).map((request) => ({
    ...request,
    middle: [...Object.values(request.parameters), ...request.middle],
  }));
}
