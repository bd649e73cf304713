import type { Logo } from '../../../server/src/features/logos/logo.ts';
import { logoOperations } from '../../../server/src/features/logos/logos.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function listLogos(registry: Registry, query: unknown) {
  return runOperation(logoOperations.listLogos, registry, { caller: commandLine, query: Object(query) });
}

export function createLogo(registry: Registry, caller: Caller, body: unknown): Promise<Logo> {
  return runOperation(logoOperations.createLogo, registry, { caller, body });
}

export function blockLogo(
  registry: Registry,
  caller: Caller,
  { id, block }: { id: string; block: unknown },
): Promise<Logo> {
  return runOperation(logoOperations.blockLogo, registry, { caller, params: { id }, body: block });
}

export function unblockLogo(registry: Registry, caller: Caller, id: string): Promise<Logo> {
  return runOperation(logoOperations.unblockLogo, registry, { caller, params: { id } });
}

export function deleteLogo(registry: Registry, caller: Caller, id: string): Promise<Logo> {
  return runOperation(logoOperations.deleteLogo, registry, { caller, params: { id } });
}
