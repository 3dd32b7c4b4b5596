/** Examples of request bodies by operation id. Each succeeds as it stands in a new organization. */
export const BODY_EXAMPLES: Readonly<Record<string, object>> = {
  createOrganization: { org_name: 'Example', members: [{ name: 'Ada' }] },
  createGroup: { name: 'Finance' },
  listGroups: { page_size: 20 },
  listContacts: { page_size: 20 },
  createDisk: { name: 'Archive', disk_type: 'LOCAL_SSD' },
  listDisks: { page_size: 20 },
};
