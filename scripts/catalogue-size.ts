export interface CatalogueSize {
  developers: number;
  apps: number;
  installations: number;
  seed: number;
}
