import { groupCommands } from '../domain/groups/definitions.js';
import { driveCommand } from './drive-command.js';

const { UpdateGroup } = groupCommands;

it('gives one class for a command, wherever it is declared', () => {
  expect(driveCommand(UpdateGroup)).toBe(driveCommand(UpdateGroup));
});

it('refuses a preparation that would be lost', () => {
  driveCommand(UpdateGroup);
  expect(() => driveCommand(UpdateGroup, (input: { id: string }) => input)).toThrow(
    'UpdateGroup is declared twice',
  );
});
