/** Where a registry is, and a token of each kind. */
export interface RegistryAccess {
  baseUrl: string;
  operatorUrl: string;
  developerToken: string;
  platformToken: string;
  operatorToken: string;
}

/**
 * What a sample does with the code of a generator, in the types of that code. The label of what this code does not know
 * is "unknown".
 */
export interface GeneratedClient {
  getApp(id: string): Promise<{ status: string; developerId: string; installations: number }>;
  updateApp(id: string, update: Update): Promise<{ description: string | undefined }>;
  createLogo(developerId: string, image: Blob): Promise<{ id: string }>;
  createApp(app: { developerId: string; name: string; logoId: string }): Promise<{ id: string }>;
  submitApp(id: string): Promise<{ status: string; etag: string }>;
  approveApp(id: string, etag: string): Promise<{ status: string }>;
  /** The names of the apps in the review queue, with the label of their kind. */
  listReviewQueue(): Promise<Record<string, string>>;
  /** The labels of the events of an app. */
  listEvents(appId: string): Promise<string[]>;
  /** The label of a received event. */
  receive(payload: unknown): string;
}

export interface Update {
  logoId?: string;
  listingInfo?: { shortDescription?: string | null; backgroundColor?: string };
  oauthInfo?: { loginUrl?: string | null };
}
