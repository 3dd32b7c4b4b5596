import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { Metrics } from '../platform/metrics.js';
import { ApiOpen } from '../platform/openapi/openapi-decorators.js';
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
  root() {
    return { root: true };
  }

  /** The process is alive. */
  @Get('health')
  @ApiOpen()
  @ApiResponse({ status: 200, description: 'Always', type: HealthRecord })
  health() {
    return { message: 'OK' };
  }

  /** The process can serve: its stores answer, and no drive it holds is closed or behind. */
  @Get('ready')
  @ApiOpen()
  @ApiResponse({ status: 200, description: 'Ready', type: ReadinessRecord })
  @ApiResponse({ status: 503, description: 'Not ready', type: ReadinessRecord })
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
