import type { Command } from 'commander';
import { operatorOperations } from '../../features/operations.ts';
import type { OperatorOperation } from '../../kernel/operation.ts';
import { operationCommands } from '../operation-commands.ts';
import { commandName } from './command-name.ts';

const operations: Record<string, OperatorOperation> = operatorOperations;

/** Whether a command changes nothing in the registry: each of its operations only reads. */
export function isRead(command: Command): boolean {
  const name = commandName(command);
  const ids = Object.entries(operationCommands).flatMap(([id, by]) => (by === name ? [id] : []));
  return ids.length > 0 && ids.every((id) => operations[id]?.method === 'GET');
}
