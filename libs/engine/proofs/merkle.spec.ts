import { bytesOf, digestFrom } from './hashing.js';
import { EMPTY_TREE as EMPTY, Frontier, leafDigest, treeDigest } from './merkle.js';

const EMPTY_TREE = bytesOf(EMPTY);
const leafHash = (data: Uint8Array): Buffer => bytesOf(leafDigest(digestFrom(data)));
const treeHash = (hashes: readonly Uint8Array[]): Buffer =>
  bytesOf(treeDigest(hashes.map(digestFrom)));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Leaves and roots of RFC 6962 trees as in the reference tests of certificate-transparency. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => Buffer.from(text, 'hex'));
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const leaves = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.from(`leaf ${at}`));

/** The definition of RFC 6962, section 2.1, as it reads. */
function slowRoot(data: readonly Uint8Array[]): Uint8Array {
  if (data.length === 0) return EMPTY_TREE;
  if (data.length === 1) return leafHash(data[0]!);
  let split = 1;
  while (split * 2 < data.length) split *= 2;
  return treeHash([slowRoot(data.slice(0, split)), slowRoot(data.slice(split))]);
}

describe('Merkle trees', () => {
  it('have the roots of RFC 6962’s reference tests', () => {
    expect(hex(EMPTY_TREE)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    ROOTS.forEach((root, at) => {
      const data = LEAVES.slice(0, at + 1);
      expect(hex(treeHash(data.map(leafHash)))).toBe(root);
      expect(hex(Frontier.empty.append(data).root())).toBe(root);
    });
  });

  it('have the root of the definition for every size up to 300, leaf by leaf', () => {
    const data = leaves(300);
    let frontier = Frontier.empty;
    for (let size = 0; size <= 300; size++) {
      const expected = hex(slowRoot(data.slice(0, size)));
      expect(hex(treeHash(data.slice(0, size).map(leafHash)))).toBe(expected);
      expect(hex(frontier.root())).toBe(expected);
      expect(frontier.size).toBe(size);
      if (size < 300) frontier = frontier.append([data[size]!]);
    }
  });

  it('do not depend on how many leaves come at a time', () => {
    const data = leaves(100);
    const at_once = Frontier.empty.append(data);
    for (const cut of [0, 1, 2, 31, 32, 33, 63, 64, 99, 100])
      expect(Frontier.empty.append(data.slice(0, cut)).append(data.slice(cut)).toJSON()).toEqual(
        at_once.toJSON(),
      );
    expect(at_once.append([]).toJSON()).toEqual(at_once.toJSON());
  });

  it('leave the frontier they grew from as it was', () => {
    const before = Frontier.empty.append(leaves(7));
    const root = hex(before.root());
    before.append(leaves(30));
    expect(hex(before.root())).toBe(root);
  });

  it('need few hashes and survive JSON', () => {
    const frontier = Frontier.empty.append(leaves(1023));
    const json = JSON.stringify(frontier);
    expect((JSON.parse(json) as { roots: string[] }).roots).toHaveLength(10);
    const back = Frontier.fromJSON(JSON.parse(json));
    expect(hex(back.append(leaves(3)).root())).toBe(hex(frontier.append(leaves(3)).root()));
  });

  it('tell leaves from nodes', () => {
    const [a, b] = leaves(2).map(leafHash) as [Buffer, Buffer];
    expect(hex(leafHash(Buffer.concat([a, b])))).not.toBe(hex(treeHash([a, b])));
  });
});
