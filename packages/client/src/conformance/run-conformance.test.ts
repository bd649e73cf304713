import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { ServedRegistry } from '../testing/served-registry.ts';
import { guarantees } from './guarantees/index.ts';
import { type ConformanceOptions, runConformance } from './run-conformance.ts';
import {
  changeJson,
  DeviatingServer,
  type Deviation,
  type ForwardedRequest,
  type ForwardedResponse,
  type JsonChange,
} from './testing/deviating-server.ts';

let registry: ServedRegistry;
let server: DeviatingServer;
let options: Omit<ConformanceOptions, 'appId'>;
before(async () => {
  registry = await ServedRegistry.start({ RATE_LIMIT_UPDATES_PER_MINUTE: '0' });
  server = await DeviatingServer.start(registry.port);
  const { data, tokens } = registry;
  const otherApp = await data.newApp({ developerId: data.otherDeveloper.id });
  const other = await data.newToken('developer', { developerId: data.otherDeveloper.id });
  options = {
    baseUrl: server.baseUrl,
    developerToken: tokens.developer,
    platformToken: tokens.platform,
    otherDeveloperToken: other.token,
    otherAppId: otherApp.id,
    logoId: (await data.newLogo()).id,
    profile: 'interface',
  };
});
after(async () => {
  server.stop();
  await registry.stop();
});

