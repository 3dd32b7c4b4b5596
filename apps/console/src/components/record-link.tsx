import { type AnyRecord, kindOf, nameOf } from '../api/records.js';
import { usePointQuery } from '../point/use-point-query.js';
import { PageLink } from '../shell/links.js';
import { texts } from '../texts.js';
import { UserText } from './user-text.js';

/** The query of a record at the point; shared by its page and all links to it. */
export function useRecord(id: string, is_wanted = true) {
  const kind = kindOf(id);
  return usePointQuery(
    ['record', id],
    (reads, options) => kind!.read(reads, id, options) as Promise<AnyRecord>,
    is_wanted && kind !== undefined,
  );
}

/**
 * What people call a record; undefined without one. The API names the record of a system permission by its id: its name
 * is asked for.
 */
export function useNameOf(record: AnyRecord | undefined): string | undefined {
  const resource_id = record?.resource_id;
  const unnamed =
    typeof resource_id === 'string' && resource_id === record?.resource_name ? resource_id : '';
  const { data } = useRecord(unnamed, kindOf(unnamed) !== undefined);
  if (!record || unnamed === '') return record && nameOf(record);
  return nameOf({ ...record, resource_name: data ? nameOf(data) : wordOf(unnamed) });
}

interface RecordLinkProps {
  readonly id: string;
  /** Its name if the caller knows it; else it is asked for. */
  readonly name?: string | null | undefined;
}

export function RecordLink({ id, name }: RecordLinkProps) {
  const has_page = kindOf(id) !== undefined;
  const { data } = useRecord(id, !name && has_page);
  const given = name === id ? null : name;
  const asked = useNameOf(data);
  const shown = given || asked || wordOf(id);
  if (!has_page)
    return (
      <span title={id}>
        <UserText text={shown} />
      </span>
    );
  return (
    <PageLink to={`record/${encodeURIComponent(id)}`}>
      <span title={id}>
        <UserText text={shown} />
      </span>
    </PageLink>
  );
}

/** Words instead of ids that are no records; of a long id its end. */
function wordOf(id: string): string {
  const word = (texts.ids as Readonly<Record<string, string>>)[id];
  if (word) return word;
  return id.length > 28 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id;
}
