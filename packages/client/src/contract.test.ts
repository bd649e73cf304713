import { test } from 'node:test';
import type { EventType as ContractEventType, Event } from '../../server/src/contract/event.ts';
import type { AppRegistryEvent, EventType } from './event.ts';

test('the events are those of the contract of the server, type for type and member for member', () => {
  // The compiler checks it. Its first error names the types that differ, the others say in what.
  const differing: [Differing] extends [never] ? 'none' : Differing = 'none';
  const fromContract: (event: Event) => AppRegistryEvent = (event) => event;
  const toContract: (event: AppRegistryEvent) => Event = (event) => event;
  void [differing, fromContract, toContract];
});

type Here = ByType<AppRegistryEvent>;
type There = ByType<Event>;
type Differing = {
  [Type in EventType | ContractEventType]: Type extends keyof Here & keyof There
    ? Identical<Here[Type], There[Type]> extends true
      ? never
      : Type
    : Type;
}[EventType | ContractEventType];

/** Each event written out, however its type was put together. */
type ByType<Union extends { type: string }> = { [Each in Union as Each['type']]: Written<Each> };
type Written<T> = T extends readonly (infer Item)[]
  ? Written<Item>[]
  : T extends object
    ? { [Member in keyof T]: Written<T[Member]> }
    : T;

/** Stricter than assignable both ways, which does not see that an optional member is missing. */
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