describe('those guarantees fail that are broken by a server that', () => {
  const deviations: Record<string, Deviation & { breaks: string[] }> = {
    'omits a required field': {
      ...views((app) => delete app.installationCount),
      breaks: ['Update App returns the developer view'],
    },
    'sends null for an absent field': {
      ...views((app) => {
        if (app.listingInfo) app.listingInfo.longDescription ??= null;
      }),
      breaks: ['Update App returns the developer view', 'Null removes the value of an optional field'],
    },
    'sends a number as text': {
      ...views((app) => {
        if ('installationCount' in app) app.installationCount = String(app.installationCount);
      }),
      breaks: ['Update App returns the developer view'],
    },
    'shows the developer view to the platform too': {
      ...views((app) => {
        app.oauthInfo ??= {};
      }),
      breaks: ['Get App has no installationCount'],
    },
    'omits a field of installations': {
      ...views((app) => {
        for (const installation of app.installations ?? []) delete installation.enabled;
      }),
      breaks: ['Get App shows every field of each installation'],
    },
    'writes times with an offset': {
      ...views((app) => {
        app.createdAt = app.createdAt.replace('Z', '+00:00');
      }),
      breaks: ['Times are ISO 8601'],
    },
    'has user IDs that are UUIDs': {
      ...views((app) => {
        if (app.developer) app.developer.userId = '0195f2c4-6f0e-7cc2-9b1d-2f4f0f6d3a11';
      }),
      breaks: ['The ID of an app is a TypeID'],
    },
    'has another review status': {
      ...views((app) => {
        app.reviewStatus = 'PUBLISHED';
      }),
      breaks: ['The review status is DRAFT'],
    },
    'replaces nested objects as a whole': {
      ...updates((update) => {
        if (update.listingInfo) update.listingInfo.longDescription ??= null;
      }),
      breaks: ['A field that an update omits inside listingInfo'],
    },
    'ignores null': {
      ...updates((update) => {
        for (const part of [update, update.listingInfo ?? {}, update.oauthInfo ?? {}]) {
          for (const field of Object.keys(part)) if (part[field] === null) delete part[field];
        }
      }),
      breaks: [
        'Null removes the value of an optional field',
        'A logoId gives the app a logoUrl',
        'Null for /name',
        'Null for /listingInfo/backgroundColor',
        'Null for /listingInfo is',
        'Null for /oauthInfo',
        'A body padded with nulls',
      ],
    },
    'refuses with 400 in place of 422': {
      ...statuses({ 422: 400 }),
      breaks: [
        'Null for /name',
        'Null for /listingInfo/backgroundColor',
        'Null for /listingInfo is',
        'Null for /oauthInfo',
        'A body padded with nulls',
      ],
    },
    'refuses with 403 in place of 404': {
      ...statuses({ 404: 403 }),
      breaks: ['Update App of an unknown app', 'Get App of an unknown app'],
    },
    'needs no token to read': {
      request: ({ method, headers }) => {
        if (method === 'GET') headers.authorization = `Bearer ${options.platformToken}`;
      },
      breaks: ['Get App without a valid bearer token'],
    },
    'changes an app with an update that it refuses': {
      request: (request) => {
        if (!request.headers.authorization?.startsWith('Bearer appreg_')) refuseLate(request);
      },
      response: (response, { headers }) => {
        if (headers.late) response.status = 401;
      },
      breaks: ['Update App without a valid bearer token'],
    },
    'moves updatedAt with every update': {
      ...views((app) => {
        app.updatedAt = nextTime();
      }),
      breaks: ['An update that changes nothing', 'Null for a required field'],
    },
    'has no ETag': {
      response: ({ headers }) => delete headers.etag,
      breaks: [
        'A response to Update App is JSON with a strong ETag',
        'A response to Get App is JSON with a strong ETag',
        'Get App with an If-Match that does not match',
        'Get App with a matching If-None-Match',
      ],
    },
    'lets responses be cached': {
      response: ({ headers }) => delete headers['cache-control'],
      breaks: [
        'A response to Update App is JSON with a strong ETag',
        'A response to Get App is JSON with a strong ETag',
      ],
    },
    'has no request id': {
      response: ({ headers }) => delete headers['x-request-id'],
      breaks: ['Every response has its own X-Request-Id', 'Every refusal is problem details'],
    },
    'sends problems as plain JSON': {
      response: ({ headers, status }) => {
        if (status >= 400) headers['content-type'] = 'application/json';
      },
      breaks: ['Every refusal is problem details'],
    },
    'reports the first error only': {
      ...problems((problem) => {
        problem.errors = problem.errors?.slice(0, 1);
      }),
      breaks: ['One response reports every error', 'A field that is unknown', 'Null for a required field'],
    },
    'does not escape pointers': {
      ...problems((problem) => {
        for (const error of problem.errors ?? []) error.pointer = error.pointer.replace('~1', '/').replace('~0', '~');
      }),
      breaks: ['A field that is unknown'],
    },
    'writes problems in Latin-1': {
      response: (response) => {
        if (response.status === 422) response.body = Buffer.from(response.body.toString(), 'latin1');
      },
      breaks: ['A field that is unknown'],
    },
    'normalises texts': {
      request: (request) => {
        request.body = Buffer.from(request.body.toString().normalize('NFKC'));
      },
      breaks: ['Every valid text is returned exactly'],
    },
    'lets the last of two fields of one name win': {
      request: (request) => {
        try {
          changeJson(request, () => {});
        } catch {}
      },
      breaks: ['A body with two fields of one name'],
    },
    'ignores If-Match': {
      request: ({ headers }) => delete headers['if-match'],
      breaks: ['An update with an If-Match that does not match', 'An ETag of Update App does not match again'],
    },
    'ignores If-None-Match': {
      request: ({ headers }) => delete headers['if-none-match'],
      breaks: ['An update with a matching If-None-Match', 'Get App with a matching If-None-Match'],
    },
    'ignores Idempotency-Key': {
      request: ({ headers }) => delete headers['idempotency-key'],
      breaks: ['A retry with the same Idempotency-Key', 'A key that was used for another update'],
    },
    'does not challenge': {
      response: ({ headers }) => delete headers['www-authenticate'],
      breaks: ['Get App without a token', 'Update App with a token of another kind'],
    },
    'distinguishes a foreign app from an unknown one': {
      response: (response, { headers }) => {
        if (headers.authorization?.endsWith(options.otherDeveloperToken ?? '')) response.status = 403;
      },
      breaks: ['An app of another developer'],
    },
    'does not name its methods': {
      response: ({ headers }) => delete headers.allow,
      breaks: ['An unsupported method gets 405', 'OPTIONS gets 204'],
    },
    'does not know HEAD': {
      response: (response, { method }) => {
        if (method === 'HEAD') response.status = 405;
      },
      breaks: ['HEAD returns the headers of Get App'],
    },
    'takes any media type': {
      request: ({ headers }) => Object.assign(headers, { 'content-type': 'application/json' }),
      breaks: ['A body of another media type'],
    },
    'allows the names of other apps': { ...statuses({ 409: 200 }), breaks: ['The name of another app'] },
  };
  for (const [what, { breaks, ...deviation }] of Object.entries(deviations)) {
    test(what, async () => {
      const names = breaks.map(nameOf);
      assert.deepEqual((await failing(deviation, { profile: 'full', only: names })).toSorted(), names.toSorted());
    });
  }
});

