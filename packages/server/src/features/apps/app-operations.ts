import { byId } from '../../kernel/operation.ts';
import { deleteApp, listDeletedApps, restoreApp } from './deleted-apps.ts';
import { createApp, getAppAsOperator, listApps, updateAppAsOperator } from './operator-apps.ts';
import { transferApp } from './transfer-app.ts';

/** Apps of any developer. */
export const appOperations = byId(
  listApps,
  createApp,
  getAppAsOperator,
  updateAppAsOperator,
  deleteApp,
  listDeletedApps,
  restoreApp,
  transferApp,
);
