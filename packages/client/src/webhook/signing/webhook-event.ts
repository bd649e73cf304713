import type { EventOf, EventType } from '../../event.ts';
import { newId } from './new-id.ts';
import { sampleData } from './sample-data.ts';

/**
 * The fields of an event that a test sets. `data` is replaced as a whole.
 *
 * @example
 * const fields: EventFields<'app.approved'> = { appId, actor: 'command-line:demo' };
 * console.log(webhookEvent('app.approved', fields).subjectId);
 */
export type EventFields<Type extends EventType> = {
  [Field in keyof Omit<EventOf<Type>, 'type'>]?: EventOf<Type>[Field];
};

/**
 * An event of a type, to test a receiver. Each has a new id, the current time, and data as a registry could send it.
 *
 * @example
 * const installed = webhookEvent('installation.created', {
 *   appId,
 *   data: { after: { workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0', userId, enabled: true } },
 * });
 * console.log(installed.data.after.workspaceId);
 */
export function webhookEvent<Type extends EventType>(type: Type, fields: EventFields<Type> = {}): EventOf<Type> {
  const [subject = ''] = type.split('.');
  const concernsApp = subject === 'app' || subject === 'installation';
  const { appId = concernsApp ? newId('app') : undefined } = fields;
  const subjectId = subject === 'app' && appId ? appId : newId(subject);
  return {
    id: newId('event'),
    type,
    timestamp: new Date().toISOString(),
    actor: 'command-line:test',
    ...(appId === undefined ? {} : { appId }),
    subjectId,
    data: structuredClone(sampleData[type]),
    ...fields,
  } as EventOf<Type>;
}
