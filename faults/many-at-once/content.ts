/** The fields of the content that the requests change. */
export interface Content {
  name: string;
  shortDescription: string;
  loginUrl: string | null;
  callbackUrl: string | null;
}

/** A time that a response has shown, or the least that it can be while none has. */
export interface Time {
  value: string;
  isKnown: boolean;
}
