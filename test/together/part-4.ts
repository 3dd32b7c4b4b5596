import { loadPart } from './parts.js';

await loadPart(4);
