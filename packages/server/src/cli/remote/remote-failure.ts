import { AppRegistryError, type Problem } from '../../../../client/src/index.ts';

/** What a refusal of a server says, as problem details. */
export type RemoteProblem = Pick<Problem, 'type' | 'title' | 'code' | 'detail' | 'errors'>;

/** A server refused a request. */
export class RemoteRefusal extends Error {
  override readonly name = 'RemoteRefusal';
  readonly problem: RemoteProblem;

  constructor(problem: RemoteProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** A server cannot be reached, or is none. Nothing was changed. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** It is unknown whether a server has made a change. */
export class UnknownRemoteOutcome extends Error {
  override readonly name = 'UnknownRemoteOutcome';
}

/** An identity provider did not sign a person in. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** Errors of a connection before a request was sent. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What a request has failed with, for people who run a command. */
export function asRemoteFailure(error: unknown, { url, isRead }: { url: string; isRead: boolean }): unknown {
  if (!AppRegistryError.is(error)) return error;
  const { problem } = error;
  if (problem) {
    const { type, title, code, detail, errors } = problem;
    return new RemoteRefusal({ type, title, code, detail, ...(errors && { errors }) });
  }
  const cause = causeOf(error);
  if (!isRead && error.mayHaveTakenEffect && !neverSent.has(cause)) {
    return new UnknownRemoteOutcome(
      `The response of ${url} was lost (${cause}): the change may or may not have been stored. Check the current state before you retry the command.`,
    );
  }
  const reason = error.response ? error.message : `Cannot connect to ${url} (${cause}). Check the URL and the network.`;
  return new ServerUnreachable(reason);
}

function causeOf(error: Error): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return error.message;
}
