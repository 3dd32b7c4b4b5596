import type { SystemType } from '../../libs/domain/kernel/permission-types.js';
import type { DomainEvent } from '../../libs/domain/foundation/events.js';
import { randomUUID } from 'node:crypto';
import { systemGranted } from '../../libs/domain/permissions/testing/events.js';
import { systemRequest } from '../../libs/engine/writer/call.js';
import type { Organization } from './client.js';
import { replicas } from './replicas.js';
import type { TestService } from './service.js';

/** Puts facts on an organization's record past all commands: what a test starts from. */
export async function given(
  service: TestService,
  { drive_id }: Organization,
  ...events: readonly DomainEvent[]
): Promise<void> {
  const { revision } = await service.server.drives.commands.run(
    drive_id,
    { name: 'Given', decide: () => ({ events, allowed_by: ['SYSTEM'] }), answer: () => null },
    null,
    systemRequest('given'),
  );
  // Whoever asks another process next has to be shown them, too.
  replicas.saw(drive_id, revision);
}

/** A system grant by the owner that always counts. */
export function granted(
  org: Organization,
  granted_to: string,
  resource_id: string,
  ...permission_types: SystemType[]
): DomainEvent {
  return systemGranted(
    `SystemPermissionID_${randomUUID()}`,
    resource_id,
    granted_to,
    org.admin.user_id,
    ...permission_types,
  );
}
