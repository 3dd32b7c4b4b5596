// Generated from the OpenAPI document by "npm run generate:client". Do not edit.

import type { Operations } from '../operations.js';

/** Operations of one organization. Not here: the live feed, uploads, downloads and the signalling socket. */
export const DRIVE_OPERATIONS = {
  contacts: {
    generate_crypto_identity: {"method":"post","path":"/v1/drive/{organization_id}/contacts/helpers/generate-crypto-identity","kind":"query"},
    get: {"method":"get","path":"/v1/drive/{organization_id}/contacts/get/{contact_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/contacts/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/contacts/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/contacts/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/contacts/delete","kind":"command"},
    erase: {"method":"post","path":"/v1/drive/{organization_id}/contacts/erase","kind":"command"},
    redeem: {"method":"post","path":"/v1/drive/{organization_id}/contacts/redeem","kind":"command"},
    generate_auto_login_link: {"method":"post","path":"/v1/drive/{organization_id}/contacts/helpers/generate-auto-login-link","kind":"query"},
  },
  groups: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/groups/get/{group_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/groups/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/groups/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/groups/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/groups/delete","kind":"command"},
    validate: {"method":"post","path":"/v1/drive/{organization_id}/groups/validate","kind":"read"},
    invites: {
      get: {"method":"get","path":"/v1/drive/{organization_id}/groups/invites/get/{invite_id}","kind":"read"},
      list: {"method":"post","path":"/v1/drive/{organization_id}/groups/invites/list","kind":"read"},
      create: {"method":"post","path":"/v1/drive/{organization_id}/groups/invites/create","kind":"command"},
      update: {"method":"post","path":"/v1/drive/{organization_id}/groups/invites/update","kind":"command"},
      delete: {"method":"post","path":"/v1/drive/{organization_id}/groups/invites/delete","kind":"command"},
      redeem: {"method":"post","path":"/v1/drive/{organization_id}/groups/invites/redeem","kind":"command"},
    },
  },
  organization: {
    replay: {"method":"post","path":"/v1/drive/{organization_id}/organization/replay","kind":"query"},
    snapshot: {"method":"get","path":"/v1/drive/{organization_id}/organization/snapshot","kind":"query"},
    reindex: {"method":"post","path":"/v1/drive/{organization_id}/organization/reindex","kind":"command"},
    reindex_job: {"method":"get","path":"/v1/drive/{organization_id}/organization/reindex/{job_id}","kind":"query"},
    history: {"method":"post","path":"/v1/drive/{organization_id}/organization/history","kind":"query"},
    timeline: {"method":"post","path":"/v1/drive/{organization_id}/organization/timeline","kind":"query"},
    compare: {"method":"post","path":"/v1/drive/{organization_id}/organization/compare","kind":"query"},
    explain: {"method":"post","path":"/v1/drive/{organization_id}/organization/explain","kind":"query"},
    who: {"method":"post","path":"/v1/drive/{organization_id}/organization/who","kind":"query"},
    reach: {"method":"post","path":"/v1/drive/{organization_id}/organization/reach","kind":"query"},
    check_many: {"method":"post","path":"/v1/drive/{organization_id}/organization/check_many","kind":"query"},
    access_timeline: {"method":"post","path":"/v1/drive/{organization_id}/organization/access_timeline","kind":"query"},
    access_diff: {"method":"post","path":"/v1/drive/{organization_id}/organization/access_diff","kind":"query"},
    digest: {"method":"get","path":"/v1/drive/{organization_id}/organization/digest","kind":"query","has_query":true},
    proof: {"method":"get","path":"/v1/drive/{organization_id}/organization/proof","kind":"query","has_query":true},
    consistency: {"method":"get","path":"/v1/drive/{organization_id}/organization/consistency","kind":"query","has_query":true},
    record_proof: {"method":"post","path":"/v1/drive/{organization_id}/organization/record_proof","kind":"query"},
    verify: {"method":"post","path":"/v1/drive/{organization_id}/organization/verify","kind":"query"},
    search: {"method":"post","path":"/v1/drive/{organization_id}/organization/search","kind":"read"},
    about: {"method":"get","path":"/v1/drive/{organization_id}/organization/about","kind":"read"},
    whoami: {"method":"get","path":"/v1/drive/{organization_id}/organization/whoami","kind":"read"},
    transfer_ownership: {"method":"post","path":"/v1/drive/{organization_id}/organization/transfer_ownership","kind":"command"},
    update_allowed_domains: {"method":"post","path":"/v1/drive/{organization_id}/organization/update_allowed_domains","kind":"command"},
    superswap_user: {"method":"post","path":"/v1/drive/{organization_id}/organization/superswap_user","kind":"command"},
    redeem: {"method":"post","path":"/v1/drive/{organization_id}/organization/redeem","kind":"command"},
    external_id: {"method":"post","path":"/v1/drive/{organization_id}/organization/external_id","kind":"read"},
    inbox: {"method":"post","path":"/v1/drive/{organization_id}/organization/inbox","kind":"command"},
    shortlink: {"method":"post","path":"/v1/drive/{organization_id}/organization/shortlink","kind":"command"},
  },
  disks: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/disks/get/{disk_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/disks/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/disks/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/disks/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/disks/delete","kind":"command"},
  },
  directory: {
    list: {"method":"post","path":"/v1/drive/{organization_id}/directory/list","kind":"read"},
    action: {"method":"post","path":"/v1/drive/{organization_id}/directory/action","kind":"command"},
    versions: {"method":"post","path":"/v1/drive/{organization_id}/directory/versions","kind":"read"},
    usage: {"method":"get","path":"/v1/drive/{organization_id}/directory/usage","kind":"read"},
  },
  api_keys: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/api_keys/get/{api_key_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/api_keys/list/{user_id}","kind":"read","without_body":true},
    create: {"method":"post","path":"/v1/drive/{organization_id}/api_keys/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/api_keys/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/api_keys/delete","kind":"command"},
  },
  labels: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/labels/get/{label_id_or_value}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/labels/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/labels/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/labels/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/labels/delete","kind":"command"},
    pin: {"method":"post","path":"/v1/drive/{organization_id}/labels/pin","kind":"command"},
  },
  drives: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/drives/get/{drive_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/drives/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/drives/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/drives/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/drives/delete","kind":"command"},
  },
  purchases: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/purchases/get/{purchase_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/purchases/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/purchases/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/purchases/update","kind":"command"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/purchases/delete","kind":"command"},
  },
  bookmarks: {
    create: {"method":"post","path":"/v1/drive/{organization_id}/organization/bookmarks","kind":"command"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/organization/bookmarks/list","kind":"read"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/organization/bookmarks/delete","kind":"command"},
  },
  webhooks: {
    get: {"method":"get","path":"/v1/drive/{organization_id}/webhooks/get/{webhook_id}","kind":"read"},
    list: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/list","kind":"read"},
    create: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/create","kind":"command"},
    update: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/update","kind":"command"},
    deliveries: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/deliveries","kind":"query"},
    replay: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/replay","kind":"command"},
    test: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/test","kind":"once"},
    delete: {"method":"post","path":"/v1/drive/{organization_id}/webhooks/delete","kind":"command"},
  },
  permissions: {
    directory: {
      get: {"method":"get","path":"/v1/drive/{organization_id}/permissions/directory/get/{directory_permission_id}","kind":"read"},
      list: {"method":"post","path":"/v1/drive/{organization_id}/permissions/directory/list","kind":"read"},
      create: {"method":"post","path":"/v1/drive/{organization_id}/permissions/directory/create","kind":"command"},
      update: {"method":"post","path":"/v1/drive/{organization_id}/permissions/directory/update","kind":"command"},
      delete: {"method":"post","path":"/v1/drive/{organization_id}/permissions/directory/delete","kind":"command"},
      check: {"method":"post","path":"/v1/drive/{organization_id}/permissions/directory/check","kind":"read"},
      redeem: {"method":"post","path":"/v1/drive/{organization_id}/permissions/directory/redeem","kind":"command"},
    },
    system: {
      get: {"method":"get","path":"/v1/drive/{organization_id}/permissions/system/get/{system_permission_id}","kind":"read"},
      list: {"method":"post","path":"/v1/drive/{organization_id}/permissions/system/list","kind":"read"},
      create: {"method":"post","path":"/v1/drive/{organization_id}/permissions/system/create","kind":"command"},
      update: {"method":"post","path":"/v1/drive/{organization_id}/permissions/system/update","kind":"command"},
      delete: {"method":"post","path":"/v1/drive/{organization_id}/permissions/system/delete","kind":"command"},
      check: {"method":"post","path":"/v1/drive/{organization_id}/permissions/system/check","kind":"read"},
      redeem: {"method":"post","path":"/v1/drive/{organization_id}/permissions/system/redeem","kind":"command"},
    },
  },
  transaction: {"method":"post","path":"/v1/drive/{organization_id}/transaction","kind":"command"},
} as const satisfies Operations;

/** Operations outside organizations. */
export const FACTORY_OPERATIONS = {
  health: {"method":"get","path":"/health","kind":"query"},
  ready: {"method":"get","path":"/ready","kind":"query"},
  quickstart: {"method":"post","path":"/v1/factory/quickstart","kind":"once"},
  snapshot: {"method":"get","path":"/v1/factory/snapshot","kind":"query"},
  migrate: {"method":"post","path":"/v1/factory/helpers/migrate","kind":"once","without_body":true},
  giftcards: {
    create: {"method":"post","path":"/v1/factory/giftcards/spawnorg/create","kind":"once"},
    redeem: {"method":"post","path":"/v1/factory/giftcards/spawnorg/redeem","kind":"once"},
    get: {"method":"get","path":"/v1/factory/giftcards/spawnorg/get/{giftcard_id}","kind":"query"},
    list: {"method":"post","path":"/v1/factory/giftcards/spawnorg/list","kind":"query"},
    update: {"method":"post","path":"/v1/factory/giftcards/spawnorg/update","kind":"once"},
    delete: {"method":"post","path":"/v1/factory/giftcards/spawnorg/delete","kind":"once"},
  },
  generate_crypto_identity: {"method":"post","path":"/v1/factory/helpers/generate-crypto-identity","kind":"query"},
} as const satisfies Operations;

