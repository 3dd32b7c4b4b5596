import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import {
  Body,
  Controller,
  Get,
  Header,
  Headers,
  HttpCode,
  Module,
  Param,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { CreateGroupBody } from '../../../apps/api/groups/group-bodies.js';
import { ValidationPipe } from '../../../apps/api/platform/requests/validation.js';
import { openFolder } from '../seed/datasets.js';
import { Appends } from './appends.js';
import { obey, say } from './parent.js';

let text = '{}';

/**
 * With a folder, each POST is answered when an event is durable there; headers are sent with each answer. Not settings of
 * the service: they are inherited.
 */
const { BARE_APPENDS_TO: folder, BARE_HEADERS: headers } = process.env;
const stores = folder ? openFolder(folder) : null;
const appends = stores && new Appends(stores.events);

/** The same parameters, header, body class and validator as the service, and nothing behind them. */
@Controller('v1/drive/:organization_id/groups')
class BareController {
  @Post('create')
  @HttpCode(200)
  create(
    @Param('organization_id') drive_id: string,
    @Headers('authorization') authorization: string,
    @Body() body: CreateGroupBody,
  ) {
    const answer = { ok: { data: { drive_id, id: body.id, is_signed: authorization.length > 0 } } };
    return appends ? appends.append(drive_id).then(() => answer) : answer;
  }

  @Get('get/:group_id')
  @Header('content-type', 'application/json; charset=utf-8')
  get(
    @Param('organization_id') drive_id: string,
    @Param('group_id') group_id: string,
    @Headers('authorization') authorization: string,
  ): string {
    return drive_id && group_id && authorization ? text : '';
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), {
  logger: false,
});
app.useGlobalPipes(new ValidationPipe());
if (headers) {
  const sent = JSON.parse(headers) as Record<string, string>;
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (_, reply, done) => {
    void reply.headers(sent);
    done();
  });
}
await app.listen(0, '127.0.0.1');
obey(
  async () => {
    await app.close();
    await stores?.close();
  },
  (given) => (text = given),
);
say({ says: 'ready', port: (app.getHttpServer().address() as AddressInfo).port });
