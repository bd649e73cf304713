/** The only place that reads the environment. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;
