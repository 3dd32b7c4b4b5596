import { LoadClient, post } from '../harness/load.js';
import { makeOrganizations } from '../harness/organizations.js';
import { show } from '../harness/report.js';
import type { Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { call } from '../harness/transfer.js';

const ACTIONS = 100;
const LEAST_PER_SECOND = 12_000;

/** Batches of actions on files over HTTP, one batch after another, beside the same files one by one. */
export const row: Row = {
  name: 'actions',
  async run(bench) {
    const service = await startService(bench, await bench.folder());
    const client = await LoadClient.connect(service.port, 1);
    try {
      const [made] = await makeOrganizations(service, 1);
      const listed = await call(service, made!, 'disks/list', {});
      const { id: disk_id, root_folder } = listed.ok.data.items[0] as Record<string, string>;
      const place = { parent_folder_uuid: root_folder, disk_id, file_size: 1000 };
      let nth = 0;
      const batch = (length: number) => (): string => {
        const actions = Array.from({ length }, () => ({
          action: 'CREATE_FILE',
          payload: { name: `file-${nth++}.txt`, ...place },
        }));
        const path = `/v1/drive/${made!.drive_id}/directory/action`;
        return post(path, JSON.stringify({ actions }), made!.token);
      };
      const duration_ms = bench.is_quick ? 3_000 : 10_000;
      await client.run({ duration_ms: 3_000, next: batch(ACTIONS) });
      bench.progress('batches of actions');
      const batches = await client.run({ duration_ms, next: batch(ACTIONS) });
      bench.progress('single actions');
      const single = await client.run({ duration_ms: duration_ms / 3, next: batch(1) });
      const per_second = batches.per_second * ACTIONS;
      return [
        {
          what: `files created by directory/action, ${ACTIONS} a request, one request after another`,
          target: `≥ ${show(LEAST_PER_SECOND)}/s`,
          measured: `${show(per_second)}/s, p50 ${show(batches.p50_ms)} ms, p99 ${show(batches.p99_ms)} ms a request`,
          reference: `one action a request ${show(single.per_second)}/s`,
          holds: per_second >= LEAST_PER_SECOND,
          figures: { per_second, p99_ms: batches.p99_ms, single_per_second: single.per_second },
        },
      ];
    } finally {
      client.close();
      await service.stop();
    }
  },
};
