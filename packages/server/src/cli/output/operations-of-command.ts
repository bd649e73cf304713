import type { Command } from 'commander';
import { operatorOperations } from '../../features/operations.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

/** What a command runs: the operations that declare its name. */
export function operationsOf(command: Command): AnyOperation[] {
  const name = commandName(command);
  return Object.values<AnyOperation>(operatorOperations).filter(({ command: declared }) => declared?.name === name);
}

/** Whether a command changes nothing in the registry: each of its operations only reads. */
export function isRead(command: Command): boolean {
  const operations = operationsOf(command);
  return operations.length > 0 && operations.every(({ method }) => method === 'GET');
}

/** The name of a command below the program, as in `app create`. */
export function commandName(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandName(parent)} ${command.name()}` : command.name();
}
