import { crc32 } from 'node:zlib'
import type { StoredRecord, StoreEvent } from './store.ts'

// What a file of the journal holds. Numbers are little-endian; revisions are doubles, as they go beyond 32 bits.
//
//   byte 0     "rollcall", 8 bytes
//        8     format: 1
//       12     generation: the file with the greater one continues the other
//       16     mark: random; every group of this generation begins with it
//       20     seed: random; the checksums of this generation begin with it
//       24     checksum of bytes 0 to 23
//   byte 4096  groups, one after another
//
//   A group:
//        0     mark
//        4     checksum of everything from byte 8 to the end of the group
//        8     bytes of the changes
//       12     number of changes
//       16     revision of the first change; those of the others follow without a gap
//       24     the changes
//
//   A change:
//        0     1: put, 2: delete
//        1     bytes of the text; 0 for a delete
//        5     bytes of the key
//        7     revision at which the key came into being
//       15     the key, then the text, in UTF-8
//
// A file is written again from the start when all of its groups are in the database. Mark and seed tell the groups of this
// generation from what is left of an earlier one, and from a text that was made to look like a group.

export interface JournalHeader {
  readonly generation: number
  readonly mark: number
  readonly seed: number
}

/** A group of a file, as it was found. */
export interface FoundGroup {
  readonly firstRevision: number
  readonly lastRevision: number
  readonly start: number
  readonly end: number
}

export interface FoundGroups {
  readonly groups: readonly FoundGroup[]
  /** Where the next group goes. What is behind it was never acknowledged. */
  readonly end: number
  /** There are whole groups behind `end`: what is there was a group too, and is damaged. */
  readonly isDamaged: boolean
}

export type JournalChange = Pick<StoreEvent, 'type' | 'record'>

const name = Buffer.from('rollcall')
const journalFormat = 1
const headerEnd = 28
/** A page of its own: no group ever shares a write with the header. */
export const groupsStart = 4096
export const groupHeadBytes = 24
const changeHeadBytes = 15

const putType = 1
const deleteType = 2

export function encodeHeader({ generation, mark, seed }: JournalHeader): Buffer {
  const bytes = Buffer.alloc(headerEnd)
  name.copy(bytes)
  bytes.writeUInt32LE(journalFormat, 8)
  bytes.writeUInt32LE(generation, 12)
  bytes.writeUInt32LE(mark, 16)
  bytes.writeUInt32LE(seed, 20)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 24)), 24)
  return bytes
}

/** 'unused': a file that was made, and has nothing in it yet. 'damaged': anything else that is no header. */
export function decodeHeader(file: Buffer): JournalHeader | 'unused' | 'damaged' {
  if (isZero(file, 0, headerEnd)) return isZero(file, headerEnd, file.length) ? 'unused' : 'damaged'
  if (file.length < headerEnd || !file.subarray(0, 8).equals(name)) return 'damaged'
  if (crc32(file.subarray(0, 24)) !== file.readUInt32LE(24) || file.readUInt32LE(8) !== journalFormat) return 'damaged'
  return { generation: file.readUInt32LE(12), mark: file.readUInt32LE(16), seed: file.readUInt32LE(20) }
}

function isZero(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < Math.min(end, bytes.length); i++) if (bytes[i] !== 0) return false
  return true
}

/** Of the bytes that are returned none belongs to anybody else until the next call: groups are written one at a time. */
export class GroupEncoder {
  #room = Buffer.allocUnsafeSlow(0)

