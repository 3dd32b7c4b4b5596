import { Body, Get, Inject, Post, Query, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetDigest } from '../../../libs/application/proofs/digest.js';
import { ProveConsistency, ProveEvent } from '../../../libs/application/proofs/log-answers.js';
import { ProveRecord, recordProofView } from '../../../libs/application/proofs/record-proof.js';
import {
  Verify,
  type VerifyInput,
  verifyView,
} from '../../../libs/application/proofs/verification.js';
import {
  consistencyProofView,
  digestView,
  inclusionProofView,
} from '../../../libs/application/proofs/proof-views.js';
import { dataOf, DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import {
  ApiData,
  ApiDataOrEvents,
  ApiRead,
  Operation,
} from '../platform/openapi/openapi-decorators.js';
import { DriveController } from '../drive/drive-controller.js';
import { prefersEvents, ProgressEvents } from './progress-events.js';
import {
  DigestQuery,
  ProveConsistencyQuery,
  ProveEventQuery,
  ProveRecordBody,
  VerifyBody,
} from './proofs-bodies.js';

/** Proofs by which clients verify the history of an organization without trusting the service. */
@DriveController('organization', 'proofs')
export class ProofsController {
  constructor(
    @Inject(DriveApi) private readonly api: DriveApi,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Get('digest')
  @ApiData(digestView)
  @Operation({
    id: 'getDigest',
    summary: 'Get a signed digest of the whole history',
    description:
      'Requires owner, or VIEW on AUDIT. Store the digest elsewhere: with it you can verify later that the ' +
      'history has not changed. `checkpoint` contains the size and root of the log as a signed note, which ' +
      'public witnesses can cosign; its key name is the origin, its key is public_key. With `revision` it ' +
      'covers the history up to that event, so that record proofs of that point can be checked against it.',
    errors: ['permission.denied', 'point.out-of-range', 'replay.chain-broken'],
  })
  digest(@Call() call: DriveRequest, @Query() query: DigestQuery) {
    return this.api.query(call, GetDigest, query);
  }

  @Get('proof')
  @ApiData(inclusionProofView)
  @Operation({
    id: 'proveEvent',
    summary: 'Prove that an event is in the log',
    description:
      'Requires owner, or VIEW on AUDIT. The path leads from the event to the root of the tree of the first ' +
      '`size` events and has at most 2 log2(size) hashes. A proof is available as soon as the event is ' +
      'acknowledged.',
    errors: ['permission.denied', 'point.out-of-range', 'replay.chain-broken'],
  })
  proof(@Call() call: DriveRequest, @Query() query: ProveEventQuery) {
    return this.api.query(call, ProveEvent, query);
  }

  @Get('consistency')
  @ApiData(consistencyProofView)
  @Operation({
    id: 'proveConsistency',
    summary: 'Prove that one log extends another',
    description:
      'Requires owner, or VIEW on AUDIT. The proof leads from the root of the first `from` events to the root ' +
      'of the first `to` events. It shows that no event was changed, removed or inserted between two digests.',
    errors: ['permission.denied', 'point.out-of-range', 'replay.chain-broken'],
  })
  consistency(@Call() call: DriveRequest, @Query() query: ProveConsistencyQuery) {
    return this.api.query(call, ProveConsistency, query);
  }

  @Post('record_proof')
  @ApiRead()
  @ApiData(recordProofView)
  @Operation({
    id: 'proveRecord',
    summary: 'Prove that a record existed or did not exist at a point',
    description:
      'Requires owner, or VIEW on AUDIT. The paths lead to state_hash, which replay returns for the same point. ' +
      'Secret and personal fields are represented by the SHA-256 of their encrypted form.',
    errors: [
      'permission.denied',
      'point.out-of-range',
      'bookmark.not-found',
      'replay.chain-broken',
    ],
  })
  recordProof(@Call() call: DriveRequest, @Body() body: ProveRecordBody) {
    return this.api.query(call, ProveRecord, body);
  }

  @Post('verify')
  @ApiRead()
  @ApiDataOrEvents(verifyView, 'The verdict; as an event stream, after messages of progress')
  @Operation({
    id: 'verifyHistory',
    summary: 'Verify the whole event stream and all data derived from it',
    description:
      'Requires owner, or VIEW on AUDIT. Reads every event from the store and verifies the hash chain, the ' +
      'sealed fields, the root of the log, the digest if the body has one, all snapshots, all documents of ' +
      'the read model, and the index of events by which histories are filtered. The ' +
      'signature of the digest is checked with the key that it names: compare that with your own copy. Commands and reads continue meanwhile. With `Accept: text/event-stream`, messages ' +
      '`progress` (`checked_events`, `events_total`) are sent meanwhile, and at the end one message `result` ' +
      'with the data; if the verification fails, the stream ends without it.',
    errors: ['permission.denied'],
  })
  async verify(@Call() call: DriveRequest, @Body() body: VerifyBody) {
    const { reply } = call;
    if (!prefersEvents(reply.request.headers.accept)) return this.api.query(call, Verify, body);
    const events = new ProgressEvents();
    const progress: VerifyInput['progress'] = (checked, total) => events.progress(checked, total);
    const verify = new Verify(call, { ...body, progress });
    const verified = dataOf(reply, this.queries.execute(verify));
    // A refusal comes before the first progress, and is answered as for all requests.
    await Promise.race([events.begun, verified]);
    void verified.then(
      (result) => events.finish(result),
      (error: unknown) => events.stream.destroy(error as Error),
    );
    void reply.header('Cache-Control', 'no-store');
    return new StreamableFile(events.stream, { type: 'text/event-stream; charset=utf-8' });
  }
}
