import { Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { Signalling } from '../../../libs/application/signalling/signalling.js';
import { dataOf } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiError } from '../platform/errors.js';
import { Operation } from '../platform/openapi/openapi-decorators.js';
import { IdPipe } from '../platform/requests/validation.js';
import { upgradeOf } from '../platform/web-sockets.js';
import { guardError } from '../refusals.js';
import { DriveController } from '../drive/drive-controller.js';

const WEBRTC_TEXT = `
Opens a WebSocket for signalling, with the token in \`auth\`. Messages are JSON text:

| Message | Effect |
|---|---|
| \`{"type":"subscribe","topics":[…]}\` | The peer receives messages published to these topics |
| \`{"type":"unsubscribe","topics":[…]}\` | The peer no longer receives them |
| \`{"type":"publish","topic":…,…}\` | The message is relayed unchanged to all subscribers of the topic, including the sender if it subscribes |
| \`{"type":"ping"}\` | The server replies \`{"type":"pong"}\` |

Topics (1–256 characters) belong to one file of one organization; the same name for another file is another
topic. To any other message the server replies \`{"type":"error","message":…}\`. Messages are not stored. Only peers
that are connected to the same process reach each other.

Requires VIEW on the file, which is checked when the socket opens and at every ping of the server (30 s).
Browsers hide refused upgrades from pages. Therefore a refused socket is opened and closed immediately, with the
error slug as close reason: 1008 for errors that the client must correct, 1013 for errors to retry later. An open
socket is closed with 1008 (\`permission.denied\`, \`signalling.too-many-messages\`), 1003 after a binary message, 1009
after a message over 64 KiB, 1000 (\`signalling.idle\`) after 5 minutes without a message, or 1001
(\`server.stopping\`). A peer that stops reading or does not answer pings is disconnected without a close frame (1006).
A file has at most 50 peers; a peer may send 50 messages per second and subscribe to 100 topics. The peers of an
organization receive at most 10,000 messages per second from each other; of a message beyond it the sender is told by an
error. A message counts once for each 4,096 characters or part of them. All these limits are settings.

Any origin may connect. The server ignores cookies and other credentials that a browser adds, so a page can use
only tokens that it has. A request without upgrade is 426.
`.trim();

@DriveController('organization', 'signalling')
export class SignallingController {
  constructor(@Inject(Signalling) private readonly signalling: Signalling) {}

  @Get('webrtc')
  @ApiResponse({ status: 101, description: 'The WebSocket is open' })
  @ApiQuery({ name: 'file_id', schema: { type: 'string' }, description: 'The file of the room' })
  @Operation({
    id: 'openSignalling',
    summary: 'Open a signalling WebSocket for direct connections between viewers of a file',
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
    // ws closes the socket after an error.
    socket.on('error', () => peer.leave());
  }
}

const UPGRADE = { Upgrade: 'websocket', Connection: 'Upgrade' };
