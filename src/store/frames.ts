import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { PackableRecord } from './packable-record.ts'
import type { StoredRecord, StoreEvent } from './store.ts'
import type { FileWindow } from './store-files.ts'

// The format that journals and snapshots share: a header, then frames of changes. Checksums cover everything that is read back.
// Numbers are little-endian; revisions are doubles, as they exceed 32 bits.
//
//   byte 0     "rollcall", 8 bytes
//        8     format: 2
//       12     1: a journal, 2: a snapshot
//       16     number of the file
//       20     mark: random, without zero bytes; every frame of this file begins with it
//       24     seed: random; the checksums of the frames start from it
//       28     revision of a snapshot; 0 for a journal
//       36     number of records of a snapshot; 0 for a journal
//       44     checksum of bytes 0 to 43
//   byte 2048  a second copy of bytes 0 to 47
//   byte 4096  frames, one after another
//
//   A frame:
//        0     mark
//        4     checksum of bytes 8 to 27
//        8     bytes of the changes
//       12     number of changes
//       16     journal: revision of the first change, the others follow without a gap; snapshot: number of records in the frames before
//       24     checksum of the changes
//       28     the changes
//
//   A change:
//        0     1: put, 2: delete
//        1     bytes of the value; 0 for a delete
//        5     bytes of the key
//        7     revision at which the key was created
//       15     revision of the change
//       23     the key, then the value, in UTF-8
//
// The random mark and seed keep a value that imitates a frame from being taken for one.

export type FileKind = 'journal' | 'snapshot'

export interface FileHeader {
  readonly kind: FileKind
  readonly number: number
  readonly mark: number
  readonly seed: number
  readonly revision: number
  readonly count: number
}

type FrameChange = Pick<StoreEvent, 'type' | 'record'>

export interface Frame {
  readonly start: number
  readonly end: number
  readonly first: number
  readonly count: number
}

const magic = Buffer.from('rollcall')
export const storeFormat = 2
const kindCodes = { journal: 1, snapshot: 2 } as const
const headerBytes = 48
const secondHeaderAt = 2048
/** The header has a page of its own, so that writing a frame never rewrites it. */
export const framesStart = 4096
export const frameHeadBytes = 28
const changeHeadBytes = 23
const putCode = 1
const deleteCode = 2

export function newHeader(kind: FileKind, number: number, revision = 0, count = 0): FileHeader {
  const random = randomBytes(8)
  for (let at = 0; at < 4; at++) random[at] ||= 1
  return { kind, number, revision, count, mark: random.readUInt32LE(0), seed: random.readUInt32LE(4) }
}

export function encodeHeader({ kind, number, mark, seed, revision, count }: FileHeader): Buffer {
  const bytes = Buffer.alloc(framesStart)
  magic.copy(bytes)
  bytes.writeUInt32LE(storeFormat, 8)
  bytes.writeUInt32LE(kindCodes[kind], 12)
  bytes.writeUInt32LE(number, 16)
  bytes.writeUInt32LE(mark, 20)
  bytes.writeUInt32LE(seed, 24)
  bytes.writeDoubleLE(revision, 28)
  bytes.writeDoubleLE(count, 36)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 44)), 44)
  bytes.copy(bytes, secondHeaderAt, 0, headerBytes)
  return bytes
}

/** `page` is the first bytes of the file. Returns undefined for a damaged or foreign file, and the number of a format other than ours. */
export function decodeHeader(page: Buffer, kind: FileKind): FileHeader | number | undefined {
  return decodeOneHeader(page, kind) ?? decodeOneHeader(page.subarray(secondHeaderAt), kind)
}

function decodeOneHeader(bytes: Buffer, kind: FileKind): FileHeader | number | undefined {
  if (bytes.length < headerBytes || !bytes.subarray(0, 8).equals(magic)) return undefined
  if (crc32(bytes.subarray(0, 44)) !== bytes.readUInt32LE(44)) return undefined
  const format = bytes.readUInt32LE(8)
  if (format !== storeFormat) return format
  if (bytes.readUInt32LE(12) !== kindCodes[kind]) return undefined
  return {
    kind,
    number: bytes.readUInt32LE(16),
    mark: bytes.readUInt32LE(20),
    seed: bytes.readUInt32LE(24),
    revision: bytes.readDoubleLE(28),
    count: bytes.readDoubleLE(36),
  }
}

/** The returned bytes are valid until the next call. */
export class FrameEncoder {
  #buffer = Buffer.allocUnsafeSlow(0)