export interface paths {
    "/": {
        /** Identify the service */
        get: { responses: { 200: { content: { "application/json": components["schemas"]["Root"]; }; }; }; };
    };
    "/health": {
        /** Liveness check */
        get: { responses: { 200: { content: { "application/json": components["schemas"]["Health"]; }; }; }; };
    };
    "/ready": {
        /**
         * Readiness check
         * @description 503 if a store is unavailable, or an organization in memory contains events of a later release. The response includes the lag of the read models. `reads` and `writes` report separately on the event store, which may serve events but accept none.
         */
        get: { responses: { 200: { content: { "application/json": components["schemas"]["Readiness"]; }; }; }; };
    };
    "/v1/factory/quickstart": {
        /**
         * Create an organization with an admin, members, API keys and optionally a disk
         * @description Only this response contains the values of the keys. The same secret_entropy gives the same user; each one counts as another request for the rate limits. In closed mode, requires a factory key.
         */
        post: { requestBody?: { content: { "application/json": components["schemas"]["QuickstartBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Quickstart"]; }; }; }; }; }; };
    };
    "/v1/factory/snapshot": {
        /**
         * Export the state of the factory for debugging
         * @description Requires an administrator key of the factory. 403 in production. Returns all gift cards and organizations; secrets are masked.
         */
        get: { responses: { 200: { content: { "application/json": { ok: { data: { [key: string]: unknown; }; }; }; }; }; }; };
    };
    "/v1/factory/helpers/migrate": {
        /**
         * Migrate stored data to the current release
         * @description Requires an administrator key of the factory. Does nothing, because no migration is necessary: the service reads events of every release and rebuilds derived data when needed. The body is ignored.
         */
        post: { responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Migration"]; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/create": {
        /**
         * Create a gift card that spawns an organization
         * @description In closed mode, requires a factory key. Only factory administrators can see the credentials of its disk.
         */
        post: { requestBody?: { content: { "application/json": components["schemas"]["CreateGiftcardBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Giftcard"]; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/upsert": {
        /**
         * Create a gift card that spawns an organization
         * @description In closed mode, requires a factory key. Only factory administrators can see the credentials of its disk.
         */
        post: { requestBody?: { content: { "application/json": components["schemas"]["CreateGiftcardBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Giftcard"]; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/redeem": {
        /**
         * Redeem a gift card, which spawns an organization
         * @description A card can be redeemed once. Its id authorizes the call. In closed mode, requires a factory key. The response contains the spawn code, which activates the organization at organization/redeem. The organization gets email and external_id. 412 if the card kept changing during the call.
         */
        post: { requestBody: { content: { "application/json": components["schemas"]["RedeemGiftcardBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["GiftcardRedemption"]; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/get/{giftcard_id}": {
        /**
         * Read a gift card
         * @description Requires an administrator key of the factory.
         */
        get: { parameters: { path: { giftcard_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Giftcard"]; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/list": {
        /**
         * List gift cards
         * @description Requires an administrator key of the factory. `filters` matches notes. Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Giftcard"][]; }; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/update": {
        /**
         * Update a gift card
         * @description Requires an administrator key of the factory. A disk in the body replaces the old one as a whole; null removes it.
         */
        post: { requestBody: { content: { "application/json": components["schemas"]["UpdateGiftcardBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Giftcard"]; }; }; }; }; }; };
    };
    "/v1/factory/giftcards/spawnorg/delete": {
        /**
         * Delete a gift card
         * @description Requires an administrator key of the factory. The organization that it spawned is not deleted.
         */
        post: { requestBody: { content: { "application/json": components["schemas"]["DeleteGiftcardBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/helpers/generate-crypto-identity": {
        /**
         * Derive an identity from a phrase or from entropy, or generate a random one
         * @description The identity derives from a BIP-39 phrase: the user id from the Ed25519 key at m/44h/223h/0h/0h/0h (SLIP-10), the EVM account from m/44h/60h/0h/0/0. Send secret_entropy or seed_phrase, not both; the same input gives the same identity. No record is changed.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["CryptoIdentityBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["CryptoIdentity"]; }; }; }; }; }; };
    };
    "/v1/factory/helpers/generate-crypto-identity": {
        /**
         * Derive an identity from a phrase or from entropy, or generate a random one
         * @description The identity derives from a BIP-39 phrase: the user id from the Ed25519 key at m/44h/223h/0h/0h/0h (SLIP-10), the EVM account from m/44h/60h/0h/0/0. Send secret_entropy or seed_phrase, not both; the same input gives the same identity. No record is changed. In closed mode, requires a factory key.
         */
        post: { requestBody?: { content: { "application/json": components["schemas"]["CryptoIdentityBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["CryptoIdentity"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/get/{group_id}": {
        /** Read a group */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; group_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Group"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/list": {
        /**
         * List groups
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Group"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/create": {
        /**
         * Create a group
         * @description The caller becomes its owner and admin.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["CreateGroupBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Group"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/update": {
        /** Update a group */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateGroupBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Group"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/delete": {
        /**
         * Delete a group
         * @description Its invites and all grants on it or to it are deleted, too.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteGroupBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/validate": {
        /** Check whether a user is a member of a group */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ValidateMembershipBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Membership"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/invites/get/{invite_id}": {
        /** Read a group invite */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; invite_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Invite"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/invites/list": {
        /**
         * List the invites of a group, including expired ones
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ListInvitesBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Invite"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/invites/create": {
        /**
         * Invite a user, a placeholder or PUBLIC to a group
         * @description An invited user is a member immediately, within the time window of the invite. Without invitee_id, a placeholder with a redeem code is created.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateInviteBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Invite"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/invites/update": {
        /** Update an invite */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateInviteBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Invite"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/invites/delete": {
        /**
         * Delete an invite
         * @description If the invitee is a user, all invites of that user to the group are deleted, unless the caller is only the inviter.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteInviteBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/groups/invites/redeem": {
        /**
         * Join a group with a redeem code
         * @description The caller becomes the member. If the caller has no contact, one is created. A public invite answers with the active invite that the caller has in the group, or with one that it gave them and that has not begun.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["RedeemInviteBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["RedeemedInvite"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/get/{contact_id}": {
        /**
         * Read a contact
         * @description A caller without permission gets 403 whether or not the contact exists.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; contact_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Contact"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/list": {
        /**
         * List contacts
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Contact"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/create": {
        /**
         * Create a contact
         * @description The id and the addresses derive from seed_phrase or secret_entropy, which are not stored. The contact joins Group for All. Its creator and the owner can see the redeem code.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["CreateContactBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Contact"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/update": {
        /**
         * Update a contact
         * @description Users may change their own name, avatar, email, notifications_url, public_note and evm_public_address.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateContactBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Contact"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/delete": {
        /**
         * Delete a contact
         * @description Its memberships, API keys and grants are deleted, too. The owner takes over its groups.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteContactBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/erase": {
        /**
         * Erase a person's data
         * @description Owner only. The contact is deleted, and the encryption key of its personal data (name, email, avatar, notes, addresses, URLs) is destroyed. The data then reads [erased] in all events and past states, including the copies in API key names and in the spawn note. The id may be a former id, also that of a deleted contact; all encryption keys of the person are destroyed. Hashes, digests and proofs stay valid. Not erased: the user id, texts that other users wrote, and copies made earlier.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["EraseContactBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Erased"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/redeem": {
        /**
         * Redeem a placeholder contact with its code
         * @description Requires a token, and the redeem code in the body. The response contains an API key for the new id, which is shown only once. The key expires no later than the caller's own key.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["RedeemContactBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["RedeemedContact"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/contacts/helpers/generate-auto-login-link": {
        /**
         * Create a sign-in link for a contact
         * @description Requires a valid API key of that contact. The link is neither stored nor logged.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["AutoLoginBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["AutoLogin"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/replay": {
        /**
         * Replay the event stream to a point and return the state
         * @description Requires owner, or VIEW on AUDIT. A point is a revision, a time or a bookmark; without one, the current state is returned. Records have the form that get returns to the owner, with secrets masked. The same revision always has the same state_hash. The pages of one answer have 4 MiB together.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ReplayBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Replay"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/snapshot": {
        /**
         * Export the whole state by family for debugging
         * @description Owner only; 403 in production. Secrets are masked. Beyond 20000 records: 413.
         */
        get: { parameters: { path: { organization_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: { [key: string]: unknown; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/reindex": {
        /**
         * Rebuild the read models from the stream
         * @description Reads and commands continue meanwhile. The rebuilt read models replace the old ones at once; the index of the history is replaced separately. The response follows when both are replaced. If a rebuild is already running, also in another process, the call waits for that one. With `async`, the job is returned immediately and is DONE when both are replaced.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ReindexBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Reindex"] | components["schemas"]["ReindexJob"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/reindex/{job_id}": {
        /**
         * Read the progress of a rebuild
         * @description Any process of the service returns the job; processes other than the rebuilding one lag by up to two seconds. If the rebuilding process ends early, the job becomes FAILED after half a minute. Jobs are kept for one week.
         */
        get: { parameters: { path: { organization_id: string; job_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ReindexJob"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/history": {
        /**
         * List events: who did what, and when
         * @description Events must match all filters. Newest first by default. Resources and actors are followed through superswaps, also by a former id. A caller who may read a record may read its history, with the same fields redacted; all other history requires owner or VIEW on AUDIT. Inbox notices are found by type or InboxNotifID. For callers with VIEW on AUDIT, an id, request id, event type or command that never existed is 404 `id.unknown` with the name of the field; for other callers it is treated like a record they may not see.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["HistoryBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["HistoryItem"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/timeline": {
        /**
         * Count events over time
         * @description Requires owner, or VIEW on AUDIT. Divides a range of the history into buckets of equal length and counts the events that match all filters; the filters are those of history. `types` counts the events of the range by type, also types that are not asked for.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["TimelineBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["EventTimeline"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/compare": {
        /**
         * Compare the records at two points
         * @description Requires owner, or VIEW on AUDIT. Each record that differs has a row with its changed fields; names joined from other records are ignored, and so is what an item has from its folder (its path, and that it is deleted): the row of the folder has it. Fields are those of the stored record, as in `record_proof`. Secrets are masked, and erased data stays erased. If `from` is the later point, the rows describe the reverse change. A record that was created and deleted between the points has no row.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CompareBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Difference"][]; } & components["schemas"]["CompareSummary"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/explain": {
        /**
         * Explain the permissions of a grantee on a resource
         * @description Returns the same types as `check`, with the grants that give each type and the grants that have no effect. `denied` lists only grants that the caller may see. Users may query themselves; callers with VIEW on a resource may query it. Every other query requires VIEW on AUDIT. These permissions are checked as of now, whatever the point. For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are always known. For other callers, an unknown id is treated like one they may not see. After a superswap the current id stands for the same person at earlier points too, where reads as of a point know the former id. Paths are shown as the caller may see them now: in full with VIEW on the root folder of the disk or on AUDIT, clipped with VIEW on the item, else empty.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ExplainBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Explanation"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/who": {
        /**
         * List everyone who holds permissions on a resource
         * @description Ordered by id. Everyone holds the types of PUBLIC; a user or group that holds no others has no row of its own. Ids are those at the queried point. Requires VIEW on the resource or on AUDIT. Only granted types are listed: MANAGE appears as MANAGE, although it implies the other directory types. For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are always known. For other callers, an unknown id is treated like one they may not see. After a superswap the current id stands for the same person at earlier points too, where reads as of a point know the former id. Paths are shown as the caller may see them now: in full with VIEW on the root folder of the disk or on AUDIT, clipped with VIEW on the item, else empty.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["WhoBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Holder"][]; } & components["schemas"]["AccessPoint"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/reach": {
        /**
         * List all resources on which a grantee holds permissions
         * @description Ordered by the first 140 bytes of the shown path, then by a digest of the id. With `collapse`, a row covers everything below it: a resource without a row has the `types_below` of the nearest row above, and no types below a folder in `cuts`. The row of a table covers its records, that of a group its invites. Only existing resources are listed. Users may query themselves; every other query requires VIEW on AUDIT. Only granted types are listed: MANAGE appears as MANAGE, although it implies the other directory types. For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are always known. For other callers, an unknown id is treated like one they may not see. After a superswap the current id stands for the same person at earlier points too, where reads as of a point know the former id. Paths are shown as the caller may see them now: in full with VIEW on the root folder of the disk or on AUDIT, clipped with VIEW on the item, else empty.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ReachBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Reached"][]; } & components["schemas"]["AccessPoint"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/check_many": {
        /**
         * Run up to 1,000 permission checks at one revision
         * @description Each result says whether `check` would list the type. Users may query themselves; callers with VIEW on a resource may query it. Every other query requires VIEW on AUDIT. These permissions are checked as of now, whatever the point. If the caller may not run one of the checks, the whole request is refused. Only granted types are listed: MANAGE appears as MANAGE, although it implies the other directory types. For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are always known. For other callers, an unknown id is treated like one they may not see. After a superswap the current id stands for the same person at earlier points too, where reads as of a point know the former id.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CheckManyBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["CheckMany"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/access_timeline": {
        /**
         * List when a grantee held which permissions on a resource
         * @description Covers all time from the first event until now, including memberships, ownership, and time windows that opened and closed without an event. Users may query themselves; callers with VIEW on a resource may query it. Every other query requires VIEW on AUDIT. These permissions are checked as of now, whatever the point. For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are always known. For other callers, an unknown id is treated like one they may not see. After a superswap the current id stands for the same person at earlier points too, where reads as of a point know the former id. Paths are shown as the caller may see them now: in full with VIEW on the root folder of the disk or on AUDIT, clipped with VIEW on the item, else empty.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["AccessTimelineBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Timeline"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/access_diff": {
        /**
         * List permissions gained and lost between two points
         * @description With a resource, the result is the difference between two `who` results. Without one, a row is the root of a change: a resource that existed at both points and whose change differs from that of its parents. A resource that existed at one point only has a row if a grant on the resource itself counts for the grantee at that point. If the organization's owner changed, root folders and items with sovereign permissions have rows for the old and the new owner, also if they existed at one point only. Other created and deleted resources have no row. Expired items count as existing here until the expiry sweep removes them. `gained_below` and `lost_below` apply to all resources below that existed at both points, down to the next row, the next resource in `except` and the next sovereign folder. A superswap is not a change: rows have the user id at the later point. A former id that is in use again at the later point stands for its new user, who had no permissions at the earlier point except those of PUBLIC. If `from` is the later point, the rows describe the reverse change. Ordered by grantee, then by shown path. Users may query themselves; callers with VIEW on a resource may query it. Every other query requires VIEW on AUDIT. These permissions are checked as of now, whatever the point. For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are always known. For other callers, an unknown id is treated like one they may not see. After a superswap the current id stands for the same person at earlier points too, where reads as of a point know the former id. Paths are shown as the caller may see them now: in full with VIEW on the root folder of the disk or on AUDIT, clipped with VIEW on the item, else empty.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["AccessDiffBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["AccessChange"][]; } & components["schemas"]["AccessDiffSummary"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/digest": {
        /**
         * Get a signed digest of the whole history
         * @description Requires owner, or VIEW on AUDIT. Store the digest elsewhere: with it you can verify later that the history has not changed. `checkpoint` contains the size and root of the log as a signed note, which public witnesses can cosign; its key name is the origin, its key is public_key. With `revision` it covers the history up to that event, so that record proofs of that point can be checked against it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Revision of the last event to cover; absent: all current events */
                    revision?: number | null;
                };
                path: {
                    organization_id: string;
                };
            };
            responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Digest"]; }; }; }; }; };
        };
    };
    "/v1/drive/{organization_id}/organization/proof": {
        /**
         * Prove that an event is in the log
         * @description Requires owner, or VIEW on AUDIT. The path leads from the event to the root of the tree of the first `size` events and has at most 2 log2(size) hashes. A proof is available as soon as the event is acknowledged.
         */
        get: {
            parameters: {
                query: {
                    /** @description Revision of the event */
                    revision: number;
                    /** @description Number of events in the tree; absent: all current events */
                    size?: number | null;
                };
                path: {
                    organization_id: string;
                };
            };
            responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["InclusionProof"]; }; }; }; }; };
        };
    };
    "/v1/drive/{organization_id}/organization/consistency": {
        /**
         * Prove that one log extends another
         * @description Requires owner, or VIEW on AUDIT. The proof leads from the root of the first `from` events to the root of the first `to` events. It shows that no event was changed, removed or inserted between two digests.
         */
        get: {
            parameters: {
                query: {
                    /** @description Size of the earlier tree, from 1 */
                    from: number;
                    /** @description Size of the later tree; absent: all current events */
                    to?: number | null;
                };
                path: {
                    organization_id: string;
                };
            };
            responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ConsistencyProof"]; }; }; }; }; };
        };
    };
    "/v1/drive/{organization_id}/organization/record_proof": {
        /**
         * Prove that a record existed or did not exist at a point
         * @description Requires owner, or VIEW on AUDIT. The paths lead to state_hash, which replay returns for the same point. Secret and personal fields are represented by the SHA-256 of their encrypted form.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ProveRecordBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["RecordProof"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/verify": {
        /**
         * Verify the whole event stream and all data derived from it
         * @description Requires owner, or VIEW on AUDIT. Reads every event from the store and verifies the hash chain, the sealed fields, the root of the log, the digest if the body has one, all snapshots, all documents of the read model, and the index of events by which histories are filtered. The signature of the digest is checked with the key that it names: compare that with your own copy. Commands and reads continue meanwhile. With `Accept: text/event-stream`, messages `progress` (`checked_events`, `events_total`) are sent meanwhile, and at the end one message `result` with the data; if the verification fails, the stream ends without it.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["VerifyBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Verification"]; }; }; "text/event-stream": string; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/search": {
        /**
         * Search records of several families
         * @description Finds case-insensitive substrings of any length. Results and counts include only records that the caller may view.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["SearchBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["SearchResult"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/about": {
        /**
         * Describe the organization
         * @description For callers without VIEW on DRIVES, name, owner and email are redacted.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["About"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/whoami": {
        /** Describe the caller in this organization */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["WhoAmI"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/transfer_ownership": {
        /**
         * Transfer the ownership of the organization in two steps
         * @description The first call starts a waiting period. The same call after that period completes the transfer. A pending transfer expires 7 days after the end of its waiting period.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["TransferOwnershipBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Transfer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/update_allowed_domains": {
        /**
         * Set the allowed domains
         * @description The domains are host names with an optional leading `*.`. Not rate-limited.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateAllowedDomainsBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Success"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/superswap_user": {
        /**
         * Replace a user id everywhere in the organization
         * @description Owner only. The replacement is one event. API keys keep their values and act as the new id.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["SuperswapUserBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Superswap"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/superswap": {
        /**
         * Replace a user id everywhere in the organization
         * @description Owner only. The replacement is one event. API keys keep their values and act as the new id.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["SuperswapUserBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Superswap"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/redeem": {
        /**
         * Activate a new organization with its spawn code
         * @description The redeem code in the body authorizes the call. It can be used once.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["RedeemOrganizationBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Activation"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/external_id": {
        /**
         * Find records by external id
         * @description Several records may share one external id. Records that the caller may not VIEW are omitted. Refused if more than 10,000 records have the external ids.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ExternalIdsBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ExternalIds"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/inbox": {
        /**
         * Send a notice to the inbox
         * @description Requires owner, or CREATE on INBOX. The payload may have at most 64 KiB as JSON.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["InboxBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Inbox"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/shortlink": {
        /**
         * Create, follow or delete a short link
         * @description With original_url only, creates a link; the caller must be a contact. With slug only, follows a link; no token is needed. With both, deletes the link; requires its creator, owner, or EDIT on DRIVES.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ShortlinkBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Shortlink"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/disks/get/{disk_id}": {
        /** Read a disk */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; disk_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Disk"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/disks/list": {
        /**
         * List disks
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Disk"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/disks/create": {
        /**
         * Create a disk with its root and trash folders
         * @description By default, Group for All gets VIEW, UPLOAD and EDIT on the root folder.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateDiskBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Disk"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/disks/update": {
        /**
         * Update a disk
         * @description The type of a disk cannot be changed.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateDiskBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Disk"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/disks/delete": {
        /**
         * Delete a disk with its folders, files and grants
         * @description Objects in an external bucket are not deleted.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteDiskBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/list": {
        /**
         * List a folder, or the items shared with the caller on a disk
         * @description Ordered by name, folders before files in both directions. Requires VIEW on the folder. Children on which the caller lacks VIEW are omitted. A page has at most page_size items, folders and files together.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListDirectoryBody"]; }; }; responses: { 200: { content: { "application/json": components["schemas"]["DirectoryPage"] & { ok: { data: components["schemas"]["DirectoryPage"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/action": {
        /**
         * Run 1–100 actions on files and folders
         * @description The status is 200 even if actions fail: each outcome has its own success or error, in the order of the actions.
         *     With an Idempotency-Key, all actions are stored in one append; if they exceed its size, none is (413). A key that was
         *     used with another request is 422. If-Match applies to the record of each action. With `as_of`, only reads are allowed.
         *     In a dry run, each action is decided as if the earlier ones had been stored. The list is that of a real call; with
         *     `?envelope=ok`, `dry_run` beside `data` contains the events that a real call would store.
         *
         *     | Action | Needs | Result |
         *     |---|---|---|
         *     | GET_FILE, GET_FOLDER | VIEW | `{file or folder, breadcrumbs}` |
         *     | CREATE_FILE | UPLOAD on the parent; if `id` is an existing file: EDIT on it, and for expires_at as UPDATE_FILE | `{file, upload, notes}` |
         *     | CREATE_FOLDER | UPLOAD on the parent | `{folder, notes}` |
         *     | UPDATE_FILE, UPDATE_FOLDER | EDIT; for an earlier expires_at also the permission of DELETE_* | `{file, upload?, notes}`, `{folder}` |
         *     | DELETE_FILE, DELETE_FOLDER | DELETE on the parent or directly on the item | the id, `path_to_trash`, ids of contained items |
         *     | COPY_FILE, COPY_FOLDER | VIEW on the source, UPLOAD on the destination | the copy |
         *     | MOVE_FILE, MOVE_FOLDER | VIEW and EDIT on the source, UPLOAD on the destination | the moved record |
         *     | RESTORE_TRASH | UPLOAD on the destination, VIEW and EDIT on the item; the user who trashed it needs none to restore it to its prior folder | `{restored_files, restored_folders}` |
         *
         *     **Name conflicts.** `file_conflict_resolution` applies if the name is in use. KEEP_BOTH uses `name (2).ext` or the
         *     next free number. REPLACE stores a new version (create) or moves the existing item to the trash. KEEP_NEWER does the
         *     same, but only if the existing item is older. KEEP_ORIGINAL keeps the existing item (create, restore: 409). Replacing
         *     requires EDIT on the existing item (create) or permission to delete it. A copy or move that returns the existing item
         *     requires VIEW on it.
         *
         *     **Trash and expiry.** An item in the trash keeps its id and content. If the trash already has its name, the item is
         *     renamed there, and gets its own name back when restored. An earlier expiry counts as deletion: a move or restore into a
         *     folder that expires before the item requires permission to delete the item. Expired items go to the trash and do not
         *     expire there again; expired content that does not inherit permissions goes there as an item of its own. The trash keeps
         *     items for TRASH_DAYS (default 30). Disks with `autoexpire_ms` remove expired items permanently; a new version there
         *     never expires earlier than the file did.
         *
         *     **Limits.** One action may copy, trash, restore or remove at most DIRECTORY_ITEMS_PER_ACTION files and folders; if it
         *     affects more, it fails with 413 and that number. That holds for a replaced item, too. All content counts, also what a
         *     copy leaves out because the caller may not view it. The labels on copied items count likewise. If one of several actions is a
         *     change, their results fit together in TRANSACTION_ANSWER_BYTES; an action whose result does not fit fails with 413 and
         *     changes nothing. The full path of a folder has at most 8192
         *     characters and 1024 folders: an action that would make one longer fails with 400. Copying or moving a folder into itself or a subfolder is 400.
         *
         *     **Content.** On AWS_BUCKET and STORJ_WEB3 disks, `upload` is a form for uploading one private object, valid for 24 hours.
         *     Every version has its own object, `{drive}/{disk}/{file}/{version}.{extension}`; the form sets its media type and file
         *     name. A copy shares the stored object of its source: the service copies records, not objects in buckets. With
         *     `upload_sha256` in the payload, the bucket accepts no other content. UPDATE_FILE with `upload_status: COMPLETED` makes the service ask
         *     the bucket for the object and record its size, media type and, if the bucket knows it, SHA-256. If the object is missing,
         *     the action fails with 400; if the bucket does not answer in time, with 503. Not with `VERIFY_BUCKET_UPLOADS=false`.
         */
        post: { parameters: { query?: { envelope?: "ok"; as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ActionsBody"]; }; }; responses: { 200: { content: { "application/json": components["schemas"]["ActionOutcome"][] | { ok: { data: components["schemas"]["ActionOutcome"][]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/content/{file_id}": {
        /**
         * Upload the content of a file
         * @description For files on LOCAL_SSD disks. The body is the content, of any length; its Content-Type is stored, by default the type for the file’s name. The first upload fills the version that the file was created with; each further one is a new version. Requires EDIT on the file, before the bytes are read and again afterwards. With an Idempotency-Key the bytes are sent and compared again. A part (`Content-Range`) and `If-None-Match` are refused.
         */
        put: { parameters: { path: { organization_id: string; file_id: string; }; }; requestBody?: { content: { "application/octet-stream": string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ContentStored"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/content/{folder_id}/{name}": {
        /**
         * Create or replace a file by its name in a folder
         * @description In one request what `CREATE_FILE` and an upload do in two, for folders on LOCAL_SSD disks: `curl -T report.pdf …/directory/content/{folder_id}/` appends the name itself. If the folder has a file with that name, the body is a new version of it, which requires EDIT on the file; otherwise the file is created, which requires UPLOAD on the folder. The file and its content are stored together or not at all. Everything else is as in `uploadFile`.
         */
        put: { parameters: { path: { organization_id: string; folder_id: string; name: string; }; }; requestBody?: { content: { "application/octet-stream": string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ContentStored"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/content": {
        /**
         * Upload the content of a file by form
         * @description The `url` and `fields` of `upload` in the response to CREATE_FILE and UPDATE_FILE, as for buckets. The form needs no token: it acts for the user to whom it was given, with the permissions that the user has now. It is valid for 24 hours, for one version, and once. Fields come first and `file` last; other fields are ignored.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "multipart/form-data": { policy: string; signature: string; file: string; }; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ContentStored"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/uploads": {
        /**
         * Create a resumable upload (tus 1.0.0)
         * @description For files on LOCAL_SSD disks. Requires EDIT on the file, now and when the upload is complete. The upload belongs to its user, and expires after 24 hours (Upload-Expires). The body may have its first bytes.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/offset+octet-stream": string; }; }; };
        /** Describe what is supported of tus 1.0.0 */
        options: {
            parameters: { path: { organization_id: string; }; };
        };
    };
    "/v1/drive/{organization_id}/directory/uploads/{upload_id}": {
        /**
         * Delete a resumable upload (tus 1.0.0)
         * @description The bytes received so far are deleted too. The content of a complete upload stays that of the file.
         */
        delete: { parameters: { path: { organization_id: string; upload_id: string; }; }; };
        /** Describe what is supported of tus 1.0.0, for one upload */
        options: {
            parameters: { path: { upload_id: string; organization_id: string; }; };
        };
        /**
         * Get the offset of a resumable upload (tus 1.0.0)
         * @description A request that still sends bytes is ended, and its bytes are kept. If all bytes are there and the service was stopped before it could complete the upload, it does so now.
         */
        head: {
            parameters: { path: { organization_id: string; upload_id: string; }; };
        };
        /**
         * Send bytes of a resumable upload (tus 1.0.0)
         * @description If the request breaks off, the bytes received are kept, unless it has a checksum. With the last byte the upload becomes the content of the file, as with PUT; if that is refused, the upload is deleted, except for a revoked API key (401).
         */
        patch: { parameters: { path: { organization_id: string; upload_id: string; }; }; requestBody?: { content: { "application/offset+octet-stream": string; }; }; };
    };
    "/v1/drive/{organization_id}/directory/asset/{file_id_with_extension}": {
        /**
         * Download the content of a file
         * @description Requires VIEW; a former version, EDIT or VIEW on AUDIT instead. Files that PUBLIC may view need no token; an invalid token is ignored. Files in the trash and expired files are 404. On LOCAL_SSD disks the service sends the content, with ranges; the ETag is its SHA-256. With `as_of`, a token is always required, and content in a bucket is not available, because its URL would have to be signed with a secret.
         */
        get: {
            parameters: {
                query?: {
                    /** @description In a link from GET_FILE with `request_download_url`: instead of a token */
                    link?: string;
                    /** @description `1`: browsers save the content instead of displaying it */
                    download?: "1";
                    /** @description A version; default: the current one. Former versions require EDIT or AUDIT */
                    version_id?: string;
                    as_of?: string;
                    as_user?: string;
                };
                path: {
                    organization_id: string;
                    file_id_with_extension: string;
                };
            };
            responses: { 200: { content: { "*/*": string; }; }; 206: { content: { "*/*": string; }; }; };
        };
    };
    "/v1/drive/{organization_id}/directory/versions": {
        /**
         * List the versions of a file
         * @description By number, the newest first unless direction is ASC. Requires EDIT on the file, or VIEW on AUDIT: former versions may contain what was removed on purpose.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ListVersionsBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["FileVersion"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/directory/usage": {
        /**
         * Show how much content the organization has stored
         * @description Requires VIEW on DISKS. Disks show their own share in `used_bytes`.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ContentUsage"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/api_keys/get/{api_key_id}": {
        /**
         * Read an API key
         * @description The value is masked.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; api_key_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ApiKey"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/api_keys/list/{user_id}": {
        /**
         * List the API keys of a user, newest first
         * @description `data` is an array without pages.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; user_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ApiKey"][]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/api_keys/create": {
        /**
         * Create an API key
         * @description Only this response contains the value. A caller whose own key expires cannot create a key that expires later.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateApiKeyBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ApiKey"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/api_keys/update": {
        /**
         * Update or revoke an API key
         * @description Only the owner may restore a revoked key. A caller whose own key expires can neither extend nor restore a key so that it expires later.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateApiKeyBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ApiKey"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/api_keys/delete": {
        /**
         * Delete an API key
         * @description A key may delete itself.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteApiKeyBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/labels/get/{label_id_or_value}": {
        /**
         * Read a label by its id or its value
         * @description A caller without permission gets 403 whether or not the label exists.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; label_id_or_value: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Label"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/labels/list": {
        /**
         * List labels, optionally by prefix of the value
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListLabelsBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Label"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/labels/create": {
        /** Create a label */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateLabelBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Label"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/labels/update": {
        /**
         * Update a label
         * @description All records that have the label show a new value immediately.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateLabelBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Label"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/labels/delete": {
        /**
         * Delete a label
         * @description The label is unpinned from all records.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteLabelBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/labels/pin": {
        /**
         * Pin a label to a record, or unpin it
         * @description Requires EDIT on the label and on the record: a directory permission for files and folders, a system permission for other records. If nothing changes, no event is stored.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["PinLabelBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Pin"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/drives/get/{drive_id}": {
        /**
         * Read an organization in the address book
         * @description A caller without permission gets 403 whether or not the record exists.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; drive_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["KnownDrive"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/drives/list": {
        /**
         * List the organizations in the address book, including this one
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["KnownDrive"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/drives/create": {
        /**
         * Add an organization to the address book
         * @description The default id is DriveID_ followed by the principal; it can be reused after a deletion. The default host_url is https://{icp_principal}.icp0.io.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateKnownDriveBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["KnownDrive"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/drives/update": {
        /**
         * Update an organization in the address book
         * @description Renaming the organization's own record renames the organization, whose email and external_id stay those of its creation; the principal of that record cannot be changed. Null resets host_url to the default.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateKnownDriveBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["KnownDrive"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/drives/delete": {
        /**
         * Remove an organization from the address book
         * @description The organization's own record cannot be removed.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteKnownDriveBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/purchases/get/{purchase_id}": {
        /**
         * Read a purchase
         * @description Requires the vendor, or VIEW.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; purchase_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Purchase"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/purchases/list": {
        /**
         * List purchases
         * @description Callers without VIEW get the purchases whose vendor they are. Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Purchase"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/purchases/create": {
        /** Create a purchase */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreatePurchaseBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Purchase"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/purchases/update": {
        /**
         * Update a purchase
         * @description The vendor may change status, URLs, vendor_notes, tracer, external_id and external_payload. A call that changes any other field requires EDIT.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdatePurchaseBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Purchase"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/purchases/delete": {
        /** Delete a purchase */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeletePurchaseBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/bookmarks": {
        /**
         * Create a bookmark for a point in time
         * @description Owner only. The bookmark stores the revision and time of the point. Without a point, it stores the state just before its own event. Operations that take a point accept `at: "@name"` or `as_of=@name`.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateBookmarkBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Bookmark"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/bookmarks/list": {
        /**
         * List bookmarks
         * @description Requires owner, or VIEW on AUDIT. Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Bookmark"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/bookmarks/delete": {
        /**
         * Delete a bookmark
         * @description Owner only. The name can be used again.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteBookmarkBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["BookmarkDeleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/get/{webhook_id}": {
        /** Read a webhook */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; webhook_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Webhook"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/list": {
        /**
         * List webhooks
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["Webhook"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/create": {
        /**
         * Create a webhook, which sends events to a URL
         * @description Requires permission to see the watched object: VIEW on the item (for sub… events an inheritable one on the folder), the group or the label, otherwise VIEW on AUDIT. The caller becomes the creator: the webhook sends only events that the creator may see at the time of the event. If the creator loses the permission, the webhook is paused (`paused_reason`) and resumes when the permission is restored; events in between are not sent.
         *
         *     Deliveries start with the next event. They are signed according to Standard Webhooks with the secret, which only this response contains. An inbox webhook sends every notice, or with `filters` those of one `topic`. sub… events cover up to 20 folders above an item, but end at a folder with sovereign permissions. Labels with which a file or folder is created count as pinned. If a folder is copied, moved, deleted or restored, only the folder is reported, not its contents. Payloads contain only the fields that every reader of the record may see. An organization can have at most 1000 webhooks.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateWebhookBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Webhook"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/update": {
        /**
         * Update a webhook, or rotate its secret
         * @description Changing `url` or `active` and `take_over` also require permission to see the watched object. Only `take_over` makes the caller the creator, also of a paused webhook. After a rotation, deliveries are signed with the new and the previous secret, until the next rotation.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateWebhookBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Webhook"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/deliveries": {
        /**
         * List the delivery attempts of a webhook
         * @description Lists the attempts of the last 30 days, oldest first, at most the newest 100,000. A failed delivery is retried for 24 hours with increasing delays and blocks later deliveries meanwhile. Then it is quarantined, and the next delivery is sent.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["WebhookDeliveriesBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["DeliveryAttempt"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/replay": {
        /**
         * Send past events to a webhook again
         * @description Queues deliveries for a range of at most 10,000 revisions, which may be older than the webhook. The webhook's current settings apply, and only events that its creator could see at the time are sent; the current owner may see all. A paused webhook sends nothing. Each delivery has the same webhook-id as the first time. The replay is stored as an event, so an Idempotency-Key prevents a repeated request from sending twice. Notices of `viewed` and `shared` are not events and cannot be sent again.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ReplayWebhookBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["ReplayedWebhook"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/test": {
        /**
         * Send a test delivery to a webhook
         * @description Requires EDIT. Sends one example delivery of the webhook’s event, signed like all others. `notes` marks it as a test, `nonce` is 0, and the payload contains no record of the organization. The delivery is sent once and bypasses the queue, also to an inactive webhook, but not to a paused one. The response follows when the receiver responds or after WEBHOOK_TIMEOUT_MS. Nothing is stored: the test is not listed in `deliveries`, and is not allowed in a transaction or with `Dry-Run`. At most 4 tests per organization run at the same time; further requests are 503 `drive.overloaded`.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["TestWebhookBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["WebhookTest"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/webhooks/delete": {
        /**
         * Delete a webhook
         * @description Its unsent deliveries are discarded.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["DeleteWebhookBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Deleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/get/{directory_permission_id}": {
        /**
         * Read a grant on a folder or file
         * @description The response is 404 also for callers who may not read the grant.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; directory_permission_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["DirectoryPermission"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/list": {
        /**
         * List the grants on a folder or file
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["ListDirectoryPermissionsBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["DirectoryPermission"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/create": {
        /**
         * Grant permissions on a folder or file
         * @description Except for the owner, callers can grant only types that they hold, within the same period and inheritance. Without granted_to, a placeholder with a redeem code is created.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateDirectoryPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["DirectoryPermissionAnswer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/update": {
        /** Update a grant on a folder or file */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateDirectoryPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["DirectoryPermissionAnswer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/delete": {
        /** Revoke a grant on a folder or file */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["DeleteDirectoryPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PermissionDeleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/check": {
        /**
         * Check the effective permissions of a grantee on a folder or file
         * @description Includes inherited permissions and those of groups. An unknown resource is treated like one without grants.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CheckDirectoryPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["DirectoryPermissionCheck"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/directory/redeem": {
        /**
         * Redeem a grant for a user with its code
         * @description The user may differ from the caller.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["RedeemDirectoryPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["DirectoryPermissionAnswer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/get/{system_permission_id}": {
        /**
         * Read a grant on a table or record
         * @description The response is 404 also for callers who may not read the grant.
         */
        get: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; system_permission_id: string; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["SystemPermission"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/list": {
        /**
         * List the grants on tables and records that the caller may read
         * @description Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat nor skip records when others are created or deleted.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["ListSystemPermissionsBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PageFrame"] & { items: components["schemas"]["SystemPermission"][]; }; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/create": {
        /**
         * Grant permissions on a table or record
         * @description Except for the owner, callers can grant only types that they hold, within the same period.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CreateSystemPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["SystemPermissionAnswer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/update": {
        /** Update a grant on a table or record */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["UpdateSystemPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["SystemPermissionAnswer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/delete": {
        /** Revoke a grant on a table or record */
        post: { parameters: { path: { organization_id: string; }; }; requestBody?: { content: { "application/json": components["schemas"]["DeleteSystemPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["PermissionDeleted"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/check": {
        /**
         * Check the effective permissions of a grantee on a table or record
         * @description A grant on a table applies to all its records.
         */
        post: { parameters: { query?: { as_of?: string; as_user?: string; }; path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["CheckSystemPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["SystemPermissionCheck"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/permissions/system/redeem": {
        /**
         * Redeem a grant for a user with its code
         * @description The user may differ from the caller.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["RedeemSystemPermissionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["SystemPermissionAnswer"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/transaction": {
        /**
         * Run several commands atomically
         * @description The commands are decided in order against one state and stored in one write. A string such as `$0.id` in a declared field of a body refers to a field of an earlier result. The bodies with resolved references must fit in one request body, the results in TRANSACTION_ANSWER_BYTES (413). If a command is refused, nothing is stored, and the response has its status and error with its `index`. Each command requires its usual permissions. Idempotency-Key, Dry-Run and Audit-Reason apply to the whole transaction. Not allowed are reads, transaction, organization/reindex, contacts/erase, directory/action, webhooks/replay and webhooks/test.
         */
        post: { parameters: { path: { organization_id: string; }; }; requestBody: { content: { "application/json": components["schemas"]["TransactionBody"]; }; }; responses: { 200: { content: { "application/json": { ok: { data: components["schemas"]["Transaction"]; dry_run?: components["schemas"]["DryRun"]; }; }; }; }; }; };
    };
    "/v1/drive/{organization_id}/organization/events": {
        /**
         * Stream events as they are stored
         * @description Server-sent events: `id` is the revision, `event` the type, `data` the event record. With `from` or Last-Event-ID, the feed resumes after that revision (-1: at the first event); otherwise it starts with new events. Requires VIEW on AUDIT, which is checked before every event and heartbeat; the feed ends when the permission is lost. A listener that reads too slowly is disconnected and can resume by id. A revision beyond the last event is refused as `feed.beyond-last-event`: the listener has events that are no longer in the organization, as after a restore of a backup. It must read its data again and resume without a revision.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Last revision that the listener has received; -1: none. Absent: new events only */
                    from?: number;
                };
                path: {
                    organization_id: string;
                };
            };
            responses: { 200: { content: { "text/event-stream": string; }; }; };
        };
    };
    "/v1/drive/{organization_id}/organization/webrtc": {
        /**
         * Open a signalling WebSocket for direct connections between viewers of a file
         * @description Opens a WebSocket for signalling, with the token in `auth`. Messages are JSON text:
         *
         *     | Message | Effect |
         *     |---|---|
         *     | `{"type":"subscribe","topics":[…]}` | The peer receives messages published to these topics |
         *     | `{"type":"unsubscribe","topics":[…]}` | The peer no longer receives them |
         *     | `{"type":"publish","topic":…,…}` | The message is relayed unchanged to all subscribers of the topic, including the sender if it subscribes |
         *     | `{"type":"ping"}` | The server replies `{"type":"pong"}` |
         *
         *     Topics (1–256 characters) belong to one file of one organization; the same name for another file is another
         *     topic. To any other message the server replies `{"type":"error","message":…}`. Messages are not stored. Only peers
         *     that are connected to the same process reach each other.
         *
         *     Requires VIEW on the file, which is checked when the socket opens and at every ping of the server (30 s).
         *     Browsers hide refused upgrades from pages. Therefore a refused socket is opened and closed immediately, with the
         *     error slug as close reason: 1008 for errors that the client must correct, 1013 for errors to retry later. An open
         *     socket is closed with 1008 (`permission.denied`, `signalling.too-many-messages`), 1003 after a binary message, 1009
         *     after a message over 64 KiB, 1000 (`signalling.idle`) after 5 minutes without a message, or 1001
         *     (`server.stopping`). A peer that stops reading or does not answer pings is disconnected without a close frame (1006).
         *     A file has at most 50 peers; a peer may send 50 messages per second and subscribe to 100 topics. The peers of an
         *     organization receive at most 10,000 messages per second from each other; of a message beyond it the sender is told by an
         *     error. A message counts once for each 4,096 characters or part of them. All these limits are settings.
         *
         *     Any origin may connect. The server ignores cookies and other credentials that a browser adds, so a page can use
         *     only tokens that it has. A request without upgrade is 426.
         */
        get: {
            parameters: {
                query: {
                    /** @description The file of the room */
                    file_id: string;
                };
                path: {
                    organization_id: string;
                };
            };
        };
    };
}
export interface components {
    schemas: {
        MemberBody: {
            name?: components["schemas"]["NameField"];
            /** @description Secret from which the identity of the member derives */
            secret_entropy?: string | null;
            /** @description Text that the response repeats */
            tracer?: string | null;
        };
        AdminBody: {
            /**
             * @description Name for people
             * @default Admin
             */
            name?: string | null;
            /** @description Secret from which the identity is derived */
            secret_entropy?: string | null;
            /** @description Text that the response repeats */
            tracer?: string | null;
        };
        BundledDiskBody: {
            /** @description Name for people */
            name: string;
            disk_type: components["schemas"]["DiskTypeField"];
            public_note?: components["schemas"]["PublicNoteField"];
            autoexpire_ms?: components["schemas"]["AutoexpireMsField"];
            billing_url?: components["schemas"]["BillingUrlField"];
            /** @description endpoint, access_key, secret_key, bucket, region */
            auth_json?: {
                [key: string]: unknown;
            } | null;
        };
        QuickstartBody: {
            /**
             * @description Name of the organization
             * @default Anonymous Org
             * @example Acme
             */
            org_name?: string | null;
            /** @description People beside the admin */
            members?: components["schemas"]["MemberBody"][] | null;
            /** @description The admin, who owns the organization */
            admin?: components["schemas"]["AdminBody"] | null;
            email?: components["schemas"]["EmailField"];
            note?: components["schemas"]["NoteField"];
            /** @description Text that the response repeats */
            tracer?: string | null;
            /** @description Disk that the organization begins with */
            bundled_default_disk?: components["schemas"]["BundledDiskBody"] | null;
        };
        CreateGiftcardBody: {
            /** @description Absent: 0 */
            usd_revenue_cents?: number | null;
            note?: components["schemas"]["NoteField"];
            /** @description Absent: 1000000000 */
            gas_cycles_included?: number | null;
            /** @description Must be unique among gift cards */
            external_id?: string | null;
            /** @description Disk that the organization begins with */
            bundled_default_disk?: components["schemas"]["BundledDiskBody"] | null;
        };
        RedeemGiftcardBody: {
            /** @description Id of the gift card; it is the code */
            giftcard_id: string;
            /**
             * @description Required; UserID_ followed by a valid principal
             * @example UserID_2vxsx-fae
             */
            owner_user_id?: string | null;
            /** @description Alias of owner_user_id, which takes precedence */
            owner_icp_principal?: string | null;
            /**
             * @description Name of the owner
             * @default Owner
             */
            owner_name?: string | null;
            /**
             * @description Name of the organization
             * @default Anonymous Org
             */
            organization_name?: string | null;
            /** @description External id of the organization */
            external_id?: string | null;
            /** @description Email address of the organization */
            email?: string | null;
        };
        ListBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            filters?: components["schemas"]["FiltersField"];
        };
        UpdateGiftcardBody: {
            /** @description Id of the record */
            id: string;
            /** @description Revenue in US cents */
            usd_revenue_cents?: number | null;
            note?: components["schemas"]["NoteField"];
            /** @description Kept for older clients */
            gas_cycles_included?: number | null;
            external_id?: components["schemas"]["ExternalIdField"];
            /** @description Replaces the disk as a whole */
            bundled_default_disk?: components["schemas"]["BundledDiskBody"] | null;
        };
        DeleteGiftcardBody: {
            /** @description Id of the record */
            id: string;
        };
        CryptoIdentityBody: {
            /** @description Secret from which the phrase is derived */
            secret_entropy?: string | null;
            /** @description English BIP-39 phrase, used unchanged */
            seed_phrase?: string | null;
        };
        CreateGroupBody: {
            /** @description Id of the record */
            id?: string | null;
            /**
             * @description Name for people
             * @example Finance
             */
            name?: string | null;
            avatar?: components["schemas"]["AvatarField"];
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            /**
             * Format: uri
             * @description URL of the service that holds the organization
             */
            host_url?: string | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateGroupBody: {
            /** @description Id of the record */
            id: string;
            name?: components["schemas"]["NameField"];
            avatar?: components["schemas"]["AvatarField"];
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            /**
             * Format: uri
             * @description URL of the service that holds the organization
             */
            host_url?: string | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteGroupBody: {
            /** @description Id of the record */
            id: string;
        };
        ValidateMembershipBody: {
            /** @description Id of the user */
            user_id: string;
            /** @description Id of the group */
            group_id: string;
        };
        ListInvitesBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            filters?: components["schemas"]["FiltersField"];
            /** @description Id of the group */
            group_id: string;
        };
        CreateInviteBody: {
            /** @description Id of the record */
            id?: string | null;
            /** @description Id of the group */
            group_id: string;
            /** @description If absent, a placeholder with a redeem code is created */
            invitee_id?: string | null;
            /** @description ADMIN or MEMBER */
            role: "ADMIN" | "MEMBER";
            active_from?: components["schemas"]["ActiveFromField"];
            expires_at?: components["schemas"]["ExpiresAtField"];
            note?: components["schemas"]["NoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateInviteBody: {
            /** @description Id of the record */
            id: string;
            /** @description ADMIN or MEMBER */
            role?: "ADMIN" | "MEMBER" | null;
            /** @description Start time in ms; 0 or -1 = no start */
            active_from?: (number | string) | null;
            expires_at?: components["schemas"]["ExpiresAtField2"];
            note?: components["schemas"]["NoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteInviteBody: {
            /** @description Id of the record */
            id: string;
        };
        RedeemInviteBody: {
            /** @description Id of the invite */
            invite_id: string;
            /** @description Redeem code; PUBLIC for a public invite */
            redeem_code: string;
            /** @description Note for people */
            note?: string | null;
        };
        CreateContactBody: {
            /** @description If absent, without secret_entropy or seed_phrase, the contact is a placeholder as with is_placeholder true */
            id?: string | null;
            /**
             * @description Name for people
             * @example Bob
             */
            name?: string | null;
            avatar?: components["schemas"]["AvatarField"];
            /**
             * Format: uri
             * @description URL for notifications to the contact
             */
            notifications_url?: string | null;
            email?: components["schemas"]["EmailField"];
            /** @description EVM address, or empty */
            evm_public_address?: string | null;
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
            /** @description True: the contact gets a redeem code. False: it gets none, and id is required */
            is_placeholder?: boolean | null;
            /** @description Secret from which the id is derived; it is not stored */
            secret_entropy?: string | null;
            /** @description BIP-39 phrase from which the id is derived; it is not stored */
            seed_phrase?: string | null;
        };
        UpdateContactBody: {
            /** @description Id of the record */
            id: string;
            name?: components["schemas"]["NameField"];
            avatar?: components["schemas"]["AvatarField"];
            /**
             * Format: uri
             * @description URL for notifications to the contact
             */
            notifications_url?: string | null;
            email?: components["schemas"]["EmailField"];
            /** @description EVM address, or empty */
            evm_public_address?: string | null;
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteContactBody: {
            /** @description Id of the record */
            id: string;
        };
        EraseContactBody: {
            /** @description Current or former user id of the person */
            id: string;
        };
        RedeemContactBody: {
            /** @description User id of the placeholder */
            current_user_id: string;
            /** @description User id of the caller, or an id that is not in use */
            new_user_id: string;
            /** @description Begins with RedeemTokenID_; a missing or malformed code gets the same error as a wrong one */
            redeem_code?: string | null;
            note?: components["schemas"]["NoteField"];
        };
        AutoLoginBody: {
            /** @description Id of the user */
            user_id: string;
            /** @description Value of a valid API key of that user */
            profile_api_key: string;
        };
        ReplayBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /**
             * @description Families whose records are returned; absent or empty: counts only
             * @example [
             *       "contacts"
             *     ]
             */
            include?: ("organization" | "contacts" | "groups" | "group_invites" | "disks" | "folders" | "files" | "directory_permissions" | "system_permissions" | "labels" | "api_keys" | "webhooks" | "drives" | "shortlinks" | "superswaps" | "purchases" | "bookmarks" | "ALL")[] | null;
            /** @description Only this record, of any family; the id of the organization also returns its record in `drives` */
            record_id?: string | null;
            /**
             * @description True: folds from event 0 and verifies every hash
             * @default false
             */
            verify?: boolean | null;
            /**
             * @description False: omits state_hash
             * @default true
             */
            hash?: boolean | null;
        };
        ReindexBody: {
            /** @description Ignored; accepted for older clients. A rebuild is always complete */
            force?: boolean | null;
            /**
             * @description True: returns the job immediately
             * @default false
             */
            async?: boolean | null;
        };
        HistoryBody: {
            /** @description Only events that changed or concern this record */
            resource_id?: string | null;
            /** @description Only events of this user */
            actor?: string | null;
            types?: components["schemas"]["TypesField"];
            /**
             * @description Only events of this command
             * @example CreateGroup
             */
            command?: string | null;
            /** @description Only events of the request with this id */
            correlation_id?: string | null;
            allowed_by?: components["schemas"]["AllowedByField"];
            /** @description Case-insensitive substring of the audit reason */
            reason?: string | null;
            from_ms?: components["schemas"]["FromMsField"];
            to_ms?: components["schemas"]["ToMsField"];
            from_revision?: components["schemas"]["FromRevisionField"];
            to_revision?: components["schemas"]["ToRevisionField"];
            page_size?: components["schemas"]["PageSizeField"];
            /**
             * @description DESC: newest first
             * @default DESC
             */
            direction?: "ASC" | "DESC" | null;
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
        };
        TimelineBody: {
            /** @description Only events that changed or concern this record */
            resource_id?: string | null;
            /** @description Only events of this user */
            actor?: string | null;
            types?: components["schemas"]["TypesField"];
            /**
             * @description Only events of this command
             * @example CreateGroup
             */
            command?: string | null;
            /** @description Only events of the request with this id */
            correlation_id?: string | null;
            allowed_by?: components["schemas"]["AllowedByField"];
            /** @description Case-insensitive substring of the audit reason */
            reason?: string | null;
            from_ms?: components["schemas"]["FromMsField"];
            to_ms?: components["schemas"]["ToMsField"];
            from_revision?: components["schemas"]["FromRevisionField"];
            to_revision?: components["schemas"]["ToRevisionField"];
            /**
             * @description Maximum number of buckets
             * @default 200
             */
            buckets?: number | null;
        };
        PointBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
        };
        CompareBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /** @description Earlier point */
            from: components["schemas"]["PointBody"];
            /** @description Later point; absent: now */
            to?: components["schemas"]["PointBody"] | null;
            /**
             * @description Families to compare; absent or empty: all
             * @example [
             *       "contacts"
             *     ]
             */
            include?: ("organization" | "contacts" | "groups" | "group_invites" | "disks" | "folders" | "files" | "directory_permissions" | "system_permissions" | "labels" | "api_keys" | "webhooks" | "drives" | "shortlinks" | "superswaps" | "purchases" | "bookmarks" | "ALL")[] | null;
        };
        ExplainBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            grantee_id: components["schemas"]["GranteeIdField"];
            resource_id: components["schemas"]["ResourceIdField"];
        };
        WhoBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            resource_id: components["schemas"]["ResourceIdField"];
            /** @description Only holders of this type */
            permission_type?: "VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE" | null;
        };
        ReachBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            grantee_id: components["schemas"]["GranteeIdField"];
            /** @description Only resources on which the grantee holds this type */
            permission_type?: "VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE" | null;
            /**
             * @description Only resources of these families; absent or empty: all
             * @example [
             *       "folders"
             *     ]
             */
            families?: ("folders" | "files" | "tables" | "contacts" | "groups" | "group_invites" | "disks" | "directory_permissions" | "system_permissions" | "labels" | "api_keys" | "webhooks" | "drives" | "purchases")[] | null;
            /**
             * @description True: one row per subtree; false: one row per resource
             * @default true
             */
            collapse?: boolean | null;
        };
        AccessCheckBody: {
            grantee_id: components["schemas"]["GranteeIdField"];
            resource_id: components["schemas"]["ResourceIdField"];
            /** @description Permission type */
            permission_type: "VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE";
        };
        CheckManyBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            /** @description Checks to run */
            checks: components["schemas"]["AccessCheckBody"][];
        };
        AccessTimelineBody: {
            grantee_id: components["schemas"]["GranteeIdField"];
            resource_id: components["schemas"]["ResourceIdField"];
        };
        AccessDiffBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /** @description Earlier point */
            from: components["schemas"]["PointBody"];
            /** @description Later point; absent: now */
            to?: components["schemas"]["PointBody"] | null;
            /** @description Only changes for this grantee */
            grantee_id?: string | null;
            /** @description Only changes on this resource */
            resource_id?: (string | (string | {
                /** @description Type */
                type: "Table" | "Record";
                /** @description Id of the record, or name of the table */
                value: string;
            } | {
                /** @description Name of the table */
                Table: string;
            } | {
                /** @description Id of the record */
                Record: string;
            })) | null;
        };
        ProveRecordBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            /**
             * @description Id of the record
             * @example GroupID_1
             */
            record_id: string;
            /** @description If absent, the family of the record, or the family of the id prefix if there is no record. Required for the organization's own record in the address book (`drives`), and for absent records whose id has no prefix. 400 for an absent record if the id prefix belongs to another family */
            family?: "organization" | "contacts" | "groups" | "group_invites" | "disks" | "folders" | "files" | "directory_permissions" | "system_permissions" | "labels" | "api_keys" | "webhooks" | "drives" | "shortlinks" | "superswaps" | "purchases" | "bookmarks" | null;
        };
        VerifyBody: {
            /** @description A response of `organization/digest`; the check fails if the stream no longer contains it */
            digest?: {
                [key: string]: unknown;
            } | null;
        };
        SearchBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /**
             * @description Text to search for
             * @example fin
             */
            query: string;
            /** @description Families to search; absent: all */
            categories?: ("ALL" | "METADATA" | "CONTACTS" | "GROUPS" | "DISKS" | "FOLDERS" | "FILES" | "DRIVES" | "PURCHASES")[] | null;
            /**
             * @description Order of the results
             * @default UPDATED_AT
             */
            sort_by?: "CREATED_AT" | "UPDATED_AT" | "RELEVANCE" | "SCORE" | "ALPHABETICAL" | null;
        };
        TransferOwnershipBody: {
            /** @description Required unless `cancel` is true */
            next_owner_id?: string | null;
            /** @description True cancels the pending transfer; send no other field with it */
            cancel?: boolean | null;
        };
        UpdateAllowedDomainsBody: {
            /**
             * @description Domain names
             * @example example.com,*.example.org
             */
            allowed_domains: string | string[];
        };
        SuperswapUserBody: {
            /** @description User id to be replaced */
            current_user_id: string;
            /** @description User id that replaces it */
            new_user_id: string;
        };
        RedeemOrganizationBody: {
            /** @description Secret code that authorizes the call */
            redeem_code: string;
        };
        ExternalIdsBody: {
            /** @description External ids to find */
            external_ids: string[];
        };
        InboxBody: {
            /** @description If present, the id of this organization */
            drive_id?: string | null;
            /** @description Topic of the notice */
            topic?: string | null;
            /** @description Content of the notice */
            payload?: (Record<string, never> | unknown[] | string | number | boolean) | null;
        };
        ShortlinkBody: {
            /** @description Without original_url: the link to follow */
            slug?: string | null;
            /**
             * Format: uri
             * @description Without `slug`: the target of a new link. With `slug`: the link is deleted
             */
            original_url?: string | null;
        };
        CreateDiskBody: {
            /** @description Id of the record */
            id?: string | null;
            /**
             * @description Name for people
             * @example Archive
             */
            name: string;
            disk_type: components["schemas"]["DiskTypeField"];
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            /** @description For AWS_BUCKET and STORJ_WEB3: JSON with the credentials of the bucket */
            auth_json?: string | null;
            /**
             * Format: uri
             * @description URL of the storage
             */
            endpoint?: string | null;
            /**
             * Format: uri
             * @description Alias of endpoint, which takes precedence
             */
            billing_url?: string | null;
            autoexpire_ms?: components["schemas"]["AutoexpireMsField"];
            /** @description Maximum bytes of stored content; absent = unlimited */
            quota_bytes?: number | null;
            /** @description Versions of a file whose content is kept, with the current one; absent = all */
            keep_versions?: number | null;
            /** @description Days for which the content of former versions is kept; absent = unlimited */
            keep_versions_days?: number | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateDiskBody: {
            /** @description Id of the record */
            id: string;
            /** @description Required with Prefer: handling=strict */
            name?: string;
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            /** @description Credentials of the bucket as JSON text; stored encrypted, never returned */
            auth_json?: string | null;
            /**
             * Format: uri
             * @description URL of the storage
             */
            endpoint?: string | null;
            billing_url?: components["schemas"]["BillingUrlField"];
            autoexpire_ms?: components["schemas"]["AutoexpireMsField"];
            /** @description Maximum bytes of stored content; null = unlimited */
            quota_bytes?: number | null;
            /** @description Versions of a file whose content is kept; null = all */
            keep_versions?: number | null;
            /** @description Days for which former versions are kept; null = unlimited */
            keep_versions_days?: number | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteDiskBody: {
            /** @description Id of the record */
            id: string;
        };
        ListDirectoryBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            filters?: components["schemas"]["FiltersField"];
            /** @description The folder to list; takes precedence over path and disk_id */
            folder_id?: string | null;
            /**
             * @description Full path of the folder; the trailing slash is optional
             * @example DiskID_3f0c…::/reports/
             */
            path?: string | null;
            /** @description Without folder_id and path: lists the items shared with the caller on this disk */
            disk_id?: string | null;
        };
        GetFilePayload: {
            id: components["schemas"]["IdField"];
            /** @description Hash that tracks from whom a link was received */
            share_track_hash?: string | null;
            /** @description True: the response contains a link that downloads the content without a token */
            request_download_url?: boolean | null;
        };
        GetFolderPayload: {
            id: components["schemas"]["IdField2"];
            /** @description Hash that tracks from whom a link was received */
            share_track_hash?: string | null;
        };
        CreateFilePayload: {
            name: components["schemas"]["NameField2"];
            /** @description Id of the folder that contains it */
            parent_folder_uuid: string;
            /** @description Disk of the parent folder */
            disk_id: string;
            /** @description Label values; unknown values are ignored */
            labels?: string[] | null;
            expires_at?: components["schemas"]["ExpiresAtField3"];
            file_conflict_resolution?: components["schemas"]["FileConflictResolutionField"];
            /** @description True: the item does not inherit permissions; requires MANAGE on the parent */
            has_sovereign_permissions?: boolean | null;
            notes?: components["schemas"]["NoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
            /** @description The id of an existing file stores a new version of that file */
            id?: string | null;
            /** @description Size in bytes; an upload must not be larger */
            file_size: number;
            /** @description SHA-256 of the content, hex; the upload form then accepts no other content */
            upload_sha256?: string | null;
            /** @description Used for names without a dot: at most 32 of A-Z, a-z, 0-9, _ and -, with or without a leading dot */
            extension?: string | null;
            /**
             * Format: uri
             * @description URL of the content, if it is not on the disk
             */
            raw_url?: string | null;
            /** @description Id of the item that it is a shortcut to; null for none */
            shortcut_to?: string | null;
        };
        CreateFolderPayload: {
            name: components["schemas"]["NameField2"];
            /** @description Id of the folder that contains it */
            parent_folder_uuid: string;
            /** @description Disk of the parent folder */
            disk_id: string;
            /** @description Label values; unknown values are ignored */
            labels?: string[] | null;
            expires_at?: components["schemas"]["ExpiresAtField3"];
            file_conflict_resolution?: components["schemas"]["FileConflictResolutionField"];
            /** @description True: the item does not inherit permissions; requires MANAGE on the parent */
            has_sovereign_permissions?: boolean | null;
            notes?: components["schemas"]["NoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
            /** @description Id of the record */
            id?: string | null;
            /** @description Id of the item that it is a shortcut to; null for none */
            shortcut_to?: string | null;
        };
        UpdateFilePayload: {
            name?: components["schemas"]["NameField3"];
            labels?: components["schemas"]["LabelsField"];
            expires_at?: components["schemas"]["ExpiresAtField3"];
            notes?: components["schemas"]["NoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
            id: components["schemas"]["IdField"];
            /** @description State of the upload */
            upload_status?: "QUEUED" | "PENDING" | "COMPLETED" | null;
            /**
             * Format: uri
             * @description URL of the content, if it is not on the disk; content on the disk stays that of a former version, and the URL starts a new one; a file that waits for its content becomes COMPLETED, unless request_presigned_url or upload_status is given
             */
            raw_url?: string | null;
            /** @description Id of the item that it is a shortcut to; null for none */
            shortcut_to?: string | null;
            /** @description True: the response contains a new upload form; for a COMPLETED file, the upload is a new version */
            request_presigned_url?: boolean | null;
            /** @description With request_presigned_url: maximum bytes of the upload; default: the size of the file in a bucket, or CONTENT_MAX_BYTES */
            upload_size?: number | null;
            /** @description With request_presigned_url: SHA-256 of the content, hex; the form accepts no other */
            upload_sha256?: string | null;
            /** @description A former version; it becomes the current one again, as a new version with its content. Not together with request_presigned_url */
            restore_version_id?: string | null;
        };
        UpdateFolderPayload: {
            name?: components["schemas"]["NameField3"];
            labels?: components["schemas"]["LabelsField"];
            expires_at?: components["schemas"]["ExpiresAtField3"];
            notes?: components["schemas"]["NoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
            id: components["schemas"]["IdField2"];
            /** @description Id of the item that it is a shortcut to; null for none */
            shortcut_to?: string | null;
        };
        DeleteFilePayload: {
            id: components["schemas"]["IdField"];
            /**
             * @description True: deletes permanently, without the trash
             * @default false
             */
            permanent?: boolean | null;
        };
        DeleteFolderPayload: {
            id: components["schemas"]["IdField2"];
            /**
             * @description True: deletes permanently, without the trash
             * @default false
             */
            permanent?: boolean | null;
        };
        TransferFilePayload: {
            /** @description Required unless the path is given; takes precedence over it */
            destination_folder_id?: string | null;
            /** @description Full path of a folder */
            destination_folder_path?: string | null;
            file_conflict_resolution?: components["schemas"]["FileConflictResolutionField"];
            id: components["schemas"]["IdField"];
        };
        TransferFolderPayload: {
            /** @description Required unless the path is given; takes precedence over it */
            destination_folder_id?: string | null;
            /** @description Full path of a folder */
            destination_folder_path?: string | null;
            file_conflict_resolution?: components["schemas"]["FileConflictResolutionField"];
            id: components["schemas"]["IdField2"];
        };
        RestoreTrashPayload: {
            /** @description Id of the record */
            id: string;
            /** @description Full path of a folder, which is created if missing; absent: the original folder, else the root */
            restore_to_folder_path?: string | null;
            file_conflict_resolution?: components["schemas"]["FileConflictResolutionField"];
        };
        ActionBody: {
            /**
             * @description GET_FILE, GET_FOLDER, CREATE_FILE, CREATE_FOLDER, UPDATE_FILE, UPDATE_FOLDER, DELETE_FILE, DELETE_FOLDER, COPY_FILE, COPY_FOLDER, MOVE_FILE, MOVE_FOLDER, RESTORE_TRASH
             * @example GET_FOLDER
             */
            action: string;
            /** @description Input of the action */
            payload?: (components["schemas"]["GetFilePayload"] | components["schemas"]["GetFolderPayload"] | components["schemas"]["CreateFilePayload"] | components["schemas"]["CreateFolderPayload"] | components["schemas"]["UpdateFilePayload"] | components["schemas"]["UpdateFolderPayload"] | components["schemas"]["DeleteFilePayload"] | components["schemas"]["DeleteFolderPayload"] | components["schemas"]["TransferFilePayload"] | components["schemas"]["TransferFolderPayload"] | components["schemas"]["RestoreTrashPayload"]) | null;
            /**
             * @deprecated
             * @description For older clients: resource_id replaces an absent id (CREATE_*: parent_folder_uuid) of the payload
             */
            target?: {
                /** @description Id of the record, or name of the table */
                resource_id?: string;
            } | null;
        };
        ActionsBody: {
            /** @description Actions, in order */
            actions: components["schemas"]["ActionBody"][];
        };
        ListVersionsBody: {
            page_size?: components["schemas"]["PageSizeField"];
            /**
             * @description Order by creation time
             * @default DESC
             */
            direction?: "ASC" | "DESC" | null;
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /** @description Id of the file */
            file_id: string;
        };
        CreateApiKeyBody: {
            /** @description Id of the record */
            id?: string | null;
            /**
             * @description Name for people
             * @example Build server
             */
            name: string;
            /** @description The user that the key acts as; default: the caller */
            user_id?: string | null;
            /** @description Default: now */
            begins_at?: (number | string) | null;
            expires_at?: components["schemas"]["ExpiresAtField4"];
            private_note?: components["schemas"]["PrivateNoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateApiKeyBody: {
            /** @description Id of the record */
            id: string;
            name?: components["schemas"]["NameField"];
            /** @description Start time in ms; 0 = no start */
            begins_at?: (number | string) | null;
            expires_at?: components["schemas"]["ExpiresAtField4"];
            /** @description Only the owner may set it back to false */
            is_revoked?: boolean | null;
            private_note?: components["schemas"]["PrivateNoteField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteApiKeyBody: {
            /** @description Id of the record */
            id: string;
        };
        ListLabelsBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /**
             * @description Case-insensitive prefix of the value
             * @default
             */
            filters?: (string | {
                /** @description Beginning of the value; case-insensitive */
                prefix?: string;
            }) | null;
        };
        CreateLabelBody: {
            /** @description Id of the record */
            id?: string | null;
            /**
             * @description Stored in lower case; unique among labels
             * @example urgent
             */
            value: string;
            /** @description Default #3B82F6 */
            color?: string | null;
            /** @description Alias of public_note, which takes precedence */
            description?: string | null;
            /** @description Note for all who may read the record */
            public_note?: string | null;
            /** @description Note for those who may edit the record */
            private_note?: string | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateLabelBody: {
            /** @description Id of the record */
            id: string;
            /**
             * @description Stored in lower case; unique among labels
             * @example urgent
             */
            value?: string | null;
            /** @description Colour as #rrggbb */
            color?: string | null;
            /** @description Alias of public_note, which takes precedence */
            description?: string | null;
            /** @description Note for all who may read the record */
            public_note?: string | null;
            /** @description Note for those who may edit the record */
            private_note?: string | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteLabelBody: {
            /** @description Id of the record */
            id: string;
        };
        PinLabelBody: {
            /** @description Id of the label */
            label_id: string;
            /** @description Id of the record, or name of the table */
            resource_id: string;
            /** @description True pins the label, false unpins it */
            add: boolean;
        };
        CreateKnownDriveBody: {
            /** @description Default: DriveID_ followed by the principal */
            id?: string | null;
            /**
             * @description Name for people
             * @example Acme
             */
            name: string;
            /**
             * @description Principal of the identity
             * @example rrkah-fqaaa-aaaaa-aaaaq-cai
             */
            icp_principal: string;
            /**
             * Format: uri
             * @description Default: https://{icp_principal}.icp0.io
             */
            host_url?: string | null;
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            email?: components["schemas"]["EmailField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateKnownDriveBody: {
            /** @description Id of the record */
            id: string;
            name?: components["schemas"]["NameField"];
            /**
             * @description Principal of the identity
             * @example rrkah-fqaaa-aaaaa-aaaaq-cai
             */
            icp_principal?: string | null;
            /**
             * Format: uri
             * @description Null resets it to the default
             */
            host_url?: string | null;
            public_note?: components["schemas"]["PublicNoteField"];
            private_note?: components["schemas"]["PrivateNoteField"];
            email?: components["schemas"]["EmailField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteKnownDriveBody: {
            /** @description Id of the record */
            id: string;
        };
        CreatePurchaseBody: {
            /** @description Id of the record */
            id?: string | null;
            /** @description Id of the template */
            template_id?: string | null;
            /**
             * @description Title for people
             * @example Hosting, one year
             */
            title: string;
            /** @description Second line of the title */
            subtitle?: string | null;
            /** @description Description for people */
            description?: string | null;
            /** @description Name of the vendor */
            vendor_name?: string | null;
            /** @description The vendor may read the purchase and update its progress */
            vendor_id?: string | null;
            /** @description Default: REQUESTED */
            status?: "REQUESTED" | "AWAITING" | "RUNNING" | "BLOCKED" | "COMPLETED" | "FAILED" | "CANCELED" | "REFUNDED" | "ARCHIVED" | "PAID" | "PAYMENT_REQUIRED" | "PAYMENT_FAILED" | "UNKNOWN" | null;
            /** @description Price as text */
            pricing?: string | null;
            /**
             * Format: uri
             * @description URL of a page about it
             */
            about_url?: string | null;
            billing_url?: components["schemas"]["BillingUrlField"];
            /**
             * Format: uri
             * @description URL for support
             */
            support_url?: string | null;
            /**
             * Format: uri
             * @description URL of the delivery
             */
            delivery_url?: string | null;
            /**
             * Format: uri
             * @description URL for verification
             */
            verification_url?: string | null;
            /**
             * Format: uri
             * @description URL that installs the authentication
             */
            auth_installation_url?: string | null;
            /** @description ms; -1 = none */
            next_delivery_date?: (number | string) | null;
            /** @description Notes of the vendor */
            vendor_notes?: string | null;
            /** @description Note for people */
            notes?: string | null;
            /** @description Text that the response repeats */
            tracer?: string | null;
            related_resources?: components["schemas"]["RelatedResourcesField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdatePurchaseBody: {
            /** @description Id of the record */
            id: string;
            /** @description Id of the template */
            template_id?: string | null;
            /** @description Title for people */
            title?: string | null;
            /** @description Second line of the title */
            subtitle?: string | null;
            /** @description Description for people */
            description?: string | null;
            /** @description Name of the vendor */
            vendor_name?: string | null;
            /** @description Id of the vendor */
            vendor_id?: string | null;
            /** @description Status */
            status?: "REQUESTED" | "AWAITING" | "RUNNING" | "BLOCKED" | "COMPLETED" | "FAILED" | "CANCELED" | "REFUNDED" | "ARCHIVED" | "PAID" | "PAYMENT_REQUIRED" | "PAYMENT_FAILED" | "UNKNOWN" | null;
            /** @description Price as text */
            pricing?: string | null;
            /**
             * Format: uri
             * @description URL of a page about it
             */
            about_url?: string | null;
            billing_url?: components["schemas"]["BillingUrlField"];
            /**
             * Format: uri
             * @description URL for support
             */
            support_url?: string | null;
            /**
             * Format: uri
             * @description URL of the delivery
             */
            delivery_url?: string | null;
            /**
             * Format: uri
             * @description URL for verification
             */
            verification_url?: string | null;
            /**
             * Format: uri
             * @description URL that installs the authentication
             */
            auth_installation_url?: string | null;
            /** @description Time of the next delivery in ms */
            next_delivery_date?: (number | string) | null;
            /** @description Notes of the vendor */
            vendor_notes?: string | null;
            /** @description Note for people */
            notes?: string | null;
            /** @description Text that the response repeats */
            tracer?: string | null;
            related_resources?: components["schemas"]["RelatedResourcesField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeletePurchaseBody: {
            /** @description Id of the record */
            id: string;
        };
        CreateBookmarkBody: {
            at_ms?: components["schemas"]["AtMsField"];
            revision?: components["schemas"]["RevisionField"];
            at?: components["schemas"]["AtField"];
            /**
             * @description Name for people
             * @example year-end
             */
            name: string;
            note?: components["schemas"]["NoteField"];
        };
        DeleteBookmarkBody: {
            /**
             * @description Name for people
             * @example year-end
             */
            name: string;
        };
        CreateWebhookBody: {
            /** @description Id of the record */
            id?: string | null;
            /**
             * @description The watched object, depending on the event: an item, group or label id, ALL_FILES, ALL_FOLDERS, RESTORE_TRASH, STATE_DIFFS, SUPERSWAP_USER, INBOX_NEW_MAIL, or an inbox topic. ALL is stored as ALL_FILES, ALL_FOLDERS or, for drive.restore_trash, RESTORE_TRASH. A stored content updates its file
             * @example INBOX_NEW_MAIL
             */
            alt_index: string;
            /**
             * Format: uri
             * @description URL to which events are sent
             * @example https://example.com/hook
             */
            url: string;
            /**
             * @description Event that is sent
             * @example org.inbox.new_mail
             */
            event: "file.viewed" | "file.created" | "file.updated" | "file.deleted" | "file.shared" | "folder.viewed" | "folder.created" | "folder.updated" | "folder.deleted" | "folder.shared" | "subfile.viewed" | "subfile.created" | "subfile.updated" | "subfile.deleted" | "subfile.shared" | "subfolder.viewed" | "subfolder.created" | "subfolder.updated" | "subfolder.deleted" | "subfolder.shared" | "group.invite.created" | "group.invite.updated" | "drive.restore_trash" | "drive.state_diffs" | "label.added" | "label.removed" | "org.superswap_user" | "org.inbox.new_mail";
            /** @description Default: `<event>@<alt_index>` */
            name?: string | null;
            /** @description Sent as the header `signature` */
            signature?: string | null;
            /** @description Description for people */
            description?: string | null;
            note?: components["schemas"]["NoteField"];
            /** @description Default: true */
            active?: boolean | null;
            /** @description JSON object as text; `topic` limits an inbox webhook to one topic */
            filters?: string | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateWebhookBody: {
            id: components["schemas"]["IdField3"];
            name?: components["schemas"]["NameField"];
            /**
             * Format: uri
             * @description URL to which events are sent
             */
            url?: string | null;
            /** @description Sent as the header `signature` */
            signature?: string | null;
            /** @description Description for people */
            description?: string | null;
            note?: components["schemas"]["NoteField"];
            /** @description False: the webhook sends nothing */
            active?: boolean | null;
            /** @description JSON object as text; `topic` limits an inbox webhook to one topic */
            filters?: string | null;
            /** @description True generates a new secret, which is shown only once */
            rotate_secret?: boolean | null;
            /** @description True makes the caller the creator, whose permissions limit the deliveries */
            take_over?: boolean | null;
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        WebhookDeliveriesBody: {
            page_size?: components["schemas"]["PageSizeField"];
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            id: components["schemas"]["IdField3"];
        };
        ReplayWebhookBody: {
            id: components["schemas"]["IdField3"];
            /** @description Revision of the first event */
            from_revision: number;
            /** @description Revision of the last event */
            to_revision: number;
        };
        TestWebhookBody: {
            id: components["schemas"]["IdField3"];
        };
        DeleteWebhookBody: {
            id: components["schemas"]["IdField3"];
        };
        DirectoryPermissionFilters: {
            resource_id: components["schemas"]["ResourceIdField2"];
        };
        ListDirectoryPermissionsBody: {
            /**
             * @description Maximum number of records in a page
             * @default 10
             */
            page_size?: number | null;
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /** @description Conditions; all must hold */
            filters: components["schemas"]["DirectoryPermissionFilters"];
        };
        CreateDirectoryPermissionBody: {
            /** @description Id of the record */
            id?: string | null;
            resource_id: components["schemas"]["ResourceIdField2"];
            granted_to?: components["schemas"]["GrantedToField"];
            /** @description Permission types granted */
            permission_types: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE")[];
            begin_date_ms?: components["schemas"]["ActiveFromField"];
            expiry_date_ms?: components["schemas"]["ExpiresAtField"];
            /** @description Default: false */
            inheritable?: boolean | null;
            note?: components["schemas"]["NoteField"];
            metadata?: components["schemas"]["MetadataField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateDirectoryPermissionBody: {
            /** @description Id of the record */
            id: string;
            /** @description Replaces all permission types. Required with Prefer: handling=strict */
            permission_types?: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE")[];
            begin_date_ms?: components["schemas"]["BeginDateMsField"];
            expiry_date_ms?: components["schemas"]["ExpiresAtField2"];
            /** @description Whether the grant also applies to items within */
            inheritable?: boolean | null;
            note?: components["schemas"]["NoteField"];
            metadata?: components["schemas"]["MetadataField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteDirectoryPermissionBody: {
            /** @description Required, unless sent as `id` */
            permission_id?: string | null;
            /** @description Alias of `permission_id` */
            id?: string | null;
        };
        CheckDirectoryPermissionBody: {
            resource_id: components["schemas"]["ResourceIdField2"];
            grantee_id: components["schemas"]["GranteeIdField"];
        };
        RedeemDirectoryPermissionBody: {
            /** @description Id of the grant */
            permission_id: string;
            /** @description User who receives the grant; may differ from the caller */
            user_id: string;
            /** @description Secret code that authorizes the call */
            redeem_code: string;
            note?: components["schemas"]["NoteField"];
        };
        SystemPermissionFilters: {
            /** @description Only grants with one of these values */
            resource_ids?: (string | {
                /** @description Type */
                type: "Table" | "Record";
                /** @description Id of the record, or name of the table */
                value: string;
            } | {
                /** @description Name of the table */
                Table: string;
            } | {
                /** @description Id of the record */
                Record: string;
            })[] | null;
            /** @description Only grants with one of these values */
            grantee_ids?: string[] | null;
            /** @description Only grants with one of these values */
            labels?: string[] | null;
        };
        ListSystemPermissionsBody: {
            /**
             * @description Maximum number of records in a page
             * @default 10
             */
            page_size?: number | null;
            direction?: components["schemas"]["DirectionField"];
            cursor?: components["schemas"]["CursorField"];
            cursor_up?: components["schemas"]["CursorUpField"];
            cursor_down?: components["schemas"]["CursorDownField"];
            /** @description Conditions; all must hold */
            filters?: components["schemas"]["SystemPermissionFilters"] | null;
        };
        CreateSystemPermissionBody: {
            /** @description Id of the record */
            id?: string | null;
            resource_id: components["schemas"]["ResourceIdField3"];
            granted_to?: components["schemas"]["GrantedToField"];
            /** @description Permission types granted */
            permission_types: ("CREATE" | "VIEW" | "EDIT" | "DELETE" | "INVITE")[];
            begin_date_ms?: components["schemas"]["ActiveFromField"];
            expiry_date_ms?: components["schemas"]["ExpiresAtField"];
            /** @description Default: true; stored, but without effect */
            inheritable?: boolean | null;
            note?: components["schemas"]["NoteField"];
            metadata?: components["schemas"]["MetadataField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        UpdateSystemPermissionBody: {
            /** @description Id of the system permission */
            id: string;
            /** @description Id of the record, or name of the table */
            resource_id?: (string | {
                /** @description Type */
                type: "Table" | "Record";
                /** @description Id of the record, or name of the table */
                value: string;
            } | {
                /** @description Name of the table */
                Table: string;
            } | {
                /** @description Id of the record */
                Record: string;
            }) | null;
            /** @description A placeholder gets a new redeem code */
            granted_to?: string | null;
            /** @description Permission types granted */
            permission_types?: ("CREATE" | "VIEW" | "EDIT" | "DELETE" | "INVITE")[] | null;
            begin_date_ms?: components["schemas"]["BeginDateMsField"];
            expiry_date_ms?: components["schemas"]["ExpiresAtField2"];
            /** @description Whether the grant also applies to items within */
            inheritable?: boolean | null;
            note?: components["schemas"]["NoteField"];
            metadata?: components["schemas"]["MetadataField"];
            external_id?: components["schemas"]["ExternalIdField"];
            external_payload?: components["schemas"]["ExternalPayloadField"];
        };
        DeleteSystemPermissionBody: {
            /** @description Required, unless sent as `id` */
            permission_id?: string | null;
            /** @description Alias of `permission_id` */
            id?: string | null;
        };
        CheckSystemPermissionBody: {
            resource_id: components["schemas"]["ResourceIdField3"];
            grantee_id: components["schemas"]["GranteeIdField"];
        };
        RedeemSystemPermissionBody: {
            /** @description Id of the grant */
            permission_id: string;
            /** @description User who receives the grant; may differ from the caller */
            user_id: string;
            /** @description Secret code that authorizes the call */
            redeem_code: string;
            note?: components["schemas"]["NoteField"];
        };
        TransactionCommandBody: {
            /**
             * @description Path of the command after the organization id
             * @example groups/create
             */
            path: string;
            /** @description A string such as `$0.id` refers to a field of an earlier result */
            body?: {
                [key: string]: unknown;
            } | null;
            /** @description Same as the header If-Match */
            if_match?: string | null;
        };
        TransactionBody: {
            /** @description Commands, in order */
            commands: components["schemas"]["TransactionCommandBody"][];
        };
        Root: {
            /**
             * @description Always true
             * @example true
             */
            root: boolean;
        };
        Health: {
            /**
             * @description Message for people
             * @example OK
             */
            message: string;
        };
        StorePart: {
            /** @description Whether the store works */
            works: boolean;
            /** @description The problem in one sentence; null if `works` is true */
            problem: string | null;
        };
        Damage: {
            /** @description The organization, or "factory" */
            drive_id: string;
            /** @description Kind of damage */
            kind: "limited" | "cut" | "deleted" | "foreign-event" | "broken" | "unknown-events";
            /** @description What is wrong where, and what to do */
            says: string;
        };
        Readiness: {
            /** @description Whether the service can serve requests */
            ready: boolean;
            /** @description False while a store cannot be reached, or after it has failed permanently */
            stores_answer: boolean;
            /** @description False while events cannot be stored; commands then return 503 */
            appends_succeed: boolean;
            /** @description Reads of events, tried for this response */
            reads: components["schemas"]["StorePart"];
            /** @description Writes of events: the result of the last append; after a failure, the store is checked again */
            writes: components["schemas"]["StorePart"];
            /** @description Number of organizations in memory */
            drives_in_memory: number;
            /** @description Largest lag of a read model behind its stream, in events */
            projection_lag_events: number;
            /** @description Types of stored events that are unknown to this release */
            unknown_events: string[];
            /** @description Organizations closed to commands, at most 100 */
            closed_drives: string[];
            /** @description Organizations with damaged event streams, at most 100, each with the remedy */
            damaged_drives: components["schemas"]["Damage"][];
            /** @description Organizations whose webhooks are quarantined, at most 100 */
            quarantined_webhooks: string[];
        };
        NewOrganization: {
            /**
             * @description Id of the organization
             * @example DriveID_2vxsx-fae
             */
            drive_id: string;
            /** @description Name of the organization */
            org_name: string;
            host_url: components["schemas"]["HostUrlField"];
            /**
             * Format: uri
             * @description URL of the web client
             */
            frontend_url: string;
            /** @description Text that the response repeats */
            tracer: string | null;
        };
        AuthJson: {
            /** @description URL of the service */
            host: string;
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Name of the organization */
            org_name: string;
            /** @description Id of the user */
            user_id: string;
            /** @description Name of the person */
            profile_name: string;
            /** @description The token; shown this once */
            api_key_value: string;
        };
        Person: {
            /** @description Id of the user */
            user_id: string;
            /** @description The token; shown this once */
            api_key_value: string;
            /**
             * Format: uri
             * @description Link that signs the person in; contains a secret
             */
            auto_login_url: string;
            /** @description Sign-in data of the person */
            auth_json: components["schemas"]["AuthJson"];
            /** @description Text that the response repeats */
            tracer: string | null;
        };
        Quickstart: {
            /** @description The organization */
            organization: components["schemas"]["NewOrganization"];
            /** @description The admin, who owns the organization */
            admin: components["schemas"]["Person"];
            /** @description People beside the admin */
            members: components["schemas"]["Person"][];
        };
        Migration: {
            /**
             * @description Whether it succeeded
             * @example true
             */
            success: boolean;
            /** @description Message for people */
            message: string;
            /** @description Version of the record format in states */
            state_version: number;
            /** @description Number of organizations */
            drives: number;
            /** @description Time in ms */
            timestamp_ms: number;
        };
        BundledDisk: {
            /** @description Name for people */
            name: string;
            disk_type: components["schemas"]["DiskTypeField"];
            /** @description Note for all who may read the record */
            public_note: string | null;
            /** @description Lifetime of new files, ms */
            autoexpire_ms: number | null;
            /**
             * Format: uri
             * @description URL for billing
             */
            billing_url: string | null;
            /** @description Null unless the caller is a factory admin */
            auth_json: {
                [key: string]: unknown;
            } | null;
        };
        Giftcard: {
            /**
             * @description Id of the record
             * @example GiftcardSpawnOrgID_3f0c…
             */
            id: string;
            /** @description Revenue in US cents */
            usd_revenue_cents: number;
            /** @description Note for people */
            note: string;
            /** @description Kept for older clients */
            gas_cycles_included: number;
            /** @description Time of creation, ms */
            timestamp_ms: number;
            external_id: components["schemas"]["ExternalIdField2"];
            /** @description Whether it was redeemed */
            redeemed: boolean;
            /** @description Disk that the organization begins with */
            bundled_default_disk: components["schemas"]["BundledDisk"] | null;
        };
        GiftcardRedemption: {
            /** @description User id of the owner */
            owner_id: string;
            /**
             * @description Id of the organization
             * @example DriveID_2vxsx-fae
             */
            drive_id: string;
            /** @description API base of this server */
            host: string;
            /** @description The spawn code, for organization/redeem; shown this once */
            redeem_code: string;
            /** @description Never with its credentials */
            bundled_default_disk: components["schemas"]["BundledDisk"] | null;
            external_id: components["schemas"]["ExternalIdField2"];
        };
        PageFrame: {
            /** @description Maximum number of records in a page */
            page_size: number;
            /** @description Number of matching records on all pages that the caller may see */
            total: number;
            /** @description Order by creation time */
            direction: "ASC" | "DESC";
            /** @description Alias of cursor_down */
            cursor: string | null;
            /** @description Pass it as cursor_down for the next page; null on the last page */
            cursor_down: string | null;
            /** @description Pass it as cursor_up for the previous page; null on the first page */
            cursor_up: string | null;
        };
        Deleted: {
            /** @description Id of the record */
            id: string;
            /**
             * @description Always true
             * @example true
             */
            deleted: boolean;
        };
        IdentityOrigin: {
            /** @description As in the request */
            secret_entropy: string | null;
            /** @description All other members are derived from it. A random identity is lost without it */
            seed_phrase: string;
        };
        CryptoIdentity: {
            /**
             * @description Id of the user
             * @example UserID_2vxsx-fae
             */
            user_id: string;
            /** @description Principal of the identity */
            icp_principal: string;
            /** @description Account address with checksum */
            evm_public_key: string;
            /** @description 0x followed by 64 hex digits */
            evm_private_key: string;
            /** @description What the identity derives from */
            origin: components["schemas"]["IdentityOrigin"];
        };
        MemberPreview: {
            /** @description A user id, a placeholder id or PUBLIC */
            user_id: string;
            /** @description Name for people */
            name: string;
            /** @description The note of the invite */
            note: string;
            /**
             * Format: uri
             * @description URL of a picture
             */
            avatar: string | null;
            /** @description Id of the group */
            group_id: string;
            /** @description Whether the role is ADMIN */
            is_admin: boolean;
            /** @description Id of the invite */
            invite_id: string;
            /** @description ms; 0 if the user was never seen */
            last_online_ms: number;
        };
        Group: {
            /**
             * @description Id of the record
             * @example GroupID_3f0c…
             */
            id: string;
            /**
             * @description Name for people
             * @example Finance
             */
            name: string;
            /** @description User id of the owner */
            owner: string;
            /**
             * Format: uri
             * @description URL of a picture
             */
            avatar: string;
            /** @description Note for all who may read the record */
            public_note: string;
            /** @description Empty for callers who may not see it */
            private_note: string;
            /** @description Ids of active ADMIN invites, at most 100 */
            admin_invites: string[];
            /** @description Ids of all active invites, at most 100 */
            member_invites: string[];
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            last_modified_at: number;
            drive_id: components["schemas"]["DriveIdField"];
            host_url: components["schemas"]["HostUrlField"];
            labels: components["schemas"]["LabelsField2"];
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Admins first, at most 100 */
            member_previews: components["schemas"]["MemberPreview"][];
            /** @description Number of active invites */
            member_count: number;
            /** @description Number of active ADMIN invites */
            admin_count: number;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        Membership: {
            /** @description Whether the user is a member */
            is_member: boolean;
            /** @description Id of the group */
            group_id: string;
            /** @description Id of the user */
            user_id: string;
        };
        Invite: {
            /**
             * @description Id of the record
             * @example GroupInviteID_3f0c…
             */
            id: string;
            /** @description Id of the group */
            group_id: string;
            /** @description User id of the inviter */
            inviter_id: string;
            /** @description A user id, a placeholder id or PUBLIC */
            invitee_id: string;
            /** @description ADMIN or MEMBER */
            role: "ADMIN" | "MEMBER";
            /** @description Note for people */
            note: string;
            /** @description ms; 0 = from the start */
            active_from: number;
            /** @description ms; -1 = never */
            expires_at: number;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            last_modified_at: number;
            /** @description Null without a code and for callers who may not see it */
            redeem_code: string | null;
            /** @description The placeholder or public invite from which it was redeemed */
            from_placeholder_invitee: string | null;
            labels: components["schemas"]["LabelsField2"];
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Name of the group */
            group_name: string;
            /**
             * Format: uri
             * @description URL of the picture of the group
             */
            group_avatar: string;
            /** @description Name of the invitee */
            invitee_name: string;
            /**
             * Format: uri
             * @description URL of the picture of the invitee
             */
            invitee_avatar: string | null;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        RedeemedInvite: {
            /** @description The invite */
            invite: components["schemas"]["Invite"];
        };
        GroupPreview: {
            /** @description Id of the group */
            group_id: string;
            /** @description Empty for a group owned without an invite */
            invite_id: string;
            /** @description Whether the role is ADMIN */
            is_admin: boolean;
            /** @description Name of the group */
            group_name: string;
            /**
             * Format: uri
             * @description URL of the picture of the group
             */
            group_avatar: string;
        };
        Contact: {
            /**
             * @description Id of the record
             * @example UserID_x2n5…
             */
            id: string;
            /**
             * @description Name for people
             * @example Bob
             */
            name: string;
            /**
             * Format: uri
             * @description URL of a picture
             */
            avatar: string;
            /** @description Email address, or empty */
            email: string;
            /**
             * Format: uri
             * @description Empty for callers who may not see it
             */
            notifications_url: string;
            /** @description Note for all who may read the record */
            public_note: string;
            /** @description Empty for callers who may not see it */
            private_note: string;
            /** @description EVM address, or empty */
            evm_public_address: string;
            /** @description Principal of the identity */
            icp_principal: string;
            /** @description Always empty */
            seed_phrase: string;
            /** @description Always empty */
            secret_entropy: string;
            /** @description The own id of a placeholder; after redemption the former id */
            from_placeholder_user_id: string;
            /** @description Empty once it is invalid, and for callers who may not see it */
            redeem_code: string;
            /** @description Creation time in ms */
            created_at: number;
            /** @description ms; 0 if the user was never seen */
            last_online_ms: number;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            permission_previews: components["schemas"]["PermissionPreviewsField"];
            labels: components["schemas"]["LabelsField2"];
            /** @description Newest first, at most 100 */
            group_previews: components["schemas"]["GroupPreview"][];
            /** @description Number of all visible groups */
            group_count: number;
            /** @description Former ids of the contact; empty for callers who may not see them */
            past_user_ids: string[];
        };
        Erased: {
            /** @description Id of the record */
            id: string;
            /**
             * @description Always true
             * @example true
             */
            deleted: boolean;
            /**
             * @description Always true
             * @example true
             */
            erased: boolean;
        };
        RedeemedContact: {
            /** @description The contact */
            contact: components["schemas"]["Contact"];
            /** @description A key of the contact, shown only here */
            api_key: string;
        };
        AutoLogin: {
            /** @description Id of the user */
            user_id: string;
            /**
             * Format: uri
             * @description Link that signs the person in; contains a secret
             */
            auto_login_url: string;
            /** @description The same as auto_login_url */
            auto_login_link: string;
            /** @description Text to send to the person; contains a secret */
            full_login_instructions: string;
        };
        Actor: {
            /** @description Id of the user */
            user_id: string | null;
            /** @description API key of the caller; null for a signature */
            api_key_id: string | null;
            /** @description How the caller was authenticated */
            via: "API_KEY" | "SIGNATURE" | "REDEEM_CODE" | "FACTORY" | "SYSTEM";
        };
        EventRecord: {
            revision: components["schemas"]["RevisionField2"];
            /** @description UUID of the event */
            event_id: string;
            /**
             * @description Type
             * @example GroupCreated
             */
            type: string;
            /** @description Version of the schema of the event */
            version: number;
            /** @description Time in ms */
            timestamp_ms: number;
            /** @description Who ran the command */
            actor: components["schemas"]["Actor"];
            /**
             * @description Name of the command
             * @example CreateGroup
             */
            command: string;
            /** @description Id that events of one request share */
            correlation_id: string;
            /** @description OWNER, SELF, CODE, FACTORY, SYSTEM, or ids of grants and invites */
            allowed_by: string[];
            /** @description Reason sent with the request; null if none */
            reason: string | null;
            resource_ids: components["schemas"]["ResourceIdsField"];
            /** @description Number of records that the event concerns */
            resource_count: number;
            /** @description 64 hex digits */
            hash: string;
        };
        Replay: {
            drive_id: components["schemas"]["DriveIdField"];
            revision: components["schemas"]["RevisionField2"];
            /** @description Time of the point in ms; null before the first event */
            at_ms: number;
            /** @description The last event up to the revision; null if there is none */
            last_event: components["schemas"]["EventRecord"];
            /** @description Number of events read */
            events_folded: number;
            /** @description Revision of the snapshot from which the fold started; null: event 0 */
            snapshot_revision: number | null;
            /** @description Duration in ms */
            duration_ms: number;
            /** @description 64 hex digits; null if not requested */
            state_hash: string | null;
            /** @description Version of the form of the state that hashes cover */
            state_version: number;
            /** @description Hash over all events up to the revision, hex */
            chain_hash: string;
            /** @description true after `verify`, else null */
            verified: boolean | null;
            /** @description Root of the Merkle tree over all events, hex */
            log_root: string;
            /** @description Contacts known at the point whose personal data has been erased since */
            erased_subjects: number;
            /** @description Records of every family */
            counts: {
                [key: string]: unknown;
            };
            /** @description A list page of every included family */
            state: {
                [key: string]: unknown;
            };
        };
        Reindex: {
            /** @description Whether it succeeded */
            success: boolean;
            /** @description Time in ms */
            timestamp_ms: number;
            /** @description Documents written */
            indexed_count: number;
            /** @description Revision that the rebuilt models show */
            revision: number;
            /** @description Number of events read */
            events_folded: number;
            /** @description Duration in ms */
            duration_ms: number;
            /** @description Id of the job */
            job_id: string;
        };
        ReindexJob: {
            /** @description Id of the job */
            job_id: string;
            /** @description State of the job */
            state: "RUNNING" | "DONE" | "FAILED";
            /** @description Number of events read */
            events_folded: number;
            /** @description Number of events to read */
            events_total: number;
            /** @description Documents of read models written so far */
            documents_written: number;
            /** @description Progress in percent */
            percent: number;
            /** @description Start time in ms */
            started_ms: number;
            /** @description End time in ms; null while it runs */
            finished_ms: number | null;
            /** @description What failed; null or absent if nothing did */
            error: string | null;
        };
        EventChange: {
            /** @description An organization and its drive record have one id */
            resource_id: string;
            /**
             * @description Name of the field
             * @example name
             */
            field: string;
            /** @description Null if the record did not exist before; secrets are `***` */
            before: unknown;
            /** @description Null if the record no longer exists; secrets are `***` */
            after: unknown;
        };
        HistoryItem: components["schemas"]["EventRecord"] & {
            /** @description Body of the event; secrets are `***`, erased values `[erased]` */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description Name at the time of the event
             * @example Alice
             */
            actor_name: string;
            /**
             * @description One sentence for people
             * @example Alice made Bob an admin of Finance
             */
            summary: string;
            /** @description Fields that the event changed, of the records in resource_ids */
            changes: components["schemas"]["EventChange"][];
        };
        TimelineBucket: {
            /** @description Start of the bucket; it ends before from_ms + bucket_ms */
            from_ms: number;
            /** @description Its first matching event */
            from_revision: number;
            /** @description Its last matching event */
            to_revision: number;
            /** @description Its matching events */
            count: number;
        };
        TimelineEventType: {
            /**
             * @description Type
             * @example GroupCreated
             */
            type: string;
            /**
             * @description Family of records that it belongs to
             * @example groups
             */
            family: string;
            /** @description Events of this type in the range that match all filters but types */
            count: number;
        };
        EventTimeline: {
            /** @description Start of the first bucket */
            from_ms: number;
            /** @description End of the range: its last event, or the given to_ms */
            to_ms: number;
            /** @description Length of a bucket */
            bucket_ms: number;
            /** @description First revision of the range */
            from_revision: number;
            /** @description Last revision of the range */
            to_revision: number;
            /** @description Matching events */
            total: number;
            /** @description In order of time, without those that have no matching event */
            buckets: components["schemas"]["TimelineBucket"][];
            /** @description Types of the events in the range */
            types: components["schemas"]["TimelineEventType"][];
        };
        FieldChange: {
            /**
             * @description Name of the field
             * @example name
             */
            field: string;
            /** @description Null if the record did not exist before; secrets are `***` */
            before: unknown;
            /** @description Null if the record no longer exists; secrets are `***` */
            after: unknown;
        };
        Difference: {
            /** @description Family of the record */
            family: "organization" | "contacts" | "groups" | "group_invites" | "disks" | "folders" | "files" | "directory_permissions" | "system_permissions" | "labels" | "api_keys" | "webhooks" | "drives" | "shortlinks" | "superswaps" | "purchases" | "bookmarks";
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description Name of the record */
            name: string;
            /** @description Whether the record was created, changed or deleted */
            change: "CREATED" | "UPDATED" | "DELETED";
            /** @description Changed fields */
            fields: components["schemas"]["FieldChange"][];
            /** @description Revisions of the events between the points that changed the record */
            revisions: number[];
        };
        Point: {
            revision: components["schemas"]["RevisionField2"];
            /** @description ms */
            at_ms: number;
        };
        CompareSummary: {
            /** @description The earlier point */
            from: components["schemas"]["Point"];
            /** @description The later point */
            to: components["schemas"]["Point"];
            /** @description Rows of every family by change, over all pages */
            counts: {
                [key: string]: unknown;
            };
        };
        Existed: {
            /** @description ms; time of the first event about the id */
            from_ms: number;
            /** @description ms; time when it was removed, swapped or expired; -1 if it still exists */
            to_ms: number;
        };
        InheritedFrom: {
            /** @description Id of the folder */
            folder_id: string;
            /** @description Path as the caller may see it; empty if the caller may not see it */
            path: string;
        };
        Source: {
            /** @description Null for ownership */
            permission_id: string | null;
            /** @description User id of the granter */
            granted_by: string | null;
            /** @description Resource of the grant */
            resource_id: string | null;
            /** @description ms; 0 = from the start */
            begin_date_ms: number;
            /** @description ms; -1 = never */
            expiry_date_ms: number;
            /** @description DIRECT, PUBLIC, OWNER, or the id of the group granted to */
            via: string;
            /** @description Invite of the membership */
            invite_id: string | null;
            /** @description Folder from which it is inherited */
            inherited_from: components["schemas"]["InheritedFrom"] | null;
        };
        DeniedGrant: {
            /** @description Id of the grant */
            permission_id: string;
            /** @description User id of the granter */
            granted_by: string;
            /** @description Id of the grantee */
            granted_to: string;
            /** @description Resource of the grant */
            resource_id: string;
            /** @description Permission types granted */
            permission_types: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Start time in ms; -1 = no start */
            begin_date_ms: number;
            /** @description Expiry in ms; -1 = never */
            expiry_date_ms: number;
            /** @description The first applicable reason, in this order */
            reason: "NOT_BEGUN" | "EXPIRED" | "NOT_INHERITABLE" | "SOVEREIGN_FOLDER" | "NOT_REDEEMED" | "NOT_A_MEMBER";
        };
        Explanation: {
            revision: components["schemas"]["RevisionField2"];
            at_ms: components["schemas"]["AtMsField2"];
            existed?: components["schemas"]["ExistedField"];
            /** @description PUBLIC, or id of a user, group or placeholder */
            grantee_id: string;
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description Effective types, as check answers them */
            permissions: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            because: components["schemas"]["BecauseField"];
            /** @description Grants on the resource’s path that had no effect; at most 1,000 */
            denied: components["schemas"]["DeniedGrant"][];
        };
        Holder: {
            /** @description A user, a group or PUBLIC */
            grantee_id: string;
            /** @description Permission types */
            types: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            because: components["schemas"]["BecauseField"];
        };
        AccessPoint: {
            revision: components["schemas"]["RevisionField2"];
            at_ms: components["schemas"]["AtMsField2"];
            existed?: components["schemas"]["ExistedField"];
        };
        Reached: {
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description Family of the resource; `tables` for tables */
            family: string;
            /** @description `<DiskID>::/a/b/`, `TABLE_X` or `TABLE_X/<record id>` */
            path: string;
            /** @description Permission types */
            types: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Collapsed: types inherited by all resources below without their own row or blocked inheritance */
            types_below: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Collapsed: sovereign folders and files below, listed at the nearest row; ≤ 1,000 */
            cuts: string[];
            because: components["schemas"]["BecauseField"];
        };
        CheckExisted: {
            /** @description ms; time of the first event about the id */
            from_ms: number;
            /** @description ms; time when it was removed, swapped or expired; -1 if it still exists */
            to_ms: number;
            /** @description Index of the check, from 0 */
            check: number;
        };
        CheckMany: {
            revision: components["schemas"]["RevisionField2"];
            at_ms: components["schemas"]["AtMsField2"];
            /** @description In the order of the checks */
            results: boolean[];
            /** @description Lifetimes of ids in checks that did not exist at the point; absent if all existed */
            existed?: components["schemas"]["CheckExisted"][];
        };
        HeldInterval: {
            /** @description Permission type */
            permission_type: "VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE";
            /** @description Start of the interval in ms */
            from_ms: number;
            /** @description -1 if it is still held */
            to_ms: number;
            /** @description Revision when the interval began */
            from_revision: number;
            /** @description Revision when the interval ended; -1 if it is still held */
            to_revision: number;
            /** @description All sources during the interval, at most 100 */
            because: components["schemas"]["Source"][];
        };
        Timeline: {
            /** @description PUBLIC, or id of a user, group or placeholder */
            grantee_id: string;
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description The last revision evaluated */
            revision: number;
            /** @description At most 10,000, the latest ones */
            intervals: components["schemas"]["HeldInterval"][];
            /** @description Number of all intervals */
            interval_count: number;
            existed?: components["schemas"]["ExistedField"];
        };
        AccessChange: {
            /** @description The id at the later point */
            grantee_id: string;
            /** @description The record on which the grants are */
            resource_root: string;
            /** @description Folder path */
            path: string;
            /** @description Permission types gained */
            gained: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Permission types lost */
            lost: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Types gained by all resources below that existed at both points */
            gained_below: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Types lost by all resources below that existed at both points */
            lost_below: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE" | "CREATE")[];
            /** @description Resources below that did not change, because of their own grants or because they were moved there; at most 1,000 */
            except: string[];
            /** @description Events in between that changed what decides: grants, memberships, owners, or where an item is; at most 100. Empty if only time caused the change */
            revisions: number[];
            /** @description Sources of the gained types at `to`, and of the lost types at `from` */
            because: {
                [key: string]: components["schemas"]["Source"][];
            };
        };
        ShownPoint: {
            revision: components["schemas"]["RevisionField2"];
            at_ms: components["schemas"]["AtMsField2"];
        };
        AccessDiffSummary: {
            /** @description The earlier point */
            from: components["schemas"]["ShownPoint"];
            /** @description The later point */
            to: components["schemas"]["ShownPoint"];
            existed?: components["schemas"]["ExistedField"];
        };
        Digest: {
            drive_id: components["schemas"]["DriveIdField"];
            revision: components["schemas"]["RevisionField2"];
            /** @description Events in the log: revision + 1 */
            size: number;
            /** @description Hash of the last event, 64 hex digits */
            chain_hash: string;
            /** @description Root of the Merkle tree over all events, 64 hex digits */
            log_root: string;
            /** @description 64 hex digits */
            state_hash: string | null;
            /** @description Version of the form of the state that hashes cover */
            state_version: number;
            /** @description Time of the signature, ms */
            timestamp_ms: number;
            /** @description Base64 of the Ed25519 signature of the canonical JSON of the members above */
            signature: string;
            /** @description Base64 of the 32 bytes of the key of the installation */
            public_key: string;
            /** @description Size and root of the log as a signed note (C2SP tlog-checkpoint) */
            checkpoint: string;
        };
        InclusionProof: {
            drive_id: components["schemas"]["DriveIdField"];
            revision: components["schemas"]["RevisionField2"];
            /** @description The data of the leaf, 64 hex digits */
            event_hash: string;
            /** @description Events in the tree */
            size: number;
            /** @description Root of the tree of that size, 64 hex digits */
            log_root: string;
            /** @description Hashes from the leaf up (RFC 6962, 2.1.1), 64 hex digits each */
            path: string[];
        };
        ConsistencyProof: {
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Size of the earlier log */
            from: number;
            /** @description 64 hex digits */
            from_root: string;
            /** @description Size of the later log */
            to: number;
            /** @description 64 hex digits */
            to_root: string;
            /** @description Hashes (RFC 6962, 2.1.2), 64 hex digits each */
            path: string[];
        };
        ProvenLeaf: {
            /** @description 64 hex digits */
            key: string;
            /** @description 64 hex digits */
            record_hash: string;
            /** @description Index in the bucket, whose leaves are sorted by key */
            index: number;
            /** @description Hashes from the leaf up, 64 hex digits each */
            path: string[];
        };
        RecordProof: {
            drive_id: components["schemas"]["DriveIdField"];
            revision: components["schemas"]["RevisionField2"];
            /** @description Time of the point in ms; null before the first event */
            at_ms: number;
            /** @description Family of the record */
            family: string;
            /** @description Id of the record */
            record_id: string;
            /** @description SHA-256 of family, TAB and id, 64 hex digits */
            key: string;
            /** @description Whether the record existed at the point */
            exists: boolean;
            /** @description The record as hashed: its record_hash is the SHA-256 of its canonical JSON */
            record: {
                [key: string]: unknown;
            } | null;
            /** @description Hash of the record, hex; null if it did not exist */
            leaf: components["schemas"]["ProvenLeaf"] | null;
            /** @description For an absent record: the leaves between which it would be. Two leaves; one at an end of the bucket; none in an empty bucket */
            neighbours: components["schemas"]["ProvenLeaf"][];
            /** @description First 12 bits of the key */
            bucket: number;
            /** @description Leaves in the bucket */
            bucket_size: number;
            /** @description Hashes from the bucket to state_hash, 64 hex digits each */
            bucket_path: string[];
            /** @description 64 hex digits */
            state_hash: string;
            /** @description Version of the form of the state that hashes cover */
            state_version: number;
        };
        Verification: {
            drive_id: components["schemas"]["DriveIdField"];
            /** @description True if no error was found */
            valid: boolean;
            /** @description Valid events from the start of the stream */
            checked_events: number;
            /** @description Revision of the last valid event; -1 for none */
            revision: number;
            /** @description Lowest revision with an error: of an event, a snapshot, or the record of a document */
            first_bad_revision: number | null;
            /** @description The first error, as a sentence */
            reason: string | null;
            /** @description Documents of the read model and records of snapshots that differ from the fold, and 1 for an index of events that does; null if the stream cannot be folded */
            drift_documents: number | null;
            /** @description Whether the digest of the body is signed with the key of this installation: those of a former installation are not, nor are those of anybody else. Null without a digest */
            digest_signed_here: boolean | null;
            /** @description Duration in ms */
            duration_ms: number;
        };
        SearchResult: {
            /** @description Title for people */
            title: string;
            /** @description Text for display */
            preview: string;
            /** @description Match: 1 exact name, 0.75 prefix of the name, 0.5 in the name, 0.25 in another field */
            score: number;
            resource_id: components["schemas"]["ResourceIdField4"];
            /**
             * @description Family of the record
             * @example GROUPS
             */
            category: string;
            /** @description For files and folders: `/<disk_type>/<disk_id>/<id>`; for other records: their external_payload */
            metadata: string | null;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            updated_at: number;
        };
        About: {
            /** @description `REDACTED` without VIEW on DRIVES */
            organization_name: string;
            /** @description Id of the organization */
            organization_id: string;
            /** @description `REDACTED` without VIEW on DRIVES */
            owner: string;
            /** @description API base of this server */
            host: string;
            /**
             * Format: uri
             * @description URL of the web client
             */
            frontend_url: string;
            /** @description `REDACTED` without VIEW on DRIVES */
            canister_id: string;
            /** @description Version of the service */
            version: string;
            /**
             * @description Kept for older clients
             * @example 0
             */
            gas_cycles: string;
            /**
             * @description Kept for older clients
             * @example 0
             */
            daily_idle_cycle_burn_rate: string;
            /** @description User ids of the controllers */
            controllers: string[];
            /** @description Empty without VIEW on DRIVES */
            external_id: string;
            /** @description Null without VIEW on DRIVES */
            email: string | null;
        };
        WhoAmI: {
            /** @description Id of the caller */
            userID: string;
            driveID: components["schemas"]["DriveIdField"];
            /** @description `Anonymous User` for callers who are not contacts */
            nickname: string;
            /** @description Principal of the identity */
            icp_principal: string;
            /** @description EVM address, or empty */
            evm_public_address: string | null;
            /** @description Whether the caller owns the organization */
            is_owner: boolean;
            /** @description Name of the organization */
            drive_nickname: string;
        };
        Transfer: {
            /** @description Status */
            status: "REQUESTED" | "COMPLETED" | "CANCELLED";
            /** @description ms; time from which it may be completed, -1 once cancelled */
            ready_ms: number;
        };
        Success: {
            /**
             * @description Whether it succeeded
             * @example true
             */
            success: boolean;
            /** @description Message for people */
            message: string;
        };
        Superswap: {
            /**
             * @description Whether it succeeded
             * @example true
             */
            success: boolean;
            /** @description Message for people */
            message: string;
            /** @description Records changed, each once */
            updated_count: number;
        };
        Activation: {
            drive_id: components["schemas"]["DriveIdField"];
            host_url: components["schemas"]["HostUrlField"];
            /** @description The token; shown this once */
            api_key: string;
            /** @description Note for people */
            note: string;
            /** @description `{drive_id}:{api_key}@{host_url}` */
            admin_login_password: string;
            /**
             * Format: uri
             * @description Link that signs the person in; contains a secret
             */
            auto_login_url: string;
        };
        ExternalId: {
            /** @description True if at least one id was found */
            success: boolean;
            /** @description Message for people */
            message: string;
            /** @description Id of the record in another system */
            external_id: string;
            /** @description At most 1,000, by id */
            internal_ids: string[];
        };
        ExternalIds: {
            /** @description One for each requested id, in that order */
            results: components["schemas"]["ExternalId"][];
        };
        Inbox: {
            /**
             * @description Id of the notice
             * @example InboxNotifID_3f0c…
             */
            inbox_notif_id: string;
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Time in ms */
            timestamp_ms: number;
            /** @description Note for people */
            note: string;
        };
        Shortlink: {
            /** @description Last part of the short URL */
            slug: string;
            /**
             * Format: uri
             * @description Target; for a removed link the web client’s not-found page
             */
            original_url: string;
            /**
             * Format: uri
             * @description The short URL
             */
            shortlink_url: string;
        };
        Disk: {
            /**
             * @description Id of the record
             * @example DiskID_3f0c…
             */
            id: string;
            /**
             * @description Name for people
             * @example Archive
             */
            name: string;
            disk_type: components["schemas"]["DiskTypeField"];
            /** @description Note for all who may read the record */
            public_note: string | null;
            /** @description Null without EDIT */
            private_note: string | null;
            /** @description Null without EDIT */
            auth_json: string | null;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Id of the root folder */
            root_folder: string;
            /** @description Id of the trash folder */
            trash_folder: string;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /**
             * Format: uri
             * @description URL of the storage
             */
            endpoint: string | null;
            /**
             * Format: uri
             * @description The same as endpoint
             */
            billing_url: string | null;
            /** @description Lifetime of new files, ms */
            autoexpire_ms: number | null;
            /** @description Maximum bytes of stored content; null = unlimited */
            quota_bytes: number | null;
            /** @description Versions of a file whose content is kept, with the current one; null = all */
            keep_versions: number | null;
            /** @description Days for which the content of former versions is kept; null = unlimited */
            keep_versions_days: number | null;
            /** @description Bytes of stored content, each content counted once */
            used_bytes: number;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
            labels: components["schemas"]["LabelsField2"];
        };
        DirectoryFolder: {
            /** @description Id of the record */
            id: string;
            /** @description Name for people */
            name: string;
            /** @description The clipped path for callers without VIEW on the disk’s root */
            full_directory_path: string;
            /**
             * @description Shortened path for display
             * @example DiskID_3f0c…::../report.pdf
             */
            clipped_directory_path: string;
            labels: components["schemas"]["LabelsField2"];
            /** @description User id of the creator */
            created_by: string;
            /** @description Creation time in ms */
            created_at: number;
            /** @description User id of the last change */
            last_updated_by: string;
            /** @description Moving, trashing and restoring do not count as updates */
            last_updated_date_ms: number;
            /** @description Id of the disk */
            disk_id: string;
            disk_type: components["schemas"]["DiskTypeField"];
            /** @description True for items in the trash, at any depth */
            deleted: boolean;
            /** @description ms; -1 = never */
            expires_at: number;
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Previous folder of a trashed item; null for items that were not trashed themselves */
            restore_trash_prior_folder_uuid: string | null;
            has_sovereign_permissions: components["schemas"]["HasSovereignPermissionsField"];
            /** @description Id of the item that it is a shortcut to; null for none */
            shortcut_to: string | null;
            /** @description Note for people */
            notes: string | null;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            permission_previews: components["schemas"]["PermissionPreviewsField2"];
            /** @description Id of the folder that contains it */
            parent_folder_uuid: string | null;
            /** @description Direct children the caller may view, the first 100 by name */
            subfolder_uuids: string[];
            /** @description Likewise */
            file_uuids: string[];
            /** @description Number of all direct subfolders the caller may view */
            subfolder_count: number;
            /** @description Likewise */
            file_count: number;
        };
        DirectoryFile: {
            /** @description Id of the record */
            id: string;
            /** @description Name for people */
            name: string;
            /** @description The clipped path for callers without VIEW on the disk’s root */
            full_directory_path: string;
            /**
             * @description Shortened path for display
             * @example DiskID_3f0c…::../report.pdf
             */
            clipped_directory_path: string;
            labels: components["schemas"]["LabelsField2"];
            /** @description User id of the creator */
            created_by: string;
            /** @description Creation time in ms */
            created_at: number;
            /** @description User id of the last change */
            last_updated_by: string;
            /** @description Moving, trashing and restoring do not count as updates */
            last_updated_date_ms: number;
            /** @description Id of the disk */
            disk_id: string;
            disk_type: components["schemas"]["DiskTypeField"];
            /** @description True for items in the trash, at any depth */
            deleted: boolean;
            /** @description ms; -1 = never */
            expires_at: number;
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Previous folder of a trashed item; null for items that were not trashed themselves */
            restore_trash_prior_folder_uuid: string | null;
            has_sovereign_permissions: components["schemas"]["HasSovereignPermissionsField"];
            /** @description Id of the item that it is a shortcut to; null for none */
            shortcut_to: string | null;
            /** @description Note for people */
            notes: string | null;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            permission_previews: components["schemas"]["PermissionPreviewsField2"];
            /** @description Id of the folder that contains it */
            parent_folder_uuid: string;
            /** @description Id of the version */
            version_id: string;
            /** @description 1, 2, … */
            file_version: number;
            /** @description Id of the version before; null for the first */
            prior_version: string | null;
            /** @description Always null: the record is the current version */
            next_version: string | null;
            /**
             * @description Extension of the file name, without the dot
             * @example pdf
             */
            extension: string;
            /** @description Bytes */
            file_size: number;
            /**
             * Format: uri
             * @description As given by the client; otherwise the URL of its content at this service
             */
            raw_url: string;
            /** @description State of the upload */
            upload_status: "QUEUED" | "PENDING" | "COMPLETED";
            /**
             * @description Null if unknown
             * @example application/pdf
             */
            media_type: string | null;
            /** @description SHA-256 of the content, hex; null if unknown */
            sha256: string | null;
            /** @description True if the content can be downloaded */
            content_available: boolean;
        };
        Breadcrumb: {
            /** @description A folder or file, or `shared-with-me` */
            resource_id: string;
            /** @description For a root folder the name of its disk; empty without VIEW on the disk or its root */
            resource_name: string;
            /** @description From grants placed directly on it */
            visibility_preview: ("PUBLIC_MODIFY" | "PUBLIC_VIEW" | "PRIVATE_MODIFY" | "PRIVATE_VIEW")[];
        };
        DirectoryPage: {
            /** @description Folders of the page */
            folders: components["schemas"]["DirectoryFolder"][];
            /** @description Files of the page */
            files: components["schemas"]["DirectoryFile"][];
            /** @description Visible folders, over all pages */
            total_folders: number;
            /** @description Number of files on all pages */
            total_files: number;
            /** @description The same as cursor_down */
            cursor: string | null;
            /** @description For the next page; null at the end */
            cursor_down: string | null;
            /** @description For the previous page; null at the start */
            cursor_up: string | null;
            breadcrumbs: components["schemas"]["BreadcrumbsField"];
            /** @description The caller’s permissions on the folder */
            permission_previews: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE")[];
        };
        Download: {
            /**
             * Format: uri
             * @description Downloads this version without a token
             */
            url: string;
            /** @description ms */
            expires_at: number;
        };
        FileRead: {
            file: components["schemas"]["FileField"];
            /** @description If requested; null if there is no content, in the trash, and with as_of: use directory/asset with as_of */
            download?: components["schemas"]["Download"] | null;
            breadcrumbs: components["schemas"]["BreadcrumbsField"];
        };
        FolderRead: {
            /** @description The folder */
            folder: components["schemas"]["DirectoryFolder"];
            breadcrumbs: components["schemas"]["BreadcrumbsField"];
        };
        Upload: {
            /**
             * Format: uri
             * @description URL to which the form is posted; empty if the disk accepts no uploads
             */
            url: string;
            /** @description Form fields to send with the upload */
            fields: {
                [key: string]: string;
            };
            /**
             * @description HTTP method of the upload
             * @example POST
             */
            method?: string;
            /** @description ms */
            expires_at?: number;
        };
        FileStored: {
            file: components["schemas"]["FileField"];
            /** @description In an update, only if the payload asks for an upload */
            upload?: components["schemas"]["Upload"];
            /** @description Description of the result in one sentence */
            notes: string;
        };
        FolderStored: {
            /** @description The folder */
            folder: components["schemas"]["DirectoryFolder"];
            /** @description After a creation: description of the result in one sentence */
            notes?: string;
        };
        FileDeleted: {
            /** @description Id of the file */
            file_id: string;
            /** @description Clipped without VIEW on the root; empty after a permanent removal or without VIEW */
            path_to_trash: string;
        };
        FolderDeleted: {
            /** @description Id of the folder */
            folder_id: string;
            /** @description Clipped without VIEW on the root; empty after a permanent removal or without VIEW */
            path_to_trash: string;
            /** @description Ids of the contained files, at any depth, sorted */
            deleted_files: string[];
            /** @description Ids of the contained folders, at any depth, sorted */
            deleted_folders: string[];
        };
        Restored: {
            /** @description Ids, the item itself first; empty if an existing one was kept */
            restored_files: string[];
            /** @description Ids of the restored folders */
            restored_folders: string[];
        };
        ActionError: {
            /** @description Like an HTTP status: 400, 403, 404, 409, 412, 413, 500 or 503 */
            code: number;
            /** @description Message for people */
            message: string;
            /**
             * @description The stable slug
             * @example directory.name-in-use
             */
            type: string;
            /** @description Invalid fields; pointers refer to the payload */
            details: {
                [key: string]: unknown;
            }[];
        };
        ActionResponse: {
            /** @description Result; absent if the action failed */
            result?: components["schemas"]["FileRead"] | components["schemas"]["FolderRead"] | components["schemas"]["FileStored"] | components["schemas"]["FolderStored"] | components["schemas"]["FileDeleted"] | components["schemas"]["FolderDeleted"] | components["schemas"]["DirectoryFile"] | components["schemas"]["DirectoryFolder"] | components["schemas"]["Restored"];
            /** @description What failed; null or absent if nothing did */
            error?: components["schemas"]["ActionError"];
        };
        ActionOutcome: {
            /**
             * @description Id of the action
             * @example DirectoryActionOutcomeID_3f0c…
             */
            id: string;
            /** @description Whether it succeeded */
            success: boolean;
            /** @description The requested action */
            request: {
                [key: string]: unknown;
            };
            /** @description Result of the action */
            response: components["schemas"]["ActionResponse"];
        };
        PreviewedEvent: {
            revision: components["schemas"]["RevisionField2"];
            /** @description UUID of the event */
            event_id: string;
            /**
             * @description Type
             * @example GroupCreated
             */
            type: string;
            /** @description Version of the schema of the event */
            version: number;
            /** @description Time in ms */
            timestamp_ms: number;
            /** @description Who ran the command */
            actor: components["schemas"]["Actor"];
            /**
             * @description Name of the command
             * @example CreateGroup
             */
            command: string;
            /** @description Id that events of one request share */
            correlation_id: string;
            /** @description OWNER, SELF, CODE, FACTORY, SYSTEM, or ids of grants and invites */
            allowed_by: string[];
            /** @description Reason sent with the request; null if none */
            reason: string | null;
            resource_ids: components["schemas"]["ResourceIdsField"];
            /** @description Number of records that the event concerns */
            resource_count: number;
            /** @description Always null, because nothing was stored */
            hash: string | null;
            /** @description Body of the event; secrets are `***` */
            data: {
                [key: string]: unknown;
            };
        };
        DryRun: {
            /** @description Revision of the state on which it was decided */
            revision: number;
            /** @description Events that would have been stored */
            events: components["schemas"]["PreviewedEvent"][];
        };
        ContentStored: {
            file: components["schemas"]["FileField"];
        };
        FileVersion: {
            /**
             * @description Id of the version
             * @example FileVersionID_3f0c…
             */
            version_id: string;
            /** @description 1, 2, … */
            file_version: number;
            /**
             * @description Extension of the file name, without the dot
             * @example pdf
             */
            extension: string;
            /** @description SHA-256 of the content, hex; null if unknown */
            sha256: string | null;
            /** @description Bytes */
            size: number;
            /** @description Media type of the content */
            media_type: string | null;
            /** @description A user id */
            created_by: string;
            /** @description ms */
            created_at: number;
            /** @description Whether it is the current version */
            is_current: boolean;
            /** @description True if the content can be downloaded */
            content_available: boolean;
        };
        ContentUsage: {
            /** @description Stored contents; versions and copies share them */
            contents: number;
            /** @description Their bytes */
            used_bytes: number;
            /** @description Those that no file version has any more, kept for CONTENT_RETENTION_DAYS */
            unused_contents: number;
            /** @description Their bytes, included in used_bytes */
            unused_bytes: number;
            /** @description Maximum of used_bytes; null = unlimited */
            quota_bytes: number | null;
        };
        ApiKey: {
            /**
             * @description Id of the record
             * @example ApiKeyID_3f0c…
             */
            id: string;
            /** @description The token in the answer of create; masked in all other answers */
            value: string;
            /** @description Id of the user */
            user_id: string;
            /**
             * @description Name for people
             * @example Build server
             */
            name: string;
            /** @description Null unless the caller is the key’s user or the owner */
            private_note: string | null;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Start time in ms; 0 = no start */
            begins_at: number;
            /** @description -1 = never */
            expires_at: number;
            /** @description Whether the key was revoked */
            is_revoked: boolean;
            labels: components["schemas"]["LabelsField2"];
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Name of the user’s contact */
            user_name: string | null;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        Label: {
            /**
             * @description Id of the record
             * @example LabelID_3f0c…
             */
            id: string;
            /**
             * @description Lower case
             * @example urgent
             */
            value: string;
            /** @description The same as public_note */
            description: string | null;
            /** @description Note for all who may read the record */
            public_note: string | null;
            /** @description Null for callers without EDIT on the label */
            private_note: string | null;
            /**
             * @description Colour as #rrggbb
             * @example #3B82F6
             */
            color: string;
            /** @description User id of the creator */
            created_by: string;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            last_updated_at: number;
            /** @description Ids of the records with the label, the first 1,000 by id; empty unless the caller is the owner */
            resources: string[];
            /** @description Values of the labels pinned on this label */
            labels: string[];
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        Pin: {
            /**
             * @description Whether it succeeded
             * @example true
             */
            success: boolean;
            /** @description Message for people */
            message: string;
            /** @description The label */
            label: components["schemas"]["Label"];
        };
        KnownDrive: {
            /**
             * @description Id of the record
             * @example DriveID_rrkah-fqaaa-aaaaa-aaaaq-cai
             */
            id: string;
            /**
             * @description Name for people
             * @example Acme
             */
            name: string;
            /** @description Principal of the identity */
            icp_principal: string;
            /** @description Note for all who may read the record */
            public_note: string;
            /** @description Empty unless the caller is the owner */
            private_note: string;
            host_url: components["schemas"]["HostUrlField"];
            /** @description Time of the last rebuild of its read models, ms */
            last_indexed_ms: number | null;
            /** @description Email address, or empty */
            email: string | null;
            labels: components["schemas"]["LabelsField2"];
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Creation time in ms */
            created_at: number;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        Purchase: {
            /**
             * @description Id of the record
             * @example PurchaseID_3f0c…
             */
            id: string;
            /** @description Id of the template */
            template_id: string | null;
            /**
             * @description Title for people
             * @example Hosting, one year
             */
            title: string;
            /** @description Second line of the title */
            subtitle: string;
            /** @description Description for people */
            description: string;
            /** @description Name of the vendor */
            vendor_name: string;
            /** @description A user id, or empty */
            vendor_id: string;
            /** @description Status */
            status: "REQUESTED" | "AWAITING" | "RUNNING" | "BLOCKED" | "COMPLETED" | "FAILED" | "CANCELED" | "REFUNDED" | "ARCHIVED" | "PAID" | "PAYMENT_REQUIRED" | "PAYMENT_FAILED" | "UNKNOWN";
            /** @description Price as text */
            pricing: string;
            /**
             * Format: uri
             * @description URL of a page about it
             */
            about_url: string;
            /**
             * Format: uri
             * @description URL for billing
             */
            billing_url: string;
            /**
             * Format: uri
             * @description URL for support
             */
            support_url: string;
            /**
             * Format: uri
             * @description URL of the delivery
             */
            delivery_url: string;
            /**
             * Format: uri
             * @description URL for verification
             */
            verification_url: string;
            /**
             * Format: uri
             * @description URL that installs the authentication
             */
            auth_installation_url: string;
            /** @description ms; -1 = none */
            next_delivery_date: number;
            /** @description Filled for the owner, the vendor and holders of EDIT only */
            vendor_notes: string;
            /** @description Filled for the owner, the vendor and holders of EDIT only */
            notes: string;
            /** @description Filled for the owner, the vendor and holders of EDIT only */
            tracer: string | null;
            labels: components["schemas"]["LabelsField2"];
            /** @description Ids of related records */
            related_resources: string[];
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            updated_at: number;
            /** @description The same as updated_at */
            last_updated_at: number;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        Bookmark: {
            /**
             * @description Name for people
             * @example year-end
             */
            name: string;
            /** @description The point: just after this event */
            revision: number;
            /** @description ms; windows count as of this time */
            at_ms: number;
            /** @description Note for people */
            note: string;
            /** @description User id of the creator */
            created_by: string;
            /** @description Creation time in ms */
            created_at: number;
        };
        BookmarkDeleted: {
            /**
             * @description Name for people
             * @example year-end
             */
            name: string;
            /**
             * @description Always true
             * @example true
             */
            deleted: boolean;
        };
        Webhook: {
            /**
             * @description Id of the record
             * @example WebhookID_3f0c…
             */
            id: string;
            /**
             * @description Name for people
             * @example org.inbox.new_mail@INBOX_NEW_MAIL
             */
            name: string;
            /**
             * Format: uri
             * @description URL to which events are sent
             */
            url: string;
            /** @description The watched resource */
            alt_index: string;
            /** @description Event that is sent */
            event: "file.viewed" | "file.created" | "file.updated" | "file.deleted" | "file.shared" | "folder.viewed" | "folder.created" | "folder.updated" | "folder.deleted" | "folder.shared" | "subfile.viewed" | "subfile.created" | "subfile.updated" | "subfile.deleted" | "subfile.shared" | "subfolder.viewed" | "subfolder.created" | "subfolder.updated" | "subfolder.deleted" | "subfolder.shared" | "group.invite.created" | "group.invite.updated" | "drive.restore_trash" | "drive.state_diffs" | "label.added" | "label.removed" | "org.superswap_user" | "org.inbox.new_mail";
            /** @description Empty without EDIT */
            signature: string;
            /**
             * @description Signs deliveries; only shown in the answer that created it, otherwise empty
             * @example whsec_…
             */
            secret: string;
            /** @description Description for people */
            description: string;
            /** @description Note for people */
            note: string;
            /** @description False: the webhook sends nothing */
            active: boolean;
            /**
             * @description Its creator, whose permissions decide what is delivered; the owner if no creator is stored
             * @example UserID_…
             */
            created_by: string;
            /** @description Why an active webhook is paused: CREATOR_DELETED (its creator’s contact was deleted) or CREATOR_LACKS_RIGHT (its creator may not see the watched resource). Null if it is not paused */
            paused_reason: string | null;
            /** @description JSON of an object, or empty */
            filters: string;
            labels: components["schemas"]["LabelsField2"];
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Creation time in ms */
            created_at: number;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
        };
        DeliveryAttempt: {
            /** @description The header webhook-id; the same on every attempt */
            delivery_id: string;
            /**
             * @description Event that is sent
             * @example file.created
             */
            event: string;
            /** @description Revision of the event that caused it; null if no event did */
            revision: number | null;
            /** @description Null if the queue was full */
            nonce: number | null;
            /** @description Counts from 1; 0 if no attempt was made */
            attempt: number;
            /** @description Time in ms */
            timestamp_ms: number;
            /** @description HTTP status; null if there was no answer */
            status: number | null;
            /** @description Time until the response in ms */
            latency_ms: number;
            /** @description failed: will be retried; quarantined: no more retries */
            outcome: "delivered" | "failed" | "quarantined";
            /** @description The error, if it was not the HTTP status */
            reason: string | null;
        };
        ReplayedWebhook: {
            /** @description Id of the record */
            id: string;
            /** @description Revision of the first event */
            from_revision: number;
            /** @description Revision of the last event */
            to_revision: number;
            /** @description Deliveries put in the queue */
            queued: number;
        };
        WebhookTest: {
            /** @description HTTP status; null if there was no answer */
            status: number | null;
            /** @description Time until the response in ms */
            latency_ms: number;
            /** @description Why there was no answer; null if there was one */
            error: string | null;
        };
        DirectoryPermission: {
            /** @description Id of the record */
            id: string;
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description Clipped path, empty without VIEW; of system grants the resource */
            resource_path: string;
            /** @description A user, a group, a placeholder or PUBLIC */
            granted_to: string;
            /** @description User id of the granter */
            granted_by: string;
            /** @description ms; 0 = from the start */
            begin_date_ms: number;
            /** @description ms; -1 = never */
            expiry_date_ms: number;
            /** @description Whether the grant also applies to items within */
            inheritable: boolean;
            /** @description Note for people */
            note: string;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            last_modified_at: number;
            /** @description The placeholder it was redeemed from */
            from_placeholder_grantee: string | null;
            labels: components["schemas"]["LabelsField2"];
            /** @description Null without a code and for callers who may not see it */
            redeem_code: string | null;
            /** @description Of a file or folder its name (of a root that of its disk), empty for those without VIEW; of a system resource its id */
            resource_name: string;
            /** @description Name of the grantee */
            grantee_name: string;
            /**
             * Format: uri
             * @description URL of the picture of the grantee
             */
            grantee_avatar: string;
            /** @description Name of the granter */
            granter_name: string;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
            /** @description A directory password is null to those who may not see it */
            metadata: {
                [key: string]: unknown;
            } | null;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Permission types granted */
            permission_types: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE")[];
        };
        DirectoryPermissionAnswer: components["schemas"]["DirectoryPermission"] & {
            /** @description The same record once more */
            permission: components["schemas"]["DirectoryPermission"];
        };
        PermissionDeleted: {
            /** @description Id of the deleted grant */
            deleted_id: string;
        };
        DirectoryPermissionCheck: {
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description PUBLIC, or id of a user, group or placeholder */
            grantee_id: string;
            /** @description Effective permission types */
            permissions: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE")[];
        };
        SystemPermission: {
            /** @description Id of the record */
            id: string;
            resource_id: components["schemas"]["ResourceIdField4"];
            /** @description Clipped path, empty without VIEW; of system grants the resource */
            resource_path: string;
            /** @description A user, a group, a placeholder or PUBLIC */
            granted_to: string;
            /** @description User id of the granter */
            granted_by: string;
            /** @description ms; 0 = from the start */
            begin_date_ms: number;
            /** @description ms; -1 = never */
            expiry_date_ms: number;
            /** @description Whether the grant also applies to items within */
            inheritable: boolean;
            /** @description Note for people */
            note: string;
            /** @description Creation time in ms */
            created_at: number;
            /** @description Time of the last change in ms */
            last_modified_at: number;
            /** @description The placeholder it was redeemed from */
            from_placeholder_grantee: string | null;
            labels: components["schemas"]["LabelsField2"];
            /** @description Null without a code and for callers who may not see it */
            redeem_code: string | null;
            /** @description Of a file or folder its name (of a root that of its disk), empty for those without VIEW; of a system resource its id */
            resource_name: string;
            /** @description Name of the grantee */
            grantee_name: string;
            /**
             * Format: uri
             * @description URL of the picture of the grantee
             */
            grantee_avatar: string;
            /** @description Name of the granter */
            granter_name: string;
            permission_previews: components["schemas"]["PermissionPreviewsField"];
            /** @description A directory password is null to those who may not see it */
            metadata: {
                [key: string]: unknown;
            } | null;
            external_id: components["schemas"]["ExternalIdField2"];
            external_payload: components["schemas"]["ExternalPayloadField2"];
            /** @description Permission types granted */
            permission_types: ("CREATE" | "VIEW" | "EDIT" | "DELETE" | "INVITE")[];
        };
        SystemPermissionAnswer: components["schemas"]["SystemPermission"] & {
            /** @description The same record once more */
            permission: components["schemas"]["SystemPermission"];
        };
        SystemPermissionCheck: {
            /** @description TABLE_X or a record id */
            resource_id: string;
            /** @description PUBLIC, or id of a user, group or placeholder */
            grantee_id: string;
            /** @description Effective permission types */
            permissions: ("CREATE" | "VIEW" | "EDIT" | "DELETE" | "INVITE")[];
        };
        Transaction: {
            /** @description `data` of each command, in order */
            results: unknown[];
        };
        FilePayload: {
            /** @description Kind of the payload */
            type: "file";
            file: components["schemas"]["FileField"];
        };
        FileDelivery: {
            /** @description The event */
            event: "file.viewed" | "file.created" | "file.updated" | "file.deleted" | "drive.restore_trash";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["FilePayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["FilePayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        SharePayload: {
            /** @description Kind of the payload */
            type: "share_tracking";
            /** @description Id of the share */
            id: string;
            /** @description Base64 of JSON with the id and the user who shared */
            hash: string;
            /** @description Id of the share that this one continues */
            origin_id?: string;
            /** @description Hash of the share that this one continues */
            origin_hash?: string;
            /** @description Id of the user who shared */
            from_user?: string;
            /** @description Id of the grantee */
            to_user?: string;
            /** @description Id of the file or folder */
            resource_id: string;
            /** @description Name of the file or folder */
            resource_name: string;
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Time in ms */
            timestamp_ms: number;
            /**
             * Format: uri
             * @description URL of the service
             */
            host_url: string;
        };
        ShareDelivery: {
            /** @description The event */
            event: "file.shared" | "folder.shared" | "subfile.shared" | "subfolder.shared";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["SharePayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["SharePayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        FolderPayload: {
            /** @description Kind of the payload */
            type: "folder";
            /** @description The folder */
            folder: components["schemas"]["DirectoryFolder"];
        };
        FolderDelivery: {
            /** @description The event */
            event: "folder.viewed" | "folder.created" | "folder.updated" | "folder.deleted";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["FolderPayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["FolderPayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        SubfilePayload: {
            /** @description Kind of the payload */
            type: "subfile";
            file: components["schemas"]["FileField"];
        };
        SubfileDelivery: {
            /** @description The event */
            event: "subfile.viewed" | "subfile.created" | "subfile.updated" | "subfile.deleted";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["SubfilePayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["SubfilePayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        SubfolderPayload: {
            /** @description Kind of the payload */
            type: "subfolder";
            /** @description The folder */
            folder: components["schemas"]["DirectoryFolder"];
        };
        SubfolderDelivery: {
            /** @description The event */
            event: "subfolder.viewed" | "subfolder.created" | "subfolder.updated" | "subfolder.deleted";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["SubfolderPayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["SubfolderPayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        GroupInvitePayload: {
            /** @description Kind of the payload */
            type: "group_invite";
            /** @description The group */
            group: components["schemas"]["Group"];
            /** @description The invite */
            group_invite: components["schemas"]["Invite"];
        };
        GroupInviteDelivery: {
            /** @description The event */
            event: "group.invite.created" | "group.invite.updated";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["GroupInvitePayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["GroupInvitePayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        EventPayload: {
            /** @description Kind of the payload */
            type: "state_diffs";
            /** @description The result */
            data: components["schemas"]["EventRecord"];
        };
        EventDelivery: {
            /** @description The event */
            event: "drive.state_diffs";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["EventPayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["EventPayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        LabelPayload: {
            /** @description Kind of the payload */
            type: "label";
            /** @description Id of the record */
            resource_id: string;
            /** @description Id of the label */
            label_id: string;
            /** @description Value of the label */
            label_value: string;
            /** @description True: the label was pinned; false: it was removed */
            add: boolean;
        };
        LabelDelivery: {
            /** @description The event */
            event: "label.added" | "label.removed";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["LabelPayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["LabelPayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        SuperswapPayload: {
            /** @description Kind of the payload */
            type: "superswap_userid";
            /** @description User id */
            content: string;
        };
        SuperswapDelivery: {
            /** @description The event */
            event: "org.superswap_user";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["SuperswapPayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["SuperswapPayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        InboxPayload: {
            /** @description Kind of the payload */
            type: "org_inbox_new_notif";
            drive_id: components["schemas"]["DriveIdField"];
            /** @description Topic of the notice; null for none */
            topic: string | null;
            /** @description Content of the notice */
            payload: {
                [key: string]: unknown;
            };
        };
        InboxDelivery: {
            /** @description The event */
            event: "org.inbox.new_mail";
            /** @description Time of the event in ms */
            timestamp_ms: number;
            nonce: components["schemas"]["NonceField"];
            /** @description Id of the webhook */
            webhook_id: string;
            /** @description The watched object */
            webhook_alt_index: string;
            /** @description What the event concerns */
            payload: {
                /** @description Before the event; absent if it was created */
                before?: components["schemas"]["InboxPayload"];
                /** @description After the event; absent if it was deleted */
                after?: components["schemas"]["InboxPayload"];
            };
            notes?: components["schemas"]["NotesField"];
        };
        /** @description Stable slug of the error. `x-error-types` lists the slugs of an operation. */
        ErrorType: "access.denied" | "api-key.not-found" | "bookmark.exists" | "bookmark.not-found" | "contact.exists" | "contact.not-found" | "contact.owner-undeletable" | "contact.sealed" | "content.busy" | "content.elsewhere" | "content.encoded" | "content.gone" | "content.malformed-form" | "content.mismatch" | "content.none" | "content.range" | "content.store-full" | "content.too-large" | "content.too-slow" | "content.upload-expired" | "content.upload-used" | "directory.in-trash" | "directory.into-itself" | "directory.name-in-use" | "directory.not-in-trash" | "directory.other-disk" | "directory.path-too-long" | "directory.too-many-items" | "directory.top-folder" | "disk.bucket-refused" | "disk.bucket-unavailable" | "disk.not-found" | "disk.without-credentials" | "drive.behind" | "drive.broken" | "drive.busy" | "drive.closed" | "drive.conflict" | "drive.importing" | "drive.not-found" | "drive.overloaded" | "drive.own-undeletable" | "drive.sealed" | "drive.store-failed" | "drive.too-large" | "feed.beyond-last-event" | "file.content-not-served" | "file.not-found" | "file.object-missing" | "file.version-not-found" | "folder.not-found" | "giftcard.not-found" | "giftcard.redeemed" | "group.not-found" | "id.unknown" | "invite.not-found" | "label.not-found" | "label.value-in-use" | "organization.malformed-id" | "organization.not-found" | "organization.snapshot-too-large" | "organization.too-many-records" | "outcome-unknown" | "permission.ceiling" | "permission.denied" | "permission.not-found" | "permission.public-too-wide" | "permission.too-many" | "point.out-of-range" | "purchase.not-found" | "rate.limited" | "read-model.behind" | "redeem.code-invalid" | "redeem.not-redeemable" | "replay.chain-broken" | "request.bad" | "request.events-too-large" | "request.external-id-in-use" | "request.headers-too-large" | "request.id-in-use" | "request.idempotency-key-reused" | "request.invalid" | "request.invalid-header" | "request.malformed-http" | "request.malformed-json" | "request.malformed-url" | "request.media-type" | "request.no-past" | "request.nothing-to-update" | "request.precondition-failed" | "request.refused-before" | "request.same-user" | "request.timeout" | "request.too-large" | "request.upgrade-required" | "resource.not-found" | "route.unknown" | "route.wrong-method" | "server.failure" | "server.interrupted" | "server.not-implemented" | "server.stopping" | "server.unavailable" | "shortlink.not-found" | "signalling.full" | "store-unavailable" | "superswap.not-found" | "token.invalid" | "token.malformed" | "token.missing" | "transaction.answer-too-large" | "transfer.already-owner" | "transfer.none-pending" | "upload.expired" | "upload.locked" | "upload.not-found" | "upload.too-many" | "upload.too-many-parts" | "upload.wrong-checksum" | "upload.wrong-offset" | "upload.wrong-type" | "upload.wrong-version" | "user.former-id" | "user.in-use" | "webhook.inactive" | "webhook.not-found" | "webhook.paused" | "webhook.too-many";
        ErrorDetail: {
            /** @description JSON pointer into the body; empty: the whole body */
            pointer: string;
            /** @description Why the value is invalid; for `permission.denied`: a permission that would suffice */
            reason: string;
            /** @description The limit that was exceeded */
            limit?: number;
        };
        ErrorEnvelope: {
            /** @description The error */
            err: {
                /** @description HTTP status */
                code: number;
                /** @description Message for people */
                message: string;
                /** @description Type */
                type: components["schemas"]["ErrorType"];
                /** @description Id of the request, also in X-Request-Id */
                request_id: string;
                /** @description Invalid fields, or permissions that would suffice */
                details: components["schemas"]["ErrorDetail"][];
            };
        };
        /** @description RFC 9457 error, for requests whose Accept header lists application/problem+json */
        Problem: {
            /**
             * Format: uri-reference
             * @description /errors/ followed by the slug
             */
            type: string;
            /** @description Title for people */
            title: string;
            /** @description Status */
            status: number;
            /** @description Message for people */
            detail: string;
            /** @description HTTP status */
            code: number;
            /** @description Id of the request, also in X-Request-Id */
            request_id: string;
            /** @description Invalid fields, or permissions that would suffice */
            details: components["schemas"]["ErrorDetail"][];
        };
        /** @description Name for people */
        NameField: string | null;
        /** @description Kind of storage */
        DiskTypeField: "BROWSER_CACHE" | "LOCAL_SSD" | "AWS_BUCKET" | "STORJ_WEB3" | "ICP_CANISTER";
        /** @description Note for all who may read the record */
        PublicNoteField: string | null;
        /** @description Lifetime of new files in ms; 0 = off */
        AutoexpireMsField: (number | string) | null;
        /**
         * Format: uri
         * @description URL for billing
         */
        BillingUrlField: string | null;
        /** @description Email address, or empty */
        EmailField: string | null;
        /** @description Note for people */
        NoteField: string | null;
        /**
         * @description Maximum number of records in a page
         * @default 50
         */
        PageSizeField: number | null;
        /**
         * @description Order by creation time
         * @default ASC
         */
        DirectionField: "ASC" | "DESC" | null;
        /** @description Alias of cursor_down */
        CursorField: string | null;
        /** @description Returns the page before this cursor */
        CursorUpField: string | null;
        /** @description Returns the page after this cursor; takes precedence over cursor_up */
        CursorDownField: string | null;
        /**
         * @description Case-insensitive substring; only matching records are returned
         * @default
         */
        FiltersField: string | null;
        /** @description Id of the record in another system */
        ExternalIdField: string | null;
        /**
         * Format: uri
         * @description URL of a picture
         */
        AvatarField: string | null;
        /** @description Note for those who may edit the record */
        PrivateNoteField: string | null;
        /** @description Text for another system; not interpreted */
        ExternalPayloadField: string | null;
        /** @description Start time in ms; 0 = no start */
        ActiveFromField: (number | string) | null;
        /** @description ms; -1 = never */
        ExpiresAtField: (number | string) | null;
        /** @description Expiry in ms; -1 = never */
        ExpiresAtField2: (number | string) | null;
        /** @description Time in ms: the state after the last event at or before it */
        AtMsField: (number | string) | null;
        /**
         * @description Revision: the state after that event
         * @example 12
         */
        RevisionField: (number | string) | null;
        /**
         * @description Bookmark: the point that it names
         * @example @year-end
         */
        AtField: string | null;
        /**
         * @description Only events of these types; empty: all
         * @example [
         *       "GroupCreated"
         *     ]
         */
        TypesField: string[] | null;
        /** @description Only events that this grant or invite authorized; or OWNER, SELF, CODE, FACTORY, SYSTEM */
        AllowedByField: string | null;
        /** @description Only events at or after this time, in ms */
        FromMsField: (number | string) | null;
        /** @description Only events at or before this time, in ms */
        ToMsField: (number | string) | null;
        /**
         * @description Only this event and later ones
         * @example 12
         */
        FromRevisionField: (number | string) | null;
        /** @description Only this event and earlier ones */
        ToRevisionField: (number | string) | null;
        /** @description PUBLIC, or id of a user, group or placeholder */
        GranteeIdField: string;
        /** @description Id of the record, or name of the table */
        ResourceIdField: string | (string | {
            /** @description Type */
            type: "Table" | "Record";
            /** @description Id of the record, or name of the table */
            value: string;
        } | {
            /** @description Name of the table */
            Table: string;
        } | {
            /** @description Id of the record */
            Record: string;
        });
        /** @description Id of the record */
        IdField: string;
        /** @description Id of the record */
        IdField2: string;
        /** @description Must not contain /, :: or control characters, nor be ., .. or .trash. A single : is stored as ; */
        NameField2: string;
        /** @description Expiry time in ms; -1 = never */
        ExpiresAtField3: (number | string) | null;
        /**
         * @description Applies if the name is in use; see the description of the operation
         * @default KEEP_BOTH
         */
        FileConflictResolutionField: "KEEP_BOTH" | "REPLACE" | "KEEP_NEWER" | "KEEP_ORIGINAL" | null;
        /** @description Must not contain /, :: or control characters, nor be ., .. or .trash. A single : is stored as ; */
        NameField3: string | null;
        /** @description Replaces all labels; unknown values are ignored */
        LabelsField: string[] | null;
        /** @description -1 = never, else a time in the future */
        ExpiresAtField4: (number | string) | null;
        /** @description Ids of any kind; a superswap replaces user ids among them */
        RelatedResourcesField: string[] | null;
        /** @description Id of the record */
        IdField3: string;
        /** @description Id of the record, or name of the table */
        ResourceIdField2: string;
        /** @description If absent, a placeholder with a redeem code is created */
        GrantedToField: string | null;
        /** @description Further data of the grant */
        MetadataField: {
            [key: string]: unknown;
        } | null;
        /** @description Start time in ms; -1 = no start */
        BeginDateMsField: (number | string) | null;
        /** @description Id of the record, or name of the table */
        ResourceIdField3: string | {
            /** @description Type */
            type: "Table" | "Record";
            /** @description Id of the record, or name of the table */
            value: string;
        } | {
            /** @description Name of the table */
            Table: string;
        } | {
            /** @description Id of the record */
            Record: string;
        };
        /**
         * Format: uri
         * @description URL of the service that holds the organization
         */
        HostUrlField: string;
        /** @description Id of the organization */
        DriveIdField: string;
        /** @description Id of the record in another system */
        ExternalIdField2: string | null;
        /** @description Values of the pinned labels */
        LabelsField2: string[];
        /** @description Text for another system; not interpreted */
        ExternalPayloadField2: string | null;
        /** @description Permission types of the caller on the record */
        PermissionPreviewsField: ("CREATE" | "VIEW" | "EDIT" | "DELETE" | "INVITE")[];
        /** @description Revision of the event stream */
        RevisionField2: number;
        /** @description Records whose own fields it changed (stored contents too), at most 100; in a dry run by callers without VIEW on TABLE_AUDIT only those in `data` */
        ResourceIdsField: string[];
        /** @description Id of the record, or name of the table */
        ResourceIdField4: string;
        /** @description ms; null for callers without VIEW on TABLE_AUDIT who name a revision */
        AtMsField2: number | null;
        /** @description Lifetime of a queried id that did not exist at the point; of the resource if both ids did not */
        ExistedField: components["schemas"]["Existed"];
        /** @description Sources of each type: ownership, then grants, oldest first, at most 100 */
        BecauseField: {
            [key: string]: components["schemas"]["Source"][];
        };
        /** @description True: grants on folders above do not apply. A creator other than the owner gets all six types on it, until their MANAGE on the folder around it ends */
        HasSovereignPermissionsField: boolean;
        /** @description Permission types of the caller on the record */
        PermissionPreviewsField2: ("VIEW" | "UPLOAD" | "EDIT" | "DELETE" | "INVITE" | "MANAGE")[];
        /** @description Folders from the root of the disk down */
        BreadcrumbsField: components["schemas"]["Breadcrumb"][];
        /** @description The file */
        FileField: components["schemas"]["DirectoryFile"];
        /** @description Increases with every delivery of the webhook; 0 for a test */
        NonceField: number;
        /** @description Present if the delivery is a test */
        NotesField: string;
    };
}
