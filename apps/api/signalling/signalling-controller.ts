import { Controller, Get, Inject, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { Signalling } from '../../../libs/application/signalling/signalling.js';
import { dataOf } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiError } from '../platform/errors.js';
import { ApiErrors } from '../platform/openapi/openapi-decorators.js';
import { IdPipe } from '../platform/requests/validation.js';
import { upgradeOf } from '../platform/web-sockets.js';
import { guardError } from '../refusals.js';

@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class SignallingController {
  constructor(@Inject(Signalling) private readonly signalling: Signalling) {}

  /** The room of a file, as a WebSocket. */
  @Get('webrtc')
  @ApiResponse({ status: 101, description: 'The WebSocket is open' })
  @ApiQuery({ name: 'file_id', schema: { type: 'string' }, description: 'The file of the room' })
  @ApiErrors('permission.denied', 'file.not-found', 'request.upgrade-required', 'signalling.full')
  async join(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('file_id', new IdPipe('FileID_')) file_id: string,
  ): Promise<void> {
    await dataOf(reply, this.signalling.mayJoin(call, file_id));
    const upgrade = upgradeOf(request);
    if (!upgrade) throw ApiError.of('request.upgrade-required', { headers: UPGRADE });
    if (!this.signalling.hasPlace(call, file_id)) throw guardError('signalling.full');
    upgrade.accept(request, reply, (socket) => this.enter(call, file_id, socket));
  }

  private enter(call: DriveRequest, file_id: string, socket: WebSocket): void {
    const { drive_id, credential } = call;
    const peer = this.signalling.join({ drive_id, credential }, file_id, socket);
    socket.on('message', (data: RawData, is_binary: boolean) =>
      peer.received(is_binary ? null : (data as Buffer).toString()),
    );
    socket.on('pong', () => peer.answered());
    socket.on('close', () => peer.leave());
    // Whatever is wrong with a socket, ws closes it.
    socket.on('error', () => peer.leave());
  }
}

const UPGRADE = { Upgrade: 'websocket', Connection: 'Upgrade' };
