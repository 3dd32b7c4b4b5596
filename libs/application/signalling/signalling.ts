import { Allowance } from './allowance.js';
import type { OnModuleDestroy } from '@nestjs/common';
import { Access } from '../../domain/access/access.js';
import { findItem } from '../../domain/directory/items/find.js';
import type { Context } from '../../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Outcome } from '../../engine/writer/call.js';
import type { Drives } from '../../engine/drives/drives.js';
import { mayNow } from '../may-now.js';
import { answerNow, type Reader } from '../read-record.js';
import type { SignallingLimits } from './limits.js';
import { CLOSE, type Line, Peer } from './peer.js';
import { Room } from './room.js';
import { UnreadBytes } from '../unread-bytes.js';

/**
 * Signalling for users who view the same file and want to connect directly. Rooms exist only in the memory of this
 * process.
 */
export class Signalling implements OnModuleDestroy {
  private readonly organizations = new Map<string, OrganizationPeers>();
  private readonly peers = new Set<Peer>();
  private readonly unread = new UnreadBytes(this.peers, {
    bytesOf: (peer) => peer.unread_bytes,
    cut: (peer) => peer.cut(),
  });
  private is_closing = false;

  constructor(
    private readonly drives: Drives,
    private readonly limits: SignallingLimits,
  ) {}

  /** Checks that the caller may join the room of a file, which requires VIEW on the file. */
  mayJoin(reader: Reader, file_id: string): Promise<Outcome<null>> {
    return answerNow(this.drives, reader, (context) => mayView(context, file_id) ?? null);
  }

  /** True if the limits allow one more peer. One organization leaves a quarter of the places to others. */
  hasPlace({ drive_id }: Reader, file_id: string): boolean {
    const { peers_max, rooms_max, room_peers_max } = this.limits;
    if (this.is_closing || this.peers.size >= peers_max) return false;
    const organization = this.organizations.get(drive_id);
    if (!organization) return true;
    if (organization.peers >= Math.ceil((3 * peers_max) / 4)) return false;
    const { rooms } = organization;
    const room = rooms.get(file_id);
    return room ? room.peers.size < room_peers_max : rooms.size < rooms_max;
  }

  /** Adds a peer to the room of a file. Call `hasPlace` and `mayJoin` first. */
  join(reader: Reader, file_id: string, line: Line): Peer {
    const { drive_id } = reader;
    const organization = this.organizationOf(drive_id);
    const room = roomOf(organization, file_id);
    const peer: Peer = new Peer(room, line, this.limits, {
      mayStay: () => this.mayStay(reader, file_id),
      told: (bytes) => this.told(bytes),
      gone: () => {
        this.peers.delete(peer);
        organization.peers -= 1;
        if (room.peers.size === 0) organization.rooms.delete(file_id);
        if (organization.peers === 0) this.organizations.delete(drive_id);
      },
    });
    this.peers.add(peer);
    organization.peers += 1;
    return peer;
  }

  /** Number of peers. */
  get size(): number {
    return this.peers.size;
  }

  /** Disconnects all peers and accepts no new ones; clients reconnect to another process. */
  end(): void {
    this.is_closing = true;
    for (const peer of this.peers) peer.close(CLOSE.going_away, 'server.stopping');
  }

  onModuleDestroy(): void {
    this.end();
  }

  private async mayStay(reader: Reader, file_id: string): Promise<boolean> {
    // Other processes may have appended without a notification to this one.
    const { drive_id, head } = await this.drives.open(reader.drive_id);
    await this.drives.readOn(drive_id, head.revision);
    return mayNow(this.drives, reader, (context) => mayView(context, file_id) === undefined);
  }

  private told(bytes: number): void {
    const { all_unread_bytes: most } = this.limits;
    // Down to half, so that not each further text means another check.
    this.unread.pushed(bytes, most, most / 2);
  }

  private organizationOf(drive_id: string): OrganizationPeers {
    let organization = this.organizations.get(drive_id);
    if (!organization) {
      const relayed = new Allowance(this.limits.relayed_per_second);
      this.organizations.set(drive_id, (organization = { rooms: new Map(), relayed, peers: 0 }));
    }
    return organization;
  }
}

/** The rooms of an organization by the id of the file, and what all their peers together may receive. */
interface OrganizationPeers {
  readonly rooms: Map<string, Room<Peer>>;
  readonly relayed: Allowance;
  peers: number;
}

function roomOf({ rooms, relayed }: OrganizationPeers, file_id: string): Room<Peer> {
  let room = rooms.get(file_id);
  if (!room) rooms.set(file_id, (room = new Room(relayed)));
  return room;
}

function mayView(context: Context, file_id: string): Refusal | undefined {
  const file = findItem(context, 'file', file_id);
  if (isRefusal(file)) return file;
  const access = Access.of(context);
  return access.canDirectory('VIEW', file.id) ? undefined : access.denied(file.id);
}