  encode({ mark, seed }: JournalHeader, changes: readonly JournalChange[]): Buffer {
    const bytes = this.#roomFor(changes)
    let position = groupHeadBytes
    for (const { type, record } of changes) {
      const keyStart = position + changeHeadBytes
      const keyBytes = bytes.write(record.key, keyStart)
      const textBytes = type === 'put' ? bytes.write(record.text, keyStart + keyBytes) : 0
      bytes[position] = type === 'put' ? putType : deleteType
      bytes.writeUInt32LE(textBytes, position + 1)
      bytes.writeUInt16LE(keyBytes, position + 5)
      bytes.writeDoubleLE(record.createRevision, position + 7)
      position = keyStart + keyBytes + textBytes
    }
    bytes.writeUInt32LE(mark, 0)
    bytes.writeUInt32LE(position - groupHeadBytes, 8)
    bytes.writeUInt32LE(changes.length, 12)
    bytes.writeDoubleLE(changes[0]!.record.revision, 16)
    bytes.writeUInt32LE(crc32(bytes.subarray(8, position), seed), 4)
    return bytes.subarray(0, position)
  }

  #roomFor(changes: readonly JournalChange[]): Buffer {
    // No character takes more than three bytes.
    let most = groupHeadBytes
    for (const { type, record } of changes) most += changeHeadBytes + 3 * (record.key.length + (type === 'put' ? record.text.length : 0))
    if (most <= this.#room.length) return this.#room
    if (most <= keptRoom) {
      this.#room = Buffer.allocUnsafeSlow(Math.min(keptRoom, 2 * most))
      return this.#room
    }
    let exact = groupHeadBytes
    for (const { type, record } of changes) {
      exact += changeHeadBytes + Buffer.byteLength(record.key) + (type === 'put' ? Buffer.byteLength(record.text) : 0)
    }
    return Buffer.allocUnsafeSlow(exact)
  }
}

const keptRoom = 2 ** 20

/** The groups of a file from its start to the first place that holds none. */
export function findGroups(file: Buffer, header: JournalHeader): FoundGroups {
  const groups: FoundGroup[] = []
  let end = groupsStart
  for (;;) {
    const group = groupAt(file, header, end)
    // What does not continue the last group was left here by one that failed.
    if (group === undefined || (groups.length > 0 && group.firstRevision !== groups.at(-1)!.lastRevision + 1)) break
    groups.push(group)
    end = group.end
  }
  return { groups, end, isDamaged: hasGroupAfter(file, header, end, groups.at(-1)?.lastRevision ?? 0) }
}

function groupAt(file: Buffer, { mark, seed }: JournalHeader, start: number): FoundGroup | undefined {
  if (start + groupHeadBytes > file.length || file.readUInt32LE(start) !== mark) return undefined
  const end = start + groupHeadBytes + file.readUInt32LE(start + 8)
  if (end > file.length || crc32(file.subarray(start + 8, end), seed) !== file.readUInt32LE(start + 4)) return undefined
  const firstRevision = file.readDoubleLE(start + 16)
  return { firstRevision, lastRevision: firstRevision + file.readUInt32LE(start + 12) - 1, start, end }
}

function hasGroupAfter(file: Buffer, header: JournalHeader, end: number, revision: number): boolean {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(header.mark)
  for (let at = file.indexOf(mark, end); at >= 0; at = file.indexOf(mark, at + 1)) {
    const group = groupAt(file, header, at)
    if (group !== undefined && group.lastRevision > revision) return true
  }
  return false
}

export function decodeChanges(file: Buffer, { start, end, firstRevision }: FoundGroup): JournalChange[] {
  const changes: JournalChange[] = []
  let position = start + groupHeadBytes
  while (position < end) {
    const keyStart = position + changeHeadBytes
    const textStart = keyStart + file.readUInt16LE(position + 5)
    const textEnd = textStart + file.readUInt32LE(position + 1)
    const record: StoredRecord = {
      key: file.toString('utf8', keyStart, textStart),
      revision: firstRevision + changes.length,
      createRevision: file.readDoubleLE(position + 7),
      text: file.toString('utf8', textStart, textEnd),
      memo: undefined,
    }
    changes.push({ type: file[position] === putType ? 'put' : 'delete', record })
    position = textEnd
  }
  return changes
}
