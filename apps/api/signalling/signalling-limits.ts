import type { SignallingLimits } from '../../../libs/application/signalling/limits.js';
import type { Settings } from '../platform/settings/settings.js';

export function signallingLimits(settings: Settings): SignallingLimits {
  return {
    peers_max: settings.signalling_peers_max,
    rooms_max: settings.signalling_rooms_max,
    room_peers_max: settings.signalling_room_peers_max,
    topics_max: settings.signalling_topics_max,
    messages_per_second: settings.signalling_messages_per_second,
    relayed_per_second: settings.signalling_relayed_per_second,
    unread_bytes: settings.signalling_unread_bytes,
    all_unread_bytes: settings.signalling_all_unread_bytes,
    heartbeat_ms: settings.signalling_heartbeat_ms,
    idle_ms: settings.signalling_idle_ms,
  };
}
