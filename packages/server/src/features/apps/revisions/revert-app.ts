import Type from 'typebox';
import { check } from '../../../kernel/check.ts';
import { Failure, invalidContent } from '../../../kernel/failure.ts';
import { findFirstResult, write } from '../../../kernel/idempotency.ts';
import { requireAppId } from '../../../kernel/ids.ts';
import { byId, operation } from '../../../kernel/operation.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { DateTime } from '../../../kernel/text.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { readEventIds } from '../../events/append-event.ts';
import { approvedContent, changedContentColumns } from '../app-content.ts';
import { OperatorApp } from '../app-schemas.ts';
import { operatorView } from '../app-view.ts';
import { changeAppContent, isClaimed, lockApp, readChangesToApproved, requireOwnLogo } from '../change-app.ts';
import { findRevision, findRevisionAt, readHistory } from './revision-history.ts';
import { getAppRevision, listAppRevisions } from './revisions.ts';

const targets = ['toApproved', 'toRevision', 'toTime'] as const;

/** What to bring back: exactly one of the first three. */
const Revert = Type.Object(
  {
    toApproved: Type.Optional(Type.Literal(true, { description: 'Restore the last approved content.' })),
    toRevision: Type.Optional(Type.Integer({ minimum: 1, description: 'Restore the content of this revision.' })),
    toTime: Type.Optional(Type.String({ ...DateTime, description: 'Restore the content at this time.' })),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        format: 'reason',
        description: 'The reason, recorded in the event.',
        examples: ['The account of the developer was taken over.'],
      }),
    ),
  },
  {
    $id: 'Revert',
    additionalProperties: false,
    description: 'Exactly one of `toApproved`, `toRevision` and `toTime` is required.',
  },
);
export type Revert = Type.Static<typeof Revert>;

/** Restores earlier content of an app as a new revision, by the rules of an update, and refuses as an update does. */
export const revertApp = operation({
  id: 'revertApp',
  method: 'POST',
  path: '/operator/v1/apps/:id/revert',
  summary: 'Restore earlier content of an app as a new revision',
  description:
    'Restores the last approved content, a revision, or the content at a time, by the rules of an update. Approved content needs no further decision; any other content of an approved app is a change to review. Restoring the current content changes nothing.',
  scope: 'review',
  body: Revert,
  bodyErrors: targetErrors,
  ifMatch: true,
  response: OperatorApp,
  refusals: [
    'app_not_found',
    'revision_not_found',
    'revision_archived',
    'app_not_approved',
    'app_under_review',
    'name_taken',
  ],
  command: {
    name: 'app revert',
    description:
      'Restore earlier content of an app as a new revision. For an approved app, content other than the approved content awaits review. Give exactly one of --to-approved, --to-revision and --to-time.',
    arguments: { id: 'the app id' },
    options: {
      toApproved: 'restore the last approved content',
      toRevision: '<number> restore the content of this revision',
      toTime: '<time> restore the content at a UTC time such as 2026-03-01T09:30:00Z',
      revision: 'the current revision, by number or ETag; fails if the app has changed since',
    },
    examples: [
      'app-registry app revert app_01jq3v9y6ae0xv5m6b7k8c9d0e --to-approved --reason "The account was taken over."',
      'app-registry app revert app_01jq3v9y6ae0xv5m6b7k8c9d0e --to-revision 7',
      'app-registry app revert app_01jq3v9y6ae0xv5m6b7k8c9d0e --to-time 2026-03-01T09:30:00Z',
    ],
  },
  async run({ registry, caller, params: { id: appId }, body: revert, ifRevision, unlessRevision }) {
    requireAppId(appId);
    const content = caller.idempotency?.content ?? [];
    const first = await findFirstResult<OperatorApp>(registry, caller, { content });
    if (first) return first;
    // Before the write: a revision never changes, and the walk to an old one would make all other writes wait.
    const found = revert.toApproved ? null : await findTarget(registry, appId, revert);
    return write(registry, caller, async (transaction) => {
      const [app, changesToApproved, nextEventId] = await Promise.all([
        lockApp(transaction, appId),
        readChangesToApproved(transaction),
        readEventIds(transaction),
      ]);
      const target = found ?? approvedTarget(app);
      const given = pick(target.content, changedContentColumns(app, target.content));
      await requireUsableLogo(transaction, { app, given, revert });
      const why = { ...caller, reason: revert.reason ?? caller.reason };
      const changed = await changeAppContent(registry, why, {
        ...{ transaction, app, changesToApproved, nextEventId, given, ifRevision, unlessRevision },
        revert: { toRevision: target.revision },
      });
      return operatorView(registry, changed.app, changesToApproved);
    }).catch((error: unknown) => {
      throw isClaimed(error) ? nameTaken() : error;
    });
  },
});

/** The history of an app's content. */
export const revisionOperations = byId(listAppRevisions, getAppRevision, revertApp);

const oneTarget = 'Give exactly one of toApproved, toRevision and toTime.';

function targetErrors(input: unknown, { now }: Registry): ValidationError[] {
  const body: Partial<Revert> = Object(input);
  const given = targets.filter((name) => body[name] !== undefined);
  const errors: ValidationError[] = [];
  if (given.length === 0) errors.push({ pointer: '', code: 'required', detail: oneTarget });
  if (given.length > 1) {
    errors.push(...given.map((name) => ({ pointer: `/${name}`, code: 'not_allowed', detail: oneTarget }) as const));
  }
  if (body.toTime !== undefined && check(Revert, input) === null && Date.parse(body.toTime) > now()) {
    errors.push({ pointer: '/toTime', code: 'not_allowed', detail: 'The value must not be in the future.' });
  }
  return errors;
}

/** The content to bring back, with a logo that the present developer has. */
interface Target {
  revision: number;
  content: AppContent;
}

async function findTarget(registry: Registry, appId: string, { toRevision, toTime }: Revert): Promise<Target> {
  return readHistory(registry, appId, async (snapshot, app) => {
    const { revision, content, logoId } =
      toTime === undefined
        ? await findRevision(registry, snapshot, { app, name: toRevision ?? 0 })
        : await findRevisionAt(snapshot, { app, time: Date.parse(toTime) });
    return { revision, content: { ...content, logo_id: logoId } };
  });
}

function approvedTarget(app: AppRow): Target {
  const { approved_revision: revision } = app;
  const content = approvedContent(app);
  if (content && revision !== null) return { revision, content };
  throw new Failure(
    'app_not_approved',
    'The app was never approved, so it has no approved content. List its revisions, and give one of them or a time.',
  );
}

interface GivenLogo {
  app: AppRow;
  given: Partial<AppContent>;
  revert: Revert;
}

async function requireUsableLogo(transaction: Connection, { app, given, revert }: GivenLogo): Promise<void> {
  try {
    await requireOwnLogo(transaction, given.logo_id, app.developer_id);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const target = targets.find((name) => revert[name] !== undefined);
    throw invalidContent([
      {
        pointer: `/${target}`,
        code: 'unusable_logo',
        detail:
          'The logo in this content can no longer be used. Choose other content, or restore the other fields with an update.',
      },
    ]);
  }
}

function pick(content: AppContent, columns: readonly (keyof AppContent)[]): Partial<AppContent> {
  return Object.fromEntries(columns.map((column) => [column, content[column]]));
}

function nameTaken(): Failure {
  return new Failure(
    'name_taken',
    'Another app has the name in this content. Choose other content, or have one of the apps renamed.',
  );
}