  encode({ mark, seed }: FileHeader, first: number, changes: readonly FrameChange[]): Buffer {
    const bytes = this.#bufferFor(changes)
    let position = frameHeadBytes
    for (const { type, record } of changes) {
      const keyStart = position + changeHeadBytes
      const keyBytes = bytes.write(record.key, keyStart)
      const valueBytes = type === 'put' ? bytes.write(record.value, keyStart + keyBytes) : 0
      bytes[position] = type === 'put' ? putCode : deleteCode
      bytes.writeUInt32LE(valueBytes, position + 1)
      bytes.writeUInt16LE(keyBytes, position + 5)
      bytes.writeDoubleLE(record.createRevision, position + 7)
      bytes.writeDoubleLE(record.revision, position + 15)
      position = keyStart + keyBytes + valueBytes
    }
    bytes.writeUInt32LE(mark, 0)
    bytes.writeUInt32LE(position - frameHeadBytes, 8)
    bytes.writeUInt32LE(changes.length, 12)
    bytes.writeDoubleLE(first, 16)
    bytes.writeUInt32LE(crc32(bytes.subarray(frameHeadBytes, position), seed), 24)
    bytes.writeUInt32LE(crc32(bytes.subarray(8, frameHeadBytes), seed), 4)
    return bytes.subarray(0, position)
  }

  #bufferFor(changes: readonly FrameChange[]): Buffer {
    // No UTF-16 code unit takes more than three bytes.
    let most = frameHeadBytes
    for (const { type, record } of changes) most += changeHeadBytes + 3 * (record.key.length + (type === 'put' ? record.value.length : 0))
    if (most <= this.#buffer.length) return this.#buffer
    if (most <= maxReusedBytes) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.min(maxReusedBytes, 2 * most))
      return this.#buffer
    }
    let exact = frameHeadBytes
    for (const { type, record } of changes) {
      exact += changeHeadBytes + Buffer.byteLength(record.key) + (type === 'put' ? Buffer.byteLength(record.value) : 0)
    }
    return Buffer.allocUnsafeSlow(exact)
  }
}

const maxReusedBytes = 4 * 2 ** 20

/** The head of the frame at that position, if it is intact. The changes may be damaged. */
export function readFrameHead(window: FileWindow, { mark, seed }: FileHeader, start: number): (Frame & { checksum: number }) | undefined {
  const head = window.read(start, frameHeadBytes)
  if (head.length < frameHeadBytes || head.readUInt32LE(0) !== mark || crc32(head.subarray(8), seed) !== head.readUInt32LE(4))
    return undefined
  const end = start + frameHeadBytes + head.readUInt32LE(8)
  return { start, end, count: head.readUInt32LE(12), first: head.readDoubleLE(16), checksum: head.readUInt32LE(24) }
}

/** The frame at that position with its encoded changes, if it is intact. */
export function readFrame(window: FileWindow, header: FileHeader, start: number): (Frame & { body: Buffer }) | undefined {
  const head = readFrameHead(window, header, start)
  if (head === undefined || head.end > window.size) return undefined
  const body = window.read(start + frameHeadBytes, head.end - start - frameHeadBytes)
  return crc32(body, header.seed) === head.checksum ? { ...head, body } : undefined
}

/** The first intact frame after that position. */
export function findFrame(window: FileWindow, header: FileHeader, from: number): Frame | undefined {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(header.mark)
  for (let at = from; at < window.size; ) {
    const bytes = window.read(at, searchBytes)
    const found = bytes.indexOf(mark)
    if (found < 0) {
      // A mark may extend beyond the end of these bytes.
      at += Math.max(1, bytes.length - 3)
      continue
    }
    const frame = readFrame(window, header, at + found)
    if (frame !== undefined) return frame
    at += found + 1
  }
  return undefined
}

const searchBytes = 2 ** 19

export function decodeChanges(body: Buffer): FrameChange[] {
  const changes: FrameChange[] = []
  for (let position = 0; position < body.length; ) {
    const keyStart = position + changeHeadBytes
    const valueStart = keyStart + body.readUInt16LE(position + 5)
    const valueEnd = valueStart + body.readUInt32LE(position + 1)
    const record: StoredRecord = new PackableRecord(
      body.toString('utf8', keyStart, valueStart),
      body.readDoubleLE(position + 15),
      body.readDoubleLE(position + 7),
      body.toString('utf8', valueStart, valueEnd),
      undefined,
    )
    changes.push({ type: body[position] === putCode ? 'put' : 'delete', record })
    position = valueEnd
  }
  return changes
}
