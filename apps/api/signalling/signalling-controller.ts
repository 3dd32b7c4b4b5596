import { Controller, Get, Inject, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { Signalling } from '../../../libs/application/signalling/signalling.js';
import { dataOf } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiError } from '../platform/errors.js';
import { Operation } from '../platform/openapi/openapi-decorators.js';
import { IdPipe } from '../platform/requests/validation.js';
import { upgradeOf } from '../platform/web-sockets.js';
import { guardError } from '../refusals.js';

const WEBRTC_TEXT = `
A WebSocket for signalling, with the token in \`auth\`. Messages are JSON text:

| Message | Effect |
|---|---|
| \`{"type":"subscribe","topics":[…]}\` | from now on gets what is published to these topics |
| \`{"type":"unsubscribe","topics":[…]}\` | no longer does |
| \`{"type":"publish","topic":…,…}\` | is relayed as it is to all subscribers of the topic, the sender too if it is one |
| \`{"type":"ping"}\` | is answered \`{"type":"pong"}\` |

Topics (1–256 characters) belong to one file of one organization: what has the same name elsewhere is another
topic. Anything else is answered \`{"type":"error","message":…}\`. Nothing is stored, and peers meet on one
process only.

Needs VIEW on the file, asked when the socket opens and again with every ping of the server (30 s). Since
browsers show pages nothing of a refused upgrade, every refusal is an open socket closed at once, with the slug
of the error as its reason: 1008 for errors that the caller must correct, 1013 to try again later. Later closes: 1008
(\`permission.denied\`, \`signalling.too-many-messages\`), 1003 for binary messages, 1009 for messages over 64
KiB, 1000 (\`signalling.idle\`) after 5 minutes without a message, 1001 (\`server.stopping\`). A peer that does not
read, or does not answer pings, is disconnected (1006). A file has at most 50 peers; a peer may send 50
messages a second and listen to 100 topics. All of these are settings.

Any origin may connect: no cookie or other credential that a browser adds by itself counts here, so a page
can only use a token it has. A request that is no upgrade is 426.
`.trim();

@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class SignallingController {
  constructor(@Inject(Signalling) private readonly signalling: Signalling) {}

  @Get('webrtc')
  @ApiResponse({ status: 101, description: 'The WebSocket is open' })
  @ApiQuery({ name: 'file_id', schema: { type: 'string' }, description: 'The file of the room' })
  @Operation({
    summary: 'Find those who look at the same file, to connect to them directly',
    description: WEBRTC_TEXT,
    errors: ['permission.denied', 'file.not-found', 'request.upgrade-required', 'signalling.full'],
  })
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
