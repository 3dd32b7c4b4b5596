import type { DomainEvent } from '../../foundation/events.js';
import { describe, expect, it, jest } from '@jest/globals';
import { disk, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { freeName } from './names.js';
import { itemMade } from '../testing/events.js';

/** A folder with `a.txt`, `a (2).txt` and so on up to a number, without the excluded ones. */
function folderWith(most: number, but: readonly number[] = []): SpecDrive {
  const drive = new SpecDrive().given(disk);
  for (let nth = 1; nth <= most; nth++) {
    if (but.includes(nth)) continue;
    const { type, data } = itemMade(`FileID_${nth}`, ROOT, 'DiskID_1', OWNER);
    const name = nth === 1 ? 'a.txt' : `a (${nth}).txt`;
    drive.given({ type, data: { ...data, name } } as DomainEvent);
  }
  return drive;
}
const free = ({ state, now }: SpecDrive): string => freeName(state, 'file', ROOT, 'a.txt', now);

describe('a free name in a folder', () => {
  it.each([
    ['the name itself', 5, [1], 'a.txt'],
    ['the first number left out', 9, [4, 7], 'a (4).txt'],
    ['the number behind the last', 5, [], 'a (6).txt'],
    ['the number behind the last of very many', 3000, [], 'a (3001).txt'],
    ['a number left out of very many', 3000, [998], 'a (998).txt'],
  ])('is %s', (_, most, but, name) => {
    expect(free(folderWith(most, but))).toBe(name);
  });

  it('takes few look-ups even if many siblings have the name', () => {
    const drive = folderWith(5000);
    const looks = jest.spyOn(drive.state.files, 'where');
    expect(free(drive)).toBe('a (5001).txt');
    expect(looks.mock.calls.length).toBeLessThan(1050);
  });
});
