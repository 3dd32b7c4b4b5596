import { mkdirSync, writeFileSync } from 'node:fs';
import { clientTypes } from './client-types.js';

/**
 * Writes the types of the client package. `npm run generate:client` builds the service first; the document needs no
 * store and no port.
 */
const COMPILED = '../dist/apps/api/openapi-document.js';
const FOLDER = 'libs/client/src/generated';

const { openApiDocument } = await import(COMPILED);
const types = await clientTypes(await openApiDocument());
mkdirSync(FOLDER, { recursive: true });
writeFileSync(`${FOLDER}/api.ts`, types);
