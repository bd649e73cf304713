import { checkValue } from '../../../kernel/check.ts';
import { Failure, invalidContent, requireAppId, throwIfInvalid } from '../../../kernel/failure.ts';
import { findFirstResult, writeIdempotently } from '../../../kernel/idempotency.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { Caller, Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { readEventIds } from '../../events/event-ids.ts';
import { changedContentColumns, requireOwnLogo } from '../app-content.ts';
import { operatorView } from '../app-view.ts';
import { changeAppContent, isClaimed } from '../change-app-content.ts';
import { approvedContent } from '../content-snapshot.ts';
import type { OperatorApp } from '../operator-app.ts';
import type { RevisionCondition } from '../revision-condition.ts';
import { changesToApproved, lockApp } from '../store-app.ts';
import { findRevision, findRevisionAt } from './find-revision.ts';
import { readHistory } from './read-history.ts';
import { Revert } from './revision.ts';

export interface RevertInput extends RevisionCondition {
  appId: string;
  revert: unknown;
}

/** The content to bring back, with a logo that the present developer has. */
interface Target {
  revision: number;
  content: AppContent;
}

const targets = ['toApproved', 'toRevision', 'toTime'] as const;

/**
 * Restores earlier content of an app as a new revision, by the rules of an update. Refuses with `invalid_content`,
 * `app_not_found`, `revision_not_found`, `revision_archived` or `app_not_approved`, and as an update does.
 */
export async function revertApp(
  registry: Registry,
  caller: Caller,
  { appId, revert: input, ...condition }: RevertInput,
): Promise<OperatorApp> {
  const revert = readRevert(registry, input);
  requireAppId(appId);
  const request = { content: ['revertApp', appId, revert, condition] };
  const first = await findFirstResult<OperatorApp>(registry, caller, request);
  if (first) return first;
  // Before the write: a revision never changes, and the walk to an old one would make all other writes wait.
  const found = revert.toApproved ? null : await findTarget(registry, appId, revert);
  try {
    return await writeIdempotently(registry, caller, {
      ...request,
      work: async (transaction) => {
        const [app, mode, nextEventId] = await Promise.all([
          lockApp(transaction, appId),
          changesToApproved(transaction),
          readEventIds(transaction),
        ]);
        const { revision, content } = found ?? approvedTarget(app);
        const given = pick(content, changedContentColumns(app, content));
        await requireUsableLogo(transaction, { app, given, revert });
        const change = { transaction, app, mode, nextEventId, given, revert: { toRevision: revision }, ...condition };
        const why = { ...caller, reason: revert.reason ?? caller.reason };
        const changed = await changeAppContent(registry, why, change);
        return operatorView(registry, changed.app, mode);
      },
    });
  } catch (error) {
    throw isClaimed(error) ? nameTaken() : error;
  }
}

function nameTaken(): Failure {
  return new Failure(
    'name_taken',
    'Another app has the name in this content. Choose other content, or have one of the apps renamed.',
  );
}

/** Collects every error, also when more or less than one target is given. */
function readRevert({ now }: Registry, input: unknown): Revert {
  const { value, errors } = checkValue(Revert, input);
  const given = targets.filter((name) => typeof input === 'object' && input !== null && name in input);
  const all: ValidationError[] = [...(errors ?? [])];
  if (given.length === 0) all.push({ pointer: '', code: 'required', detail: oneTarget });
  if (given.length > 1)
    all.push(...given.map((name) => ({ pointer: `/${name}`, code: 'not_allowed', detail: oneTarget }) as const));
  if (value?.toTime !== undefined && Date.parse(value.toTime) > now()) {
    all.push({ pointer: '/toTime', code: 'not_allowed', detail: 'The value must not be in the future.' });
  }
  throwIfInvalid(all);
  return value as Revert;
}

const oneTarget = 'Give exactly one of toApproved, toRevision and toTime.';

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
