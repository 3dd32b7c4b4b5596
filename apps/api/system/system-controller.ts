import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { Metrics } from '../platform/metrics.js';
import { ApiOpen, Operation } from '../platform/openapi/openapi-decorators.js';
import { readiness } from './readiness.js';
import { HealthRecord, ReadinessRecord, RootRecord } from './system-records.js';

/** What operators and load balancers ask. */
@ApiTags('system')
@Controller()
export class SystemController {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  @Get()
  @ApiOpen()
  @ApiResponse({ status: 200, description: 'Always', type: RootRecord })
  @Operation({ summary: 'Says that this is the service' })
  root() {
    return { root: true };
  }

  @Get('health')
  @ApiOpen()
  @ApiResponse({ status: 200, description: 'Always', type: HealthRecord })
  @Operation({ summary: 'The process is alive' })
  health() {
    return { message: 'OK' };
  }

  @Get('ready')
  @ApiOpen()
  @ApiResponse({ status: 200, description: 'Ready', type: ReadinessRecord })
  @ApiResponse({ status: 503, description: 'Not ready', type: ReadinessRecord })
  @Operation({
    summary: 'The process can serve',
    description:
      '503 while a store does not answer or an organization in memory is closed; says how far read models are behind. ' +
      '`reads` and `writes` tell the two parts of the event store apart: it may show events and take none.',
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
