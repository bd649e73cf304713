import { type OperatorOperationId, operatorOperations } from '../../src/features/operations.ts';
import { type AnyOperation, refusalsOf } from '../../src/kernel/operation.ts';
import type { ProblemCode } from '../../src/kernel/problem-details.ts';
import { none } from './fixture-objects.ts';

/** What a request to the operator API contains. A command is derived from it (`fixture-command.ts`). */
export interface OperationRequest {
  /** The first parameter of the path. */
  id?: string;
  /** The second one. */
  item?: string;
  query?: Record<string, string | number | boolean | readonly string[]>;
  body?: Record<string, unknown>;
  /** The image is one of `images`. */
  form?: { developerId: string; image: string };
  /** The revision whose tag is sent: of a decision in its body, otherwise as `If-Match`. */
  revision?: number;
  /** Commands have none. */
  idempotencyKey?: string;
}

/** A request, and the calls that prepare it. */
interface FixtureRequest extends OperationRequest {
  given?: Given[];
}

export type Given = [operationId: OperatorOperationId, request: OperationRequest];

/** The requests of an operation. They run in this order, on a registry with the objects of `fixture-objects.ts`. */
export interface OperationFixture {
  /** Requests that succeed. Together they have every parameter. */
  done: FixtureRequest[];
  /** Requests that are refused, by the code of the refusal, beside those of `refusalsOfEvery`. */
  refused?: Partial<Record<ProblemCode, FixtureRequest | FixtureRequest[]>>;
}

export type OperationFixtures = Partial<Record<OperatorOperationId, OperationFixture>>;

/** One request of a fixture, or one that prepares it. */
export interface OperationCase {
  operationId: OperatorOperationId;
  request: OperationRequest;
  /** The code of the refusal; without one it succeeds. */
  refused?: ProblemCode;
  /** Whether it prepares others. */
  isGiven?: true;
}

/** The requests of a fixture in the order in which they run, each after those that prepare it. */
export function casesOf(operationId: OperatorOperationId, { done, refused = {} }: OperationFixture): OperationCase[] {
  const refusals = Object.entries({ ...refusalsOfEvery(operationId, done), ...refused });
  return [
    ...done.flatMap((request) => withPreparation(operationId, request)),
    ...refusals.flatMap(([code, requests]) =>
      [requests].flat().flatMap((request) => withPreparation(operationId, request, code as ProblemCode)),
    ),
  ];
}

/** Requests that every operation with an id or with pages refuses: like its last one, for an object that no registry has. */
function refusalsOfEvery(
  operationId: OperatorOperationId,
  done: FixtureRequest[],
): NonNullable<OperationFixture['refused']> {
  const { path, query }: AnyOperation = operatorOperations[operationId];
  const { given: _, ...last } = done.at(-1) ?? {};
  const missing = Object.entries(none).map(([kind, id]) => [`${snakeCase(kind)}_not_found`, id] as const);
  const declared = refusalsOf(operatorOperations[operationId]);
  return {
    ...(path.includes('/:') &&
      Object.fromEntries(
        missing.filter(([code]) => declared.includes(code as ProblemCode)).map(([code, id]) => [code, { ...last, id }]),
      )),
    ...(query?.properties?.limit && { invalid_content: { ...last, query: { limit: 0 } } }),
  };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function withPreparation(
  operationId: OperatorOperationId,
  { given = [], ...request }: FixtureRequest,
  refused?: ProblemCode,
): OperationCase[] {
  return [
    ...given.map(([operationId, request]) => ({ operationId, request, isGiven: true as const })),
    { operationId, request, ...(refused && { refused }) },
  ];
}
