/** One thing to ask for at both doors: by the command line, and by an operation of the operator API. */
export interface Line {
  /** The id of the operation. */
  operation: string;
  /** The code that it is refused with; without one it is done. */
  refused?: string;
  command: string[];
  request: OperationRequest;
}

/** What a request to the operator API holds. */
export interface OperationRequest {
  /** For the one name in the path. */
  id?: string;
  query?: Record<string, string>;
  body?: object;
  /** The image is one of `images`. */
  form?: { developerId: string; image: string };
  /** What `If-Match` stands for. */
  revision?: number;
}

/** It is done at both doors. */
export function done(operation: string, command: string[], request: OperationRequest = {}): Line {
  return { operation, command, request };
}

/** It is refused at both doors: `refusal` is the operation and the code, with a space between. */
export function refused(refusal: string, command: string[], request: OperationRequest = {}): Line {
  const [operation = '', code = ''] = refusal.split(' ');
  return { operation, refused: code, command, request };
}

/** A command as it is typed. What stands in `${}` is an argument as it is, or several. */
export function cli(texts: TemplateStringsArray, ...values: (string | string[])[]): string[] {
  return texts.flatMap((text, index) => [...text.split(/\s+/).filter(Boolean), ...[values[index] ?? []].flat()]);
}