describe('the app', () => {
  const listingInfo = {
    backgroundColor: '#abcdef',
    shortDescription: '{app} is no placeholder',
    longDescription: 'Long.',
  };
  const contentOf = async (id: string) => {
    const { updatedAt: _, ...content } = await registry.client().developer.apps.current(id);
    return content;
  };

  test('is restored after guarantees have failed', async () => {
    const app = await registry.data.newApp({ listingInfo, oauthInfo: { loginUrl: 'https://before.example/' } });
    const before = await contentOf(app.id);
    assert.notDeepEqual(await failing(statuses({ 422: 200 }), { appId: app.id }), []);
    assert.deepEqual(await contentOf(app.id), before);
  });

  test('is restored after an interrupted run, which is reported', async () => {
    const app = await registry.data.newApp({ listingInfo });
    const before = await contentOf(app.id);
    const interruption = new AbortController();
    server.deviation = {};
    const { results, failures } = await runConformance({
      ...options,
      appId: app.id,
      signal: interruption.signal,
      onResult: ({ name }) => name.startsWith('A field that an update omits inside') && interruption.abort(),
    });
    assert.ok(results.length > 5 && results.length < 20);
    assert.deepEqual(failures, ['The run was interrupted.']);
    assert.deepEqual(await contentOf(app.id), before);
  });

  test('is reported with its content if the server refuses to restore it', async () => {
    const app = await registry.data.newApp({ name: 'Never restored' });
    server.deviation = updates((update) => {
      for (const field of Object.keys(update.oauthInfo ?? {})) {
        if (update.oauthInfo[field] === null) delete update.oauthInfo[field];
      }
    });
    const { failures } = await runConformance({ ...options, appId: app.id });
    assert.equal(failures.length, 1);
    assert.match(
      failures[0] ?? '',
      /^The app was not restored\. It was .*Never restored.*"\/oauthInfo\/loginUrl":null/,
    );
  });

  test('keeps its own logo: guarantees that would change it are skipped', async () => {
    const app = await registry.data.newApp();
    await registry.client().developer.apps.update(app.id, { logoId: options.logoId ?? '' });
    const before = await contentOf(app.id);
    server.deviation = {};
    const { results, failures } = await runConformance({
      ...options,
      appId: app.id,
      only: ['logoId'],
      profile: 'full',
    });
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['skipped', 'skipped'],
    );
    assert.deepEqual([failures, await contentOf(app.id)], [[], before]);
  });

  test('is refused if it awaits review or cannot be read', async () => {
    const underReview = await registry.data.newApp({ status: 'AWAITING_REVIEW' });
    server.deviation = {};
    for (const [given, message] of [
      [{ appId: underReview.id }, /awaits review/],
      [{ appId: 'app_unknown' }, /cannot be read.*404/],
      [{ appId: underReview.id, baseUrl: 'http://127.0.0.1:1' }, /cannot be reached/],
    ] as const) {
      await assert.rejects(runConformance({ ...options, ...given }), { name: 'ConformanceError', message });
    }
  });
});

test('a guarantee without a required option is skipped, with the reason', async () => {
  const app = await registry.data.newApp({ status: 'APPROVED' });
  const { otherDeveloperToken: _, otherAppId: __, logoId: ___, ...given } = options;
  await registry.client().developer.apps.update(app.id, { logoId: options.logoId ?? '' });
  const { results } = await runConformance({ ...given, baseUrl: registry.baseUrl, appId: app.id, profile: 'full' });
  assert.deepEqual(
    new Set(results.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason)),
    new Set([
      'needs a token of another developer',
      'needs another app',
      'needs a logo of the developer, and an app without one',
      'needs an app without a logo',
      'needs an app that is installed',
      'needs an app that is a DRAFT',
    ]),
  );
  assert.equal(
    results.find(({ outcome }) => outcome === 'fails'),
    undefined,
  );
});

