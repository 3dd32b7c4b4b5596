import { Body, Get, Param, Post } from '@nestjs/common';
import { labelReads, labelView } from '../../../libs/domain/labels/reads.js';
import { getQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { ListLabels } from '../../../libs/application/labels/labels.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { labelCommands, pinView } from '../../../libs/domain/labels/commands.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { text } from '../platform/requests/rules.js';
import { RulePipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  CreateLabelBody,
  DeleteLabelBody,
  ListLabelsBody,
  PinLabelBody,
  UpdateLabelBody,
} from './label-bodies.js';

const getLabel = getQuery('GetLabel', labelReads);

const idOrValue = text({
  pattern: /^(?:LabelID_[A-Za-z0-9_-]{1,128}|[A-Za-z0-9_-]{1,64})$/,
  pattern_text: 'the id or the value of a label',
});

const createLabel = driveCommand(labelCommands.CreateLabel);
const updateLabel = driveCommand(labelCommands.UpdateLabel);
const deleteLabel = driveCommand(labelCommands.DeleteLabel);
const pinLabel = driveCommand(labelCommands.PinLabel);

@DriveController('labels')
export class LabelsController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:label_id_or_value'), labelView, {
    id: 'getLabel',
    summary: 'Read a label by its id or its value',
    description: 'A caller without permission gets 403 whether or not the label exists.',
    errors: ['permission.denied', 'label.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('label_id_or_value', new RulePipe(idOrValue)) id: string) {
    return this.api.query(call, getLabel, { id });
  }

  @ReadRoute(Post('list'), page(labelView), {
    id: 'listLabels',
    summary: 'List labels, optionally by prefix of the value',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListLabelsBody) {
    return this.api.query(call, ListLabels, body);
  }

  @CommandRoute('create', labelView, {
    id: 'createLabel',
    summary: 'Create a label',
    errors: ['permission.denied', 'request.id-in-use', 'label.value-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateLabelBody) {
    return this.api.run(call, createLabel, described(body));
  }

  @CommandRoute('update', labelView, {
    id: 'updateLabel',
    summary: 'Update a label',
    description: 'All records that have the label show a new value immediately.',
    errors: [
      'permission.denied',
      'label.not-found',
      'label.value-in-use',
      'request.nothing-to-update',
    ],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateLabelBody) {
    return this.api.run(call, updateLabel, described(body));
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteLabel',
    summary: 'Delete a label',
    description: 'The label is unpinned from all records.',
    errors: ['permission.denied', 'label.not-found', 'directory.too-many-items'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteLabelBody) {
    return this.api.run(call, deleteLabel, body);
  }

  @CommandRoute('pin', pinView, {
    id: 'pinLabel',
    summary: 'Pin a label to a record, or unpin it',
    description:
      'Requires EDIT on the label and on the record: a directory permission for files and folders, a system ' +
      'permission for other records. If nothing changes, no event is stored.',
    errors: ['permission.denied', 'label.not-found', 'resource.not-found'],
  })
  pin(@Call() call: DriveRequest, @Body() body: PinLabelBody) {
    return this.api.run(call, pinLabel, body);
  }
}

/** `description` is an alias of `public_note`. */
function described<Body extends { description?: string | null; public_note?: string | null }>({
  description,
  ...body
}: Body): Omit<Body, 'description'> {
  if (description === undefined || body.public_note !== undefined) return body;
  return { ...body, public_note: description };
}
