import type { Caller } from './caller.js';
import { ADMINISTRATOR, NOTES, REMARKS } from './company.js';
import type { Ids, Organization, Workplace } from './organization.js';
import type { Random } from './random.js';

interface Document {
  readonly id: string;
  /** Number in its name. */
  readonly number: number;
  workplace: Workplace;
}

/** Items in the trash can be restored for 30 days. */
const RESTORED_WITHIN_MS = 28 * 86_400_000;

/** The work of ordinary days: documents are written, changed, moved and shared. */
export class DailyWork {
  private readonly documents: Document[] = [];
  private readonly trashed: { readonly document: Document; readonly at_ms: number }[] = [];
  private readonly shares: { readonly id: string; readonly by: Caller }[] = [];
  private written = 0;

  constructor(
    private readonly organization: Organization,
    private readonly random: Random,
    private readonly ids: Ids,
  ) {}

  /** Does one thing. Every choice is the generator's. */
  async doOne(now_ms: number): Promise<void> {
    const { random } = this;
    const document = random.pick(this.documents);
    const chance = random.next();
    if (!document || chance < 0.36) return this.write();
    const person = random.pick(document.workplace.people)!;
    if (chance < 0.56) return this.revise(document, person);
    if (chance < 0.68) return this.remark(document, person);
    if (chance < 0.76) return this.label(document, person);
    if (chance < 0.81) return this.move(document, person);
    if (chance < 0.86) return this.share(document, now_ms);
    if (chance < 0.89) return this.unshare();
    if (chance < 0.92) return this.trash(document, person, now_ms);
    if (chance < 0.94) return this.restore(now_ms);
    if (chance < 0.99) return this.tellWhereabouts();
    return this.describeGroup();
  }

  private async write(): Promise<void> {
    const { random, organization } = this;
    const workplace = random.pick(organization.workplaces)!;
    const number = ++this.written;
    const name = random.pick(workplace.documents)!.replace('#', String(number).padStart(4, '0'));
    const person = random.pick(workplace.people)!;
    const id = this.ids.next('FileID_');
    const place = { disk_id: organization.disk_id, parent_folder_uuid: workplace.folder_id };
    await person.act('CREATE_FILE', { id, name, file_size: 0, ...place });
    const document = { id, workplace, number };
    this.documents.push(document);
    if (random.chance(0.4)) await this.revise(document, person);
  }

  private async revise(document: Document, person: Caller): Promise<void> {
    const remark = this.random.pick(REMARKS)!;
    await person.upload(document.id, `Document ${document.number}\n${person.name}: ${remark}\n`);
  }

  private async remark({ id }: Document, person: Caller): Promise<void> {
    const notes = `${this.random.pick(REMARKS)!} (${this.random.below(1000)})`;
    await person.act('UPDATE_FILE', { id, notes });
  }

  private async label({ id: resource_id }: Document, person: Caller): Promise<void> {
    const label_id = this.random.pick(this.organization.labels)!;
    await person.post('labels/pin', { label_id, resource_id, add: this.random.chance(0.8) });
  }

  private async move(document: Document, person: Caller): Promise<void> {
    const { folder_id, documents } = document.workplace;
    const others = this.organization.workplaces.filter(
      (other) => other.documents === documents && other.folder_id !== folder_id,
    );
    const goal = this.random.pick(others);
    if (!goal) return;
    await person.act('MOVE_FILE', { id: document.id, destination_folder_id: goal.folder_id });
    document.workplace = goal;
  }

  /** The owner shares a document with a colleague for some weeks. */
  private async share(document: Document, now_ms: number): Promise<void> {
    const { people } = this.organization;
    const owner = [...people.values()][0]!;
    const colleague = this.random.pick([...people.values()])!;
    const id = this.ids.next('DirectoryPermissionID_');
    const expiry_date_ms = now_ms + (7 + this.random.below(40)) * 86_400_000;
    await owner.post('permissions/directory/create', {
      ...{ id, resource_id: document.id, granted_to: colleague.user_id },
      ...{ permission_types: ['VIEW'], expiry_date_ms, note: this.random.pick(REMARKS)! },
    });
    this.shares.push({ id, by: owner });
  }

  private async unshare(): Promise<void> {
    const [share] = this.shares.splice(this.random.below(this.shares.length), 1);
    if (share) await share.by.post('permissions/directory/delete', { permission_id: share.id });
  }

  private async trash(document: Document, person: Caller, at_ms: number): Promise<void> {
    await person.act('DELETE_FILE', { id: document.id, permanent: false });
    this.documents.splice(this.documents.indexOf(document), 1);
    this.trashed.push({ document, at_ms });
  }

  /** A document trashed lately comes back. */
  private async restore(now_ms: number): Promise<void> {
    const last = this.trashed.pop();
    if (!last || now_ms - last.at_ms > RESTORED_WITHIN_MS) return;
    const { document } = last;
    const owner = [...this.organization.people.values()][0]!;
    await owner.act('RESTORE_TRASH', { id: document.id, file_conflict_resolution: 'KEEP_BOTH' });
    this.documents.push(document);
  }

  private async tellWhereabouts(): Promise<void> {
    const person = this.random.pick([...this.organization.people.values()])!;
    const public_note = `${this.random.pick(NOTES)!} (${this.random.below(1000)})`;
    await person.post('contacts/update', { id: person.user_id, public_note });
  }

  private async describeGroup(): Promise<void> {
    const administrator = this.organization.people.get(ADMINISTRATOR)!;
    const id = this.random.pick([...this.organization.groups.values()])!;
    const public_note = `${this.random.pick(REMARKS)!} (${this.random.below(1000)})`;
    await administrator.post('groups/update', { id, public_note });
  }
}
