"""The scenario by the client that openapi-python-client made."""

import io
import json
import sys

from drive_client import AuthenticatedClient
from drive_client.api.content import get_file, upload_file
from drive_client.api.directory import run_directory_actions
from drive_client.api.disks import list_disks
from drive_client.api.groups import create_group, list_groups
from drive_client.models import (
    ActionBody,
    ActionsBody,
    CreateFilePayload,
    CreateGroupBody,
    ListBody,
    RunDirectoryActionsEnvelope,
)
from drive_client.types import File

facts = json.loads(sys.argv[1])
drive = facts["drive_id"]
client = AuthenticatedClient(base_url=facts["url"], token=facts["api_key"])
created = create_group.sync_detailed(drive, client=client, body=CreateGroupBody(name="Generated"))
before = int(created.headers["Drive-Revision"]) - 1
now = list_groups.sync(drive, client=client, body=ListBody(page_size=100))
past = list_groups.sync(drive, client=client, body=ListBody(), as_of=f"r{before}")
disk = list_disks.sync(drive, client=client, body=ListBody()).ok.data.items[0]
payload = CreateFilePayload(
    name="a.txt", parent_folder_uuid=disk.root_folder, disk_id=disk.id, file_size=5
)
outcomes = run_directory_actions.sync(
    drive,
    client=client,
    body=ActionsBody(actions=[ActionBody(action="CREATE_FILE", payload=payload)]),
    envelope=RunDirectoryActionsEnvelope.OK,
)
file_id = outcomes.to_dict()["ok"]["data"][0]["response"]["result"]["file"]["id"]
upload_file.sync_detailed(
    drive, file_id, client=client, body=File(payload=io.BytesIO(b"bytes"))
)
text = get_file.sync_detailed(drive, f"{file_id}.txt", client=client).content.decode()
print(
    json.dumps(
        {
            "created": created.parsed.ok.data.id,
            "now": [group.id for group in now.ok.data.items],
            "past": [group.id for group in past.ok.data.items],
            "text": text,
        }
    )
)
