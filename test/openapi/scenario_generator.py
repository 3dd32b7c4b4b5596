"""The scenario by the client that openapi-generator made."""

import json
import sys

from openapi_client import (
    ActionBody,
    ActionBodyPayload,
    ActionsBody,
    ApiClient,
    Configuration,
    ContentApi,
    CreateFilePayload,
    CreateGroupBody,
    DirectoryApi,
    DisksApi,
    GroupsApi,
    ListBody,
)

facts = json.loads(sys.argv[1])
drive = facts["drive_id"]
with ApiClient(Configuration(host=facts["url"], access_token=facts["api_key"])) as client:
    groups = GroupsApi(client)
    created = groups.create_group_with_http_info(drive, create_group_body=CreateGroupBody(name="Generated"))
    before = int(created.headers["drive-revision"]) - 1
    now = groups.list_groups(drive, list_body=ListBody(page_size=100))
    past = groups.list_groups(drive, as_of=f"r{before}", list_body=ListBody())
    disk = DisksApi(client).list_disks(drive).ok.data.items[0]
    payload = CreateFilePayload(
        name="a.txt", parent_folder_uuid=disk.root_folder, disk_id=disk.id, file_size=5
    )
    action = ActionBody(action="CREATE_FILE", payload=ActionBodyPayload(payload))
    outcomes = DirectoryApi(client).run_directory_actions(
        drive, ActionsBody(actions=[action]), envelope="ok"
    )
    file_id = outcomes.to_dict()["ok"]["data"][0]["response"]["result"]["file"]["id"]
    content = ContentApi(client)
    content.upload_file(drive, file_id, body=b"bytes")
    text = content.get_file(drive, f"{file_id}.txt").decode()
    print(
        json.dumps(
            {
                "created": created.data.ok.data.id,
                "now": [group.id for group in now.ok.data.items],
                "past": [group.id for group in past.ok.data.items],
                "text": text,
            }
        )
    )
