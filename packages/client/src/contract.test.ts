import { test } from 'node:test';
import type * as app from '../../server/src/features/apps/app-schemas.ts';
import type * as appUpdate from '../../server/src/features/apps/app-schemas.ts';
import type { EventType as ContractEventType, Event } from '../../server/src/features/events/event.ts';
import type { PageOf as ContractPageOf } from '../../server/src/kernel/page.ts';
import type * as problem from '../../server/src/kernel/problem-details.ts';
import type { AppRegistryEvent, EventType } from './event.ts';
import type { PageOf } from './page.ts';
import type {
  AppUpdate,
  Developer,
  DeveloperApp,
  Installation,
  ListingInfo,
  ListingInfoUpdate,
  OauthInfo,
  OauthInfoUpdate,
  PlatformApp,
  ReviewStatus,
} from './types/app.ts';
import type { Problem, ProblemCode, ValidationError, ValidationErrorCode } from './types/problem.ts';

// The compiler checks both. Its first error names the type that differs, the others show the difference.

test('the events match the contract of the server, type by type and field by field', () => {
  const differing: None<Differing<ByType<AppRegistryEvent>, ByType<Event>>> = 'none';
  const fromContract: (event: Event) => AppRegistryEvent = (event) => event;
  const toContract: (event: AppRegistryEvent) => Event = (event) => event;
  const types: [Exclude<EventType, ContractEventType>, Exclude<ContractEventType, EventType>] extends [never, never]
    ? true
    : false = true;
  void [differing, fromContract, toContract, types];
});

test('the views, updates and problems match the contract of the server', () => {
  const differing: None<Differing<ClientTypes, ContractTypes>> = 'none';
  const fromContract: (view: app.PlatformApp & app.DeveloperApp) => PlatformApp & DeveloperApp = (view) => view;
  const toContract: (update: Written<AppUpdate>) => appUpdate.AppUpdate = (update) => update;
  void [differing, fromContract, toContract];
});

interface ClientTypes {
  developerApp: DeveloperApp;
  platformApp: PlatformApp;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
  developer: Developer;
  installation: Installation;
  reviewStatus: ReviewStatus;
  appUpdate: AppUpdate;
  listingInfoUpdate: ListingInfoUpdate;
  oauthInfoUpdate: OauthInfoUpdate;
  problem: Omit<Problem, 'code' | 'errors'>;
  problemCode: ProblemCode;
  validationError: Omit<ValidationError, 'code'>;
  validationErrorCode: ValidationErrorCode;
  page: PageOf<string>;
}

interface ContractTypes {
  developerApp: app.DeveloperApp;
  platformApp: app.PlatformApp;
  listingInfo: app.DeveloperApp['listingInfo'];
  oauthInfo: app.DeveloperApp['oauthInfo'];
  developer: app.PlatformApp['developer'];
  installation: app.PlatformApp['installations'][number];
  reviewStatus: app.DeveloperApp['reviewStatus'];
  appUpdate: appUpdate.AppUpdate;
  listingInfoUpdate: NonNullable<appUpdate.AppUpdate['listingInfo']>;
  oauthInfoUpdate: NonNullable<appUpdate.AppUpdate['oauthInfo']>;
  // Only the codes of the two operations.
  problem: Omit<problem.Problem, 'code' | 'errors'>;
  problemCode: keyof typeof problem.interfaceProblemTitles | (string & {});
  // The operator API has errors of a query too.
  validationError: Omit<problem.OperatorValidationError, 'code'>;
  validationErrorCode: (typeof problem.interfaceValidationErrorCodes)[number] | (string & {});
  page: ContractPageOf<string>;
}

type None<Names> = [Names] extends [never] ? 'none' : Names;
type Differing<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B
    ? Identical<Written<A[Name]>, Written<B[Name]>> extends true
      ? never
      : Name
    : Name;
}[keyof A | keyof B];

type ByType<Union extends { type: string }> = { [Each in Union as Each['type']]: Each };

/** Flattens a type, however it was composed. Undefined counts as absent, as in JSON. */
type Written<T> = T extends readonly (infer Item)[]
  ? Written<Item>[]
  : T extends object
    ? { [Field in keyof T]: Written<Exclude<T[Field], undefined>> }
    : T;

/** Stricter than mutual assignability, which does not notice a missing optional field. */
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
