import { demoLogo } from '../../../server/src/cli/dev/demo-data.ts';
import type { NewAccessToken } from '../../../server/src/features/access/access-token.ts';
import type { NewApp, OperatorApp } from '../../../server/src/features/apps/app-schemas.ts';
import type { ReviewStatus, ReviewStep } from '../../../server/src/features/apps/review/review-status.ts';
import type { OperatorDeveloper } from '../../../server/src/features/developers/developer.ts';
import { appendEvent } from '../../../server/src/features/events/append-event.ts';
import { listEventsOfApp } from '../../../server/src/features/events/event-queries.ts';
import type { Installation } from '../../../server/src/features/installations/installation.ts';
import { type Logo, logoView, renderLogo } from '../../../server/src/features/logos/logo.ts';
import { insertLogo } from '../../../server/src/features/logos/logo-queries.ts';
import { type OpeningOptions, openRegistry } from '../../../server/src/features/settings/settings.ts';
import { newId } from '../../../server/src/kernel/ids.ts';
import { commandLine, type Registry, type RegistrySettings } from '../../../server/src/kernel/registry.ts';
import { type Clocks, hostClock } from '../../../server/src/kernel/time.ts';
import { openStorage } from '../../../server/src/storage/open-storage.ts';
import type { EventRow } from '../../../server/src/storage/tables.ts';
import { createToken } from '../calls/access.ts';
import { createApp } from '../calls/apps.ts';
import { createDeveloper } from '../calls/developers.ts';
import { createInstallation } from '../calls/installations.ts';
import { reviewApp } from '../calls/review.ts';
import type { Engine, TestDatabase } from '../engines/engines.ts';

/** A clock that a test sets is right, and the machine runs as long, unless the test sets that too. */
export interface RegistryFixtureSettings extends Partial<RegistrySettings>, Partial<Clocks>, OpeningOptions {}

const stepsTo: Record<ReviewStatus, ReviewStep[]> = {
  DRAFT: [],
  AWAITING_REVIEW: ['submit'],
  APPROVED: ['submit', 'approve'],
  REJECTED: ['submit', 'reject'],
};

/** What `newLogo` stores, drawn once for all tests of a process. */
let drawnLogo: Promise<Uint8Array> | undefined;

const neverBlocked = { blocked_at: null, blocked_reason: null, updated_at: null };

/** A registry on a new database with two developers. All data but logos is created through the registry's operations. */
export class RegistryFixture {
  readonly registry: Registry;
  readonly databaseUrl: string;
  readonly developer: OperatorDeveloper;
  readonly otherDeveloper: OperatorDeveloper;
  readonly #database: TestDatabase;
  #appsCreated = 0;

  static async open(engine: Engine, settings: RegistryFixtureSettings = {}): Promise<RegistryFixture> {
    const database = await engine.createMigratedDatabase();
    const { now, machine = now && { bootId: 'boot', uptimeMs: now }, ...overrides } = settings;
    const clocks = { now: now ?? Date.now, machine: machine ?? hostClock };
    const registry = await openRegistry(
      await openStorage(database.url, { create: true }),
      { ...defaults, ...overrides },
      clocks,
    );
    const developers = [
      await createDeveloper(registry, commandLine, {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
      }),
      await createDeveloper(registry, commandLine, { email: 'grace@example.com' }),
    ] as const;
    return new RegistryFixture(registry, developers, database);
  }

  private constructor(
    registry: Registry,
    [developer, otherDeveloper]: readonly [OperatorDeveloper, OperatorDeveloper],
    database: TestDatabase,
  ) {
    this.registry = registry;
    this.developer = developer;
    this.otherDeveloper = otherDeveloper;
    this.databaseUrl = database.url;
    this.#database = database;
  }

  /** Creates an app. By default it belongs to the first developer and has a unique name. */
  async newApp({
    status = 'DRAFT',
    ...content
  }: Partial<NewApp> & { status?: ReviewStatus } = {}): Promise<OperatorApp> {
    this.#appsCreated += 1;
    const input = { developerId: this.developer.id, name: `App ${this.#appsCreated}`, ...content };
    // Those that steps return do not have these two.
    const { warnings: _, reviewSteps: __, ...created } = await createApp(this.registry, commandLine, input);
    let app: OperatorApp = created;
    for (const step of stepsTo[status]) app = await this.review(app.id, step);
    return app;
  }

  review(appId: string, step: ReviewStep): Promise<OperatorApp> {
    return reviewApp(this.registry, commandLine, {
      appId,
      step,
      ...(['reject', 'reject-change', 'revoke'].includes(step)
        ? { details: { message: 'The description says too little.' } }
        : {}),
    });
  }

  /** Stores a logo as an upload would, without the process that each upload starts to draw its image. */
  async newLogo(developerId = this.developer.id): Promise<Logo> {
    const { registry } = this;
    drawnLogo ??= renderLogo(demoLogo(0x0b5fff, 0xffc53d));
    const [id, png, at] = [newId('logo'), await drawnLogo, registry.now()];
    const logo = { id, developer_id: developerId, png, created_at: at, ...neverBlocked };
    await registry.storage.write(async (transaction) => {
      await insertLogo(transaction, logo);
      const event = { type: 'logo.created', subjectId: id, after: { developerId } } as const;
      await appendEvent(transaction, { caller: commandLine, at, ...event });
    });
    return logoView(registry, logo);
  }

  /** Installs an app in a new workspace as its developer, who may install it in any status. */
  install(app: OperatorApp): Promise<Installation> {
    return createInstallation(this.registry, commandLine, {
      appId: app.id,
      workspaceId: newId('workspace'),
      userId: app.developerId,
    });
  }

  /** Issues a token. By default a developer token belongs to the first developer, and an operator token has all scopes. */
  async newToken(
    kind: NewAccessToken['kind'],
    given: Partial<NewAccessToken> = {},
  ): Promise<{ id: string; token: string }> {
    const developerId = kind === 'developer' ? { developerId: this.developer.id } : {};
    const scopes: Partial<NewAccessToken> = kind === 'operator' ? { scopes: ['admin'] } : {};
    return createToken(this.registry, commandLine, { kind, ...developerId, ...scopes, ...given });
  }

  eventsOf(appId: string): Promise<EventRow[]> {
    return listEventsOfApp(this.registry.storage.reader, { appId });
  }

  async close(): Promise<void> {
    await this.registry.storage.close();
    await this.#database.drop();
  }
}

const defaults: RegistrySettings = {
  logoBaseUrl: 'https://apps.example.com/logos',
  workspaceIdPrefix: 'workspace',
  userIdPrefix: 'user',
  webhookAllowPrivate: false,
};
