import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { Metrics } from '../platform/metrics.js';
import { ApiRawResponse, ApiNoToken, Operation } from '../platform/openapi/openapi-decorators.js';
import { Registered } from '../platform/controllers.js';
import { readiness, healthView, readinessView, rootView } from './readiness.js';

/** Endpoints for operators and load balancers. */
@Registered
@ApiTags('system')
@Controller()
export class SystemController {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  @Get()
  @ApiNoToken()
  @ApiRawResponse(rootView, { description: 'Always' })
  @Operation({ id: 'getService', summary: 'Identify the service' })
  root() {
    return { root: true };
  }

  @Get('health')
  @ApiNoToken()
  @ApiRawResponse(healthView, { description: 'Always' })
  @Operation({ id: 'checkHealth', summary: 'Liveness check' })
  health() {
    return { message: 'OK' };
  }

  @Get('ready')
  @ApiNoToken()
  @ApiRawResponse(readinessView, { description: 'Ready' })
  @ApiRawResponse(readinessView, { status: 503, description: 'Not ready' })
  @Operation({
    id: 'checkReadiness',
    summary: 'Readiness check',
    description:
      '503 if a store is unavailable, or an organization in memory contains events of a later release. The response includes the lag of ' +
      'the read models. `reads` and `writes` report separately on the event store, which may serve events but ' +
      'accept none.',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const report = await readiness(this.drives);
    if (!report.ready) void reply.status(503);
    return report;
  }

  @Get('metrics')
  @ApiExcludeEndpoint()
  async figures(@Res({ passthrough: true }) reply: FastifyReply) {
    const { content_type, body } = await this.metrics.page();
    void reply.header('Content-Type', content_type);
    return body;
  }
}
