import { mkdirSync, writeFileSync } from 'node:fs';
import { clientSource } from './client-source.js';

/**
 * Writes the generated part of the client package. `npm run generate:client` compiles the service first; the document
 * needs no store and no port.
 */
const COMPILED = '../dist/apps/api/openapi-document.js';
const FOLDER = 'libs/client/src/generated';

const { openApiDocument } = await import(COMPILED);
const source = await clientSource(await openApiDocument());
mkdirSync(FOLDER, { recursive: true });
writeFileSync(`${FOLDER}/api.ts`, source);
