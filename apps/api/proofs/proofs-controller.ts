import { Body, Controller, Get, Post, Query, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { GetDigest } from '../../../libs/application/proofs/digest.js';
import { ProveConsistency, ProveEvent } from '../../../libs/application/proofs/log-answers.js';
import { ProveRecord } from '../../../libs/application/proofs/record-proof.js';
import { Verify } from '../../../libs/application/proofs/verification.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiErrors, ApiRead } from '../platform/openapi/openapi-decorators.js';
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
  @ApiErrors('permission.denied')
  digest(@Call() call: DriveRequest) {
    return this.api.ask(call, GetDigest, {});
  }

  @Get('proof')
  @ApiData(InclusionProofRecord)
  @ApiErrors('permission.denied', 'point.out-of-range', 'replay.chain-broken')
  proof(@Call() call: DriveRequest, @Query() query: ProveEventQuery) {
    return this.api.ask(call, ProveEvent, query);
  }

  @Get('consistency')
  @ApiData(ConsistencyProofRecord)
  @ApiErrors('permission.denied', 'point.out-of-range', 'replay.chain-broken')
  consistency(@Call() call: DriveRequest, @Query() query: ProveConsistencyQuery) {
    return this.api.ask(call, ProveConsistency, query);
  }

  @Post('record_proof')
  @ApiRead()
  @ApiData(RecordProofRecord)
  @ApiErrors('permission.denied', 'point.out-of-range', 'bookmark.not-found', 'replay.chain-broken')
  recordProof(@Call() call: DriveRequest, @Body() body: ProveRecordBody) {
    return this.api.ask(call, ProveRecord, body);
  }

  @Post('verify')
  @ApiRead()
  @ApiData(VerificationRecord)
  @ApiErrors('permission.denied')
  verify(@Call() call: DriveRequest, @Body() body: VerifyBody) {
    return this.api.ask(call, Verify, body);
  }
}
