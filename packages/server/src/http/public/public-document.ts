import type { PublicOperationId } from '../../features/apps/public-operations.ts';
import {
  type DocumentedOperation,
  type DocumentFrame,
  type OpenApiDocument,
  openApiDocument,
} from '../openapi/openapi.ts';
import { getAppOperation } from './get-app-operation.ts';
import { updateAppOperation } from './update-app-operation.ts';

export interface PublicDocumentOptions {
  baseUrl: string;
  devBaseUrl: string;
}

const documentedOperations: Record<PublicOperationId, DocumentedOperation> = {
  updateApp: updateAppOperation,
  getApp: getAppOperation,
};

/** The OpenAPI document of the public interface: its two operations and nothing else. */
export function publicDocument(options: PublicDocumentOptions): OpenApiDocument {
  return openApiDocument(frame(options), Object.values(documentedOperations));
}

function frame({ baseUrl, devBaseUrl }: PublicDocumentOptions): DocumentFrame {
  return {
    info: {
      title: 'App Registry',
      version: '1.0.0',
      summary: 'Apps that developers publish to a platform and customers install into workspaces.',
      description:
        'Two operations: **Update App**, the developer’s view, and **Get App**, the platform’s view. Errors are problem details (RFC 9457) with a machine-readable `code`, a human-readable `detail` and a `requestId`.',
      contact: { name: 'The operator of this registry', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: 'Production' },
      { url: devBaseUrl, description: 'Development' },
    ],
    tags: [
      { name: 'Developer', description: 'For the developer of an app.' },
      { name: 'Platform', description: 'For the platform that apps are installed on.' },
    ],
    securitySchemes: {
      developerToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'An access token of kind `developer`, which can update the apps of one developer.',
      },
      platformToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'An access token of kind `platform`, which can get any app.',
      },
    },
  };
}
