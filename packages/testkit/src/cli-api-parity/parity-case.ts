/** One thing to do by both interfaces: by a command, and by an operation of the operator API. */
export interface ParityCase {
  operationId: string;
  /** The code of the refusal; without one it succeeds. */
  refused?: string;
  command: string[];
  request: OperationRequest;
}

/** What a request to the operator API contains. */
export interface OperationRequest {
  /** The first parameter of the path. */
  id?: string;
  /** The second one. */
  item?: string;
  query?: Record<string, string>;
  body?: object;
  /** The image is one of `images`. */
  form?: { developerId: string; image: string };
  /** The revision whose tag is sent as `If-Match`. */
  revision?: number;
  /** Commands have none. */
  idempotencyKey?: string;
}

/** Succeeds by both interfaces. */
export function done(operationId: string, command: string[], request: OperationRequest = {}): ParityCase {
  return { operationId, command, request };
}

/** Is refused by both interfaces: `refusal` is the operationId and the code, separated by a space. */
export function refused(refusal: string, command: string[], request: OperationRequest = {}): ParityCase {
  const [operationId = '', code = ''] = refusal.split(' ');
  return { operationId, refused: code, command, request };
}

/** A command as it is typed. An interpolated text is one argument, and a list several. */
export function cli(texts: TemplateStringsArray, ...values: (string | string[])[]): string[] {
  return texts.flatMap((text, index) => [...text.split(/\s+/).filter(Boolean), ...[values[index] ?? []].flat()]);
}
