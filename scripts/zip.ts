import { inflateRawSync } from 'node:zlib';

const END_OF_CENTRAL_DIRECTORY = 0x06054b50;
const CENTRAL_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

function findEnd(zip: Buffer): number {
  // The record has 22 bytes and may be followed by a comment of up to 64 KiB.
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 0xffff); at -= 1) {
    if (zip.readUInt32LE(at) === END_OF_CENTRAL_DIRECTORY) return at;
  }
  throw new Error('This is no zip file: it has no end of central directory.');
}

function content(zip: Buffer, header: number, method: number, size: number): Buffer {
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const data = zip.subarray(start, start + size);
  if (method === STORED) return data;
  if (method === DEFLATED) return inflateRawSync(data);
  throw new Error(`zip compression method ${method} is not supported`);
}

/** The files of a zip archive (no encryption, below 4 GiB): path to content. Follows section 4.3 of the PKWARE application note. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = findEnd(zip);
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < zip.readUInt16LE(end + 10); index += 1) {
    if (zip.readUInt32LE(at) !== CENTRAL_ENTRY) throw new Error(`zip entry ${index} is damaged`);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) files.set(name, content(zip, zip.readUInt32LE(at + 42), zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
