/** X.509 certificates for specs, made when they are needed: none is stored, so none expires. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** What a server shows and its clients trust, PEM. */
export interface Certificate {
  /** Of the authority that issued it. */
  readonly ca: string;
  readonly cert: string;
  /** PKCS #8. */
  readonly key: string;
}

export interface CertificateOptions {
  /** DNS name that it is for; `localhost` is 127.0.0.1 as well. */
  readonly name?: string;
  /** First and last moment that it counts. */
  readonly from?: Date;
  readonly until?: Date;
}

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(oid('2a 86 48 ce 3d 04 03 02'));
const AUTHORITY = 'Authority of specs';

/** A certificate of an authority of its own. */
export function issueCertificate({
  name = 'localhost',
  from = new Date(Date.now() - DAY_MS),
  until = new Date(Date.now() + DAY_MS),
}: CertificateOptions = {}): Certificate {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const validity = sequence(time(from), time(until));
  // Basic constraints: an authority.
  const is_authority = sequence(oid('55 1d 13'), octets(sequence(der(0x01, Buffer.from([0xff])))));
  const names = [der(0x82, Buffer.from(name))];
  if (name === 'localhost') names.push(der(0x87, Buffer.from([127, 0, 0, 1])));
  const alternative_names = sequence(oid('55 1d 11'), octets(sequence(...names)));
  const certify = (subject: string, key: KeyObject, extension: Buffer): string =>
    signed(
      authority.privateKey,
      sequence(
        der(0xa0, integer(2)),
        integer(1),
        ECDSA_SHA256,
        commonName(AUTHORITY),
        validity,
        commonName(subject),
        key.export({ type: 'spki', format: 'der' }),
        der(0xa3, sequence(extension)),
      ),
    );
  return {
    ca: certify(AUTHORITY, authority.publicKey, is_authority),
    cert: certify(name, own.publicKey, alternative_names),
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function signed(key: KeyObject, body: Buffer): string {
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, key)]);
  const whole = sequence(body, ECDSA_SHA256, der(0x03, signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function commonName(text: string): Buffer {
  return sequence(der(0x31, sequence(oid('55 04 03'), der(0x0c, Buffer.from(text)))));
}

function der(tag: number, body: Buffer): Buffer {
  const { length } = body;
  // The shortest form only: strict readers refuse any other.
  const lengths =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengths]), body]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

function octets(body: Buffer): Buffer {
  return der(0x04, body);
}

/** UTC time, to the second: for years before 2050. */
function time(at: Date): Buffer {
  return der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));
}
