import { type Refusal, refuseField } from '../kernel/refusal.js';

const MOST_CHARACTERS = 256;
const LONGEST_NAME = 253;
const POINTER = '/allowed_domains';
/** A host name with an optional `*.` prefix: labels of letters, digits and inner hyphens. */
const DOMAIN =
  /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** The stored form of the list, without spaces around its members; `''` for an empty list. */
export function parseDomains(text: string): string | Refusal {
  if (text.length > MOST_CHARACTERS)
    return refuseField(POINTER, `must not be longer than ${MOST_CHARACTERS}`, MOST_CHARACTERS);
  if (text.trim() === '') return '';
  const domains = text.split(',').map((domain) => domain.trim());
  if (!domains.every(isDomain))
    return refuseField(POINTER, 'must be host names joined by commas, each with an optional "*."');
  return domains.join(',');
}

function isDomain(text: string): boolean {
  return text.length <= LONGEST_NAME && DOMAIN.test(text);
}
