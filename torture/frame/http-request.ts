const answerMsMax = 60_000;

export interface Question {
  method?: string;
  token: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  ms: number;
}

/** Asks once; null without a whole answer. */
export async function ask(url: string, { method = 'GET', token, body, ...question }: Question): Promise<Answer | null> {
  const began = performance.now();
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...question.headers,
  };
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: AbortSignal.timeout(question.timeoutMs ?? answerMsMax),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, ms: performance.now() - began };
  } catch {
    return null;
  }
}

/** Asks, and answers the JSON of a success. Throws when there is none. */
export async function askFor<Result>(url: string, question: Question): Promise<Result> {
  const answer = await ask(url, question);
  if (answer && answer.status >= 200 && answer.status < 300) return JSON.parse(answer.text || 'null') as Result;
  throw new Error(`${question.method ?? 'GET'} ${url}: ${answer ? `${answer.status} ${answer.text}` : 'no answer'}`);
}
