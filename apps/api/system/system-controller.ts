import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Drives } from '../../../libs/engine/drives.js';
import { Metrics } from '../platform/metrics.js';
import { ApiOpen } from '../platform/openapi-decorators.js';

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
  root() {
    return { root: true };
  }

  /** The process is alive. */
  @Get('health')
  @ApiOpen()
  health() {
    return { message: 'OK' };
  }

  /** The process can serve: its stores answer, and no drive it holds is closed or behind. */
  @Get('ready')
  @ApiOpen()
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

/** How far this process is from serving everything it should. */
export interface Readiness {
  readonly ready: boolean;
  readonly drives_in_memory: number;
  /** Events between the heads of drives in memory and what their read models show, at most. */
  readonly projection_lag_events: number;
  /** Types of stored events that this release does not know; their drives are closed. */
  readonly unknown_events: readonly string[];
  readonly closed_drives: readonly string[];
}

/** Most closed drives named in one report. */
const MOST_NAMED = 100;

export async function readiness(drives: Drives): Promise<Readiness> {
  await drives.all();
  let lag = 0;
  let in_memory = 0;
  const unknown = new Set<string>();
  const closed: string[] = [];
  for (const drive of drives.inMemory()) {
    in_memory++;
    const checkpoint = await drives.read_model.checkpoint(drive.drive_id);
    lag = Math.max(lag, drive.head.revision - (checkpoint?.revision ?? -1));
    if (drive.state.unknown_events.size === 0) continue;
    for (const type of drive.state.unknown_events) unknown.add(type);
    if (closed.length < MOST_NAMED) closed.push(drive.drive_id);
  }
  return {
    ready: closed.length === 0,
    drives_in_memory: in_memory,
    projection_lag_events: Math.max(0, lag),
    unknown_events: [...unknown],
    closed_drives: closed,
  };
}
