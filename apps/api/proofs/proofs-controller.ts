import { Body, Controller, Get, Post, Query, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { GetDigest } from '../../../libs/application/proofs/digest.js';
import { ProveConsistency, ProveEvent } from '../../../libs/application/proofs/log-answers.js';
import { ProveRecord } from '../../../libs/application/proofs/record-proof.js';
import { Verify } from '../../../libs/application/proofs/verification.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import {
  ProveConsistencyQuery,
  ProveEventQuery,
  ProveRecordBody,
  VerifyBody,
} from './proofs-bodies.js';
import {
  ConsistencyProofRecord,
  DigestRecord,
  InclusionProofRecord,
  RecordProofRecord,
  VerificationRecord,
} from './proofs-records.js';

/** What lets others check the past of an organization without trusting the service. */
@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class ProofsController {
  constructor(private readonly api: DriveApi) {}

  @Get('digest')
  @ApiData(DigestRecord)
  @Operation({
    summary: 'What commits to the whole past, signed',
    description:
      'Owner, or VIEW on AUDIT. Store it elsewhere: its holder can check later whether the history is still ' +
      'the same. checkpoint is the size and root of the log as a signed note that public witnesses can ' +
      'cosign; its key name is the origin, its key public_key.',
    errors: ['permission.denied'],
  })
  digest(@Call() call: DriveRequest) {
    return this.api.ask(call, GetDigest, {});
  }

  @Get('proof')
  @ApiData(InclusionProofRecord)
  @Operation({
    summary: 'Prove that an event is in the log',
    description:
      'Owner, or VIEW on AUDIT. The path leads from the event to the root of the tree of the first `size` ' +
      'events, at most 2 log2(size) hashes. Proofs are there as soon as the event was acknowledged.',
    errors: ['permission.denied', 'point.out-of-range', 'replay.chain-broken'],
  })
  proof(@Call() call: DriveRequest, @Query() query: ProveEventQuery) {
    return this.api.ask(call, ProveEvent, query);
  }

  @Get('consistency')
  @ApiData(ConsistencyProofRecord)
  @Operation({
    summary: 'Prove that one log extends another',
    description:
      'Owner, or VIEW on AUDIT. From the root of the first `from` events to that of the first `to`: nothing ' +
      'was changed, dropped or inserted between two digests.',
    errors: ['permission.denied', 'point.out-of-range', 'replay.chain-broken'],
  })
  consistency(@Call() call: DriveRequest, @Query() query: ProveConsistencyQuery) {
    return this.api.ask(call, ProveConsistency, query);
  }

  @Post('record_proof')
  @ApiRead()
  @ApiData(RecordProofRecord)
  @Operation({
    summary: 'Prove that a record was there, or was not',
    description:
      'Owner, or VIEW on AUDIT. The paths lead to state_hash, as replay tells it for the same point. Secrets ' +
      'and personal fields stand as the SHA-256 of their sealed boxes.',
    errors: [
      'permission.denied',
      'point.out-of-range',
      'bookmark.not-found',
      'replay.chain-broken',
    ],
  })
  recordProof(@Call() call: DriveRequest, @Body() body: ProveRecordBody) {
    return this.api.ask(call, ProveRecord, body);
  }

  @Post('verify')
  @ApiRead()
  @ApiData(VerificationRecord)
  @Operation({
    summary: 'Read the whole stream again and check everything derived from it',
    description:
      'Owner, or VIEW on AUDIT. Every event is read from the store: the chain of hashes, the sealed fields, ' +
      'the log’s root, the digest if one is given, every snapshot and every document of the read model. ' +
      'Commands and reads go on meanwhile.',
    errors: ['permission.denied'],
  })
  verify(@Call() call: DriveRequest, @Body() body: VerifyBody) {
    return this.api.ask(call, Verify, body);
  }
}
