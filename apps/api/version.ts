/** Version of this server, as `about` and the OpenAPI document show it. */
export const VERSION = '0.1.0';

/** SPDX id of the licence. */
export const LICENCE = 'Apache-2.0';
