import { Beside } from '../harness/beside.js';
import { post, type Request } from '../harness/load.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { treeOrder } from '../seed/orders.js';
import { diskId, folderId, rootId, TOP_FOLDERS } from '../seed/tree.js';

/** Top folders that are copied together: nearly as many items as one action may copy. */
const COPIED = 4;
const TIMES = 5;
const NEXT_OWNER = 'UserID_aaaaa-bbbbb-ccccc-ddddd-eee';

/** What callers of another organization feel while single commands change as many records as they may. */
export const row: Row = {
  name: 'large-commands',
  async run(bench): Promise<readonly Line[]> {
    const order = treeOrder(bench);
    const seeded = await dataset(order, bench);
    const { drive_id, owner } = seeded;
    const service = await startService(bench, await copyOf(seeded, bench));
    const beside = await Beside.of(service, bench);
    const at = (path: string, body: object, headers?: Record<string, string>): Request =>
      post(`/v1/drive/${drive_id}/${path}`, JSON.stringify(body), owner.token, headers);
    const action = (name: string, payload: object, headers?: Record<string, string>): Request =>
      at('directory/action?envelope=ok', { actions: [{ action: name, payload }] }, headers);
    const done = async (name: string, payload: object): Promise<string> => {
      const { ok } = await beside.ask(action(name, payload));
      const result = ok?.data?.[0]?.response.result;
      return (result?.folder?.id ?? result?.id)!;
    };
    try {
      const idle = await beside.idle();
      const here = { parent_folder_uuid: rootId(), disk_id: diskId() };
      const into = (name: string) => done('CREATE_FOLDER', { name, ...here });
      const [source, target] = [await into('source'), await into('target')];
      const copy = (id: string, destination_folder_id: string) => {
        return { id, destination_folder_id, file_conflict_resolution: 'KEEP_BOTH' };
      };
      for (let top = 0; top < COPIED; top++) await done('COPY_FOLDER', copy(folderId(top), source));
      const items = ((order.files + order.folders) / TOP_FOLDERS) * COPIED + 1;
      const times = Array.from({ length: TIMES });
      const copies: string[] = [];
      for (const _ of times) copies.push(await done('COPY_FOLDER', copy(source, target)));
      const dry = { 'dry-run': 'true' };
      const swap = (current_user_id: string, new_user_id: string): Request =>
        at('organization/superswap_user', { current_user_id, new_user_id });
      const of = `${show(items)} items`;
      return [
        ...(await beside.during(
          `${of} are copied, ${TIMES} times`,
          times.map(() => action('COPY_FOLDER', copy(source, target))),
          idle,
        )),
        ...(await beside.during(
          `copying ${of} is tried, ${TIMES} times`,
          times.map(() => action('COPY_FOLDER', copy(source, target), dry)),
          idle,
        )),
        ...(await beside.during(
          `${of} are removed, ${TIMES} times`,
          copies.map((id) => action('DELETE_FOLDER', { id, permanent: true })),
          idle,
        )),
        ...(await beside.during(
          `a user is replaced in all records, twice`,
          [swap(owner.user_id, NEXT_OWNER), swap(NEXT_OWNER, owner.user_id)],
          idle,
        )),
      ];
    } finally {
      beside.close();
      await service.stop();
    }
  },
};
