import { exampleOf } from './examples.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../record.js';

/** Sides and their types, as deliveries of the event show them. */
function typesOf(event: WebhookEvent): string {
  const { before, after } = exampleOf(event, 1);
  return `${before?.type ?? '-'} ${after?.type ?? '-'}`;
}

function sidesOf(type: string, event: WebhookEvent): string {
  if (event.endsWith('created')) return `- ${type}`;
  if (event.endsWith('deleted')) return `${type} -`;
  if (event.endsWith('shared')) return '- share_tracking';
  return `${type} ${type}`;
}

describe('examples of deliveries', () => {
  const items = ['file', 'folder', 'subfile', 'subfolder'];
  const is_of_items = (event: string) => items.includes(event.split('.')[0]!);

  it.each(WEBHOOK_EVENTS.filter(is_of_items))('have the sides of %s', (event) => {
    expect(typesOf(event)).toBe(sidesOf(event.split('.')[0]!, event));
  });

  it('have the sides of all other events', () => {
    const others = WEBHOOK_EVENTS.filter((event) => !is_of_items(event));
    expect(Object.fromEntries(others.map((event) => [event, typesOf(event)]))).toEqual({
      'group.invite.created': '- group_invite',
      'group.invite.updated': 'group_invite group_invite',
      'drive.restore_trash': 'file file',
      'drive.state_diffs': '- state_diffs',
      'label.added': '- label',
      'label.removed': '- label',
      'org.superswap_user': 'superswap_userid superswap_userid',
      'org.inbox.new_mail': '- org_inbox_new_notif',
    });
  });
});
