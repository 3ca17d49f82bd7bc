import { generateKeyPairSync, sign } from 'node:crypto';

/** One element of DER (ITU-T X.690): tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const [SEQUENCE, SET, INTEGER, BIT_STRING, OCTET_STRING, UTF8, GENERALIZED_TIME] = [0x30, 0x31, 0x02, 0x03, 0x04, 0x0c, 0x18] as const;
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));

/** A fresh key and a certificate for 127.0.0.1 that it signed itself (RFC 5280), both in PEM form. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from('scripted server')))));
  const time = (text: string): Buffer => der(GENERALIZED_TIME, Buffer.from(text));
  const loopback = der(SEQUENCE, der(0x87, Buffer.of(127, 0, 0, 1)));
  const certificate = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1)),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time('20000101000000Z'), time('20991231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, loopback)))),
  );
  const signed = der(SEQUENCE, certificate, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.of(0), sign('sha256', certificate, privateKey)));
  const lines = signed.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}
