import { checksumAddress, evmAccount } from './evm.js';

/** EIP-55, section "Test Cases". */
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('EVM accounts', () => {
  it.each(EIP_55)('writes %s with its checksum', (address) => {
    expect(checksumAddress(address.slice(2).toLowerCase())).toBe(address);
  });

  it('derives the widely published first account of "abandon … about"', () => {
    // The BIP-39 seed of that phrase with an empty passphrase.
    const seed = Buffer.from(
      '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1' +
        '9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
      'hex',
    );
    expect(evmAccount(seed).evm_public_address).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  });
});