test('after a 429 the run waits for Retry-After', async () => {
  const waits: number[] = [];
  let requests = 0;
  const limited = {
    response: (response: ForwardedResponse) => {
      requests += 1;
      if (requests % 3 === 0)
        Object.assign(response, { status: 429, headers: { 'retry-after': '0' }, body: Buffer.of() });
    },
  };
  assert.deepEqual(await failing(limited, { only: ['Null'], onWait: (seconds) => waits.push(seconds) }), []);
  assert.ok(waits.length > 3 && waits.every((seconds) => seconds === 0));
});

test('no guarantee holds for a server that always fails', async () => {
  let requests = 0;
  const broken: Deviation = {
    response: (response) => {
      requests += 1;
      // The run starts with a read of each view.
      if (requests > 2) Object.assign(response, { status: 500, body: Buffer.from('{}') });
    },
  };
  const names = guarantees.map(({ name }) => name);
  assert.deepEqual(await failing(broken, { profile: 'full' }), names);
});

test('a response that never completes breaks a guarantee, with the cause', async () => {
  server.deviation = {
    response: (response, { method }) => {
      if (method === 'HEAD') response.headers = { 'content-length': 'none' };
    },
  };
  const app = await registry.data.newApp();
  const { results } = await runConformance({ ...options, appId: app.id, profile: 'full', only: ['HEAD returns'] });
  const [breach] = results[0]?.breaches ?? [];
  assert.deepEqual(
    breach?.mismatches.map(({ part }) => part),
    ['response'],
  );
});

test('every guarantee has a unique name, and names sections that exist', async () => {
  const reference = await readFile(new URL('../../../../docs/interface.md', import.meta.url), 'utf8');
  assert.equal(new Set(guarantees.map(({ name }) => name)).size, guarantees.length);
  for (const { name, source } of guarantees) {
    assert.match(name, /^\S.*\.$/);
    const [, numbers = '', heading = ''] = /^(?:interface [\d., rule]+|(?:.*, )?docs (\d[\d., ]*)([A-Z].*)?)$/.exec(
      source,
    ) ?? [name];
    for (const number of numbers.match(/\d+(?:\.\d+)?/g) ?? [])
      assert.match(reference, new RegExp(`^##+ ${number}\\.? `, 'm'), source);
    if (heading) assert.match(reference, new RegExp(`^#### ${heading}$`, 'm'));
  }
});

/** The names of the guarantees that fail, with a new app. */
async function failing(deviation: Deviation, given: Partial<ConformanceOptions> = {}): Promise<string[]> {
  const app = await registry.data.newApp();
  await registry.data.install(app);
  server.deviation = deviation;
  const { results } = await runConformance({ ...options, appId: app.id, ...given });
  return results.filter(({ outcome }) => outcome === 'fails').map(({ name }) => name);
}

function nameOf(beginning: string): string {
  const names = guarantees.map(({ name }) => name).filter((name) => name.startsWith(beginning));
  assert.equal(names.length, 1, `${beginning}: ${names}`);
  return names[0] ?? '';
}

/** Changes each view that is returned. */
function views(change: JsonChange): Deviation {
  return { response: (response) => response.status === 200 && changeJson(response, change) };
}

function problems(change: JsonChange): Deviation {
  return { response: (response) => response.status >= 400 && response.body.length > 0 && changeJson(response, change) };
}

function updates(change: JsonChange): Deviation {
  return { request: (request) => request.method === 'PATCH' && changeJson(request, change) };
}

function statuses(instead: Record<number, number>): Deviation {
  return {
    response: (response: ForwardedResponse) => {
      response.status = instead[response.status] ?? response.status;
    },
  };
}

/** Performs the update of another client, without a token. */
function refuseLate({ method, headers }: ForwardedRequest): void {
  const token = method === 'PATCH' ? options.developerToken : 'unknown';
  Object.assign(headers, { authorization: `Bearer ${token}`, late: method === 'PATCH' ? 'yes' : '' });
}

let time = Date.now();
function nextTime(): string {
  time += 1;
  return new Date(time).toISOString();
}
