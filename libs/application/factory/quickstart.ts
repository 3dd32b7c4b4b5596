import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import { freshApiKey, type FreshApiKey } from '../../domain/api-keys/commands.js';
import { type DiskSettings, freshDisk } from '../../domain/disks/commands.js';
import { factoryCommands, type NewMember, type SpawnDrive } from '../../domain/factory/commands.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { type CommandRequest, isRefused, type Outcome } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { deriveUser, freshDriveId, freshUserId } from '../../identity/derive.js';
import { loginLink } from '../../identity/login-link.js';
import { fresh } from '../fresh.js';
import { listOf, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

/** A person for whom a quickstart creates an identity. */
interface PersonInput {
  name: string;
  /** The identity is derived from it; absent: a random identity. */
  secret_entropy?: string;
  /** Returned unchanged. */
  tracer?: string;
}

interface QuickstartInput {
  org_name: string;
  admin: PersonInput;
  members: readonly PersonInput[];
  email?: string;
  note?: string;
  tracer?: string;
  bundled_default_disk?: DiskSettings;
}

/** The credentials that a client stores to sign in as a person. */
const authJsonView = view('AuthJson', {
  host: text(),
  drive_id: text(),
  org_name: text(),
  user_id: text(),
  profile_name: text(),
  api_key_value: text('The token; shown this once'),
});
export type AuthJson = Shown<typeof authJsonView>;

const personView = view('Person', {
  user_id: text(),
  api_key_value: text('The token; shown this once'),
  auto_login_url: text(),
  auth_json: authJsonView,
  tracer: nullable(text()),
});
type PersonAnswer = Shown<typeof personView>;

const newOrganizationView = view('NewOrganization', {
  drive_id: text({ example: 'DriveID_2vxsx-fae' }),
  org_name: text(),
  host_url: text(),
  frontend_url: text(),
  tracer: nullable(text()),
});

export const quickstartView = view('Quickstart', {
  organization: newOrganizationView,
  admin: personView,
  members: listOf(personView),
});
type QuickstartAnswer = Shown<typeof quickstartView>;

/** Creates a ready-to-use organization with an admin, members, API keys and, if requested, a disk. */
export class Quickstart extends Command<Outcome<QuickstartAnswer>> {
  constructor(
    readonly input: QuickstartInput,
    readonly request: CommandRequest,
  ) {
    super();
  }
}

@Provided
@CommandHandler(Quickstart)
export class QuickstartHandler implements ICommandHandler<Quickstart> {
  constructor(@Inject(Drives) private readonly drives: Drives) {}

  async execute({ input, request }: Quickstart): Promise<Outcome<QuickstartAnswer>> {
    const drive_id = freshDriveId();
    const people = await Promise.all([input.admin, ...input.members].map(identify));
    const [admin, ...members] = people as [Person, ...Person[]];
    const command = this.spawnCommand(drive_id, input, admin, members);
    const spawned = await this.drives.commands.spawn(
      drive_id,
      { definition: factoryCommands.SpawnDrive, command },
      { definition: factoryCommands.NameDrive, command: { drive_id } },
      request,
    );
    if (isRefused(spawned)) return spawned;
    const { host_url, frontend_url } = this.drives.settings;
    const answer = (person: Person): PersonAnswer =>
      answerOf(person, { drive_id, org_name: input.org_name, host_url, frontend_url });
    return {
      revision: spawned.revision,
      data: {
        organization: {
          drive_id,
          org_name: input.org_name,
          host_url,
          frontend_url,
          tracer: input.tracer ?? null,
        },
        admin: answer(admin),
        members: members.map(answer),
      },
    };
  }

  private spawnCommand(
    drive_id: string,
    input: QuickstartInput,
    admin: Person,
    members: readonly Person[],
  ): SpawnDrive {
    const spawned_at = new Date(this.drives.clock()).toISOString();
    return {
      drive_id,
      organization_name: input.org_name,
      owner_id: admin.user_id,
      owner_name: admin.input.name,
      spawn_note: input.note ?? `Quickstart for ${admin.input.name} at ${spawned_at}`,
      email: input.email ?? null,
      quickstart: {
        members: members.map(newMember),
        ...(input.bundled_default_disk && { disk: input.bundled_default_disk }),
        fresh: { api_key: admin.api_key, disk: freshDisk(fresh) },
      },
      fresh: freshOrganization(),
    };
  }
}

/** A person with the generated identity and API key. */
interface Person {
  readonly input: PersonInput;
  readonly user_id: string;
  readonly api_key: FreshApiKey;
}

async function identify(input: PersonInput): Promise<Person> {
  const { secret_entropy } = input;
  const user_id =
    secret_entropy === undefined ? freshUserId() : (await deriveUser({ secret_entropy })).user_id;
  return { input, user_id, api_key: freshApiKey(fresh) };
}

/** Ids, spawn code and key id of a new organization. */
export function freshOrganization(): SpawnDrive['fresh'] {
  const { code, code_digest } = fresh.code();
  return {
    subject_key_id: fresh.subjectKey(),
    spawn_redeem_code: code,
    spawn_redeem_digest: code_digest,
    everyone_group_id: fresh.id(PREFIX.group),
    everyone_invite_id: fresh.id(PREFIX.invite),
    everyone_permission_id: fresh.id(PREFIX.system_permission),
  };
}

function newMember({ input, user_id, api_key }: Person): NewMember {
  return {
    user_id,
    name: input.name,
    fresh: {
      subject_key_id: fresh.subjectKey(),
      everyone_invite_id: fresh.id(PREFIX.invite),
      api_key,
    },
  };
}

function answerOf(
  { input, user_id, api_key }: Person,
  drive: { drive_id: string; org_name: string; host_url: string; frontend_url: string },
): PersonAnswer {
  const { drive_id, org_name, host_url, frontend_url } = drive;
  return {
    user_id,
    api_key_value: api_key.value,
    auto_login_url: loginLink({
      frontend_url,
      org_name,
      org_id: drive_id,
      org_host: host_url,
      profile_id: user_id,
      profile_name: input.name,
      profile_api_key: api_key.value,
    }),
    auth_json: {
      host: host_url,
      drive_id,
      org_name,
      user_id,
      profile_name: input.name,
      api_key_value: api_key.value,
    },
    tracer: input.tracer ?? null,
  };
}
