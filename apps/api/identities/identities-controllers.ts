import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  GenerateCryptoIdentity,
  cryptoIdentityView,
} from '../../../libs/application/identities/identities.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { FactoryGuard } from '../factory/factory-guard.js';
import { TOKEN_ERRORS } from '../platform/errors.js';
import { ApiData, ApiNoToken, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { CLOSED, IDENTITY } from '../phrases.js';
import { DriveController } from '../drive/drive-controller.js';
import { Registered } from '../platform/controllers.js';
import { CryptoIdentityBody } from './identity-bodies.js';

const DESCRIPTION = 'Success; the identity is neither stored nor logged';

/** Identities for members of an organization. */
@DriveController('contacts/helpers', 'contacts')
export class ContactIdentitiesController {
  constructor(private readonly api: DriveApi) {}

  @Post('generate-crypto-identity')
  @ApiRead()
  @ApiData(cryptoIdentityView, DESCRIPTION)
  @Operation({
    id: 'generateContactIdentity',
    summary: 'Derive an identity from a phrase or from entropy, or generate a random one',
    description: IDENTITY,
  })
  generate(@Call() call: DriveRequest, @Body() body: CryptoIdentityBody) {
    return this.api.query(call, GenerateCryptoIdentity, body);
  }
}

/** Identities for future owners of an organization. */
@Registered
@ApiTags('onboarding')
@Controller('v1/factory/helpers')
@UseGuards(FactoryGuard)
export class FactoryIdentitiesController {
  constructor(private readonly api: DriveApi) {}

  @Post('generate-crypto-identity')
  @ApiRead()
  @ApiNoToken()
  @ApiData(cryptoIdentityView, DESCRIPTION)
  @Operation({
    id: 'generateIdentity',
    summary: 'Derive an identity from a phrase or from entropy, or generate a random one',
    description: `${IDENTITY} ${CLOSED}`,
    errors: [...TOKEN_ERRORS],
  })
  generate(@Call() call: DriveRequest, @Body() body: CryptoIdentityBody) {
    return this.api.query(call, GenerateCryptoIdentity, body);
  }
}
