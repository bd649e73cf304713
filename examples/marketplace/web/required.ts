/** A variable of the environment, without which a part of the marketplace cannot start. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run npm run marketplace, which sets it for each process.`);
  return value;
}
