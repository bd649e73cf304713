import { idOf, type RegistrySize } from './fill-registry.ts';

/** One list with values for its filters. */
export interface Question {
  /** The list and the filters, without values: what figures are told of. */
  list: string;
  path: string;
  parameters: Record<string, string>;
  /** What its cursors hold of a row in the middle. */
  middle: string[];
}

/** Every list of the operator API, with every combination of filters that meet many rows, one, or none. */
export function listQuestions({ apps, installations }: RegistrySize): Question[] {
  const developers = Math.ceil(apps / 5);
  const developerId = [idOf('user', 0), idOf('user', 1), idOf('user', 2), idOf('user', installations)];
  const half = { apps: Math.floor(apps / 2), installations: Math.floor(installations / 2) };
  return [
    ...questions('developers', {}, [idOf('user', developers / 2)]),
    ...questions(
      'apps',
      {
        status: ['APPROVED', 'REJECTED', 'AWAITING_REVIEW'],
        developerId,
        changedSinceApproval: ['true', 'false'],
        name: ['alpha', 'zeta', 'omega'],
      },
      [idOf('app', half.apps)],
    ).map(byName),
    ...questions('deleted-apps', { developerId }, [idOf('app', apps + developers / 2)]),
    ...questions(
      'installations',
      {
        appId: [idOf('app', 0), idOf('app', 1), idOf('app', apps)],
        workspaceId: [idOf('workspace', 0), idOf('workspace', 1), idOf('workspace', installations * 2)],
        userId: [idOf('user', 0), idOf('user', 1), idOf('user', 2), idOf('user', installations)],
      },
      [idOf('installation', half.installations)],
    ).filter(({ parameters }) => Object.keys(parameters).length > 0),
    ...questions('tokens', { developerId, kind: ['developer', 'platform'] }, [idOf('token', developers / 2)]),
    ...questions('logos', { developerId }, [idOf('logo', developers / 2)]).filter(
      ({ parameters }) => parameters.developerId,
    ),
    ...eventQuestions({ appId: [idOf('app', 0), idOf('app', 1)] }, half.installations),
    ...eventQuestions({ actor: [idOf('token', 0), idOf('token', installations)] }, half.installations),
  ];
}

function questions(name: string, filters: Record<string, string[]>, middle: string[]): Question[] {
  return combinations(Object.entries(filters)).map((parameters) => ({
    list: [name, ...Object.keys(parameters)].join(' '),
    path: `/operator/v1/${name}`,
    parameters,
    middle,
  }));
}

/** Each filter left out, or with one of its values. */
function combinations([filter, ...others]: [string, string[]][]): Record<string, string>[] {
  if (!filter) return [{}];
  const [name, values] = filter;
  return combinations(others).flatMap((rest) => [rest, ...values.map((value) => ({ [name]: value, ...rest }))]);
}

/** Names that are sought are listed in their order. */
function byName(question: Question): Question {
  const { name } = question.parameters;
  return name === undefined ? question : { ...question, middle: [`${name} 0000000000500000`, ...question.middle] };
}

/** All events, and those of one owner, which are listed in the order of both. */
function eventQuestions(owner: Record<string, string[]>, half: number): Question[] {
  return questions('events', owner, [idOf('event', Math.floor(half / 5))]).map((question) => ({
    ...question,
    middle: [...Object.values(question.parameters), ...question.middle],
  }));
}
