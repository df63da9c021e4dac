import fs from 'node:fs'

// LMDB trusts what it maps: a file of something else, or one that was cut off, would end the process. This looks at the file
// before LMDB does.
//
// A file is as long as the last page that it names, or shorter when nothing uses its last pages. Only then are the pages in use
// looked for, from the roots of the two trees (the free pages, the records).

const pageHeadBytes = 24
const shortHeadBytes = 16
const magic = 0xbeefc0de
// From the start of the page: its head, then the magic, the version, an address, the size of the map, and the two trees.
const treeOffsets = [pageHeadBytes + 24, pageHeadBytes + 72]
const treeRootOffset = 40
const lastPageOffset = pageHeadBytes + 120
const transactionOffset = pageHeadBytes + 128
const metaBytes = pageHeadBytes + 136

const noPage = 2n ** 64n - 1n
const leafFlag = 2
const branchFlag = 1
const bigValueFlag = 1
const nodeHeadBytes = 8

/** Undefined: it can be mapped, as far as can be seen from here; also when there is none, or an empty one. */
export function planRefusal(path: string): 'no database' | 'cut off' | undefined {
  let fd: number
  try {
    fd = fs.openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { size } = fs.fstatSync(fd)
    if (size === 0) return undefined
    const first = readAt(fd, 0, metaBytes)
    if (first === undefined) return 'no database'
    // A build with shorter heads, whose pages this cannot read.
    if (first.readUInt32LE(shortHeadBytes) === magic) return undefined
    if (!isMeta(first)) return 'no database'
    const pageBytes = first.readUInt32LE(treeOffsets[0]!)
    if (pageBytes < 256 || pageBytes > 65_536) return 'no database'
    const second = readAt(fd, pageBytes, metaBytes)
    if (second === undefined || !isMeta(second)) return 'cut off'
    const newest = transactionOf(second) > transactionOf(first) ? second : first
    if (size >= (Number(newest.readBigUInt64LE(lastPageOffset)) + 1) * pageBytes) return undefined
    const pages = Math.floor(size / pageBytes)
    return treeOffsets.every((tree) => hasPages(fd, newest.readBigUInt64LE(tree + treeRootOffset), pageBytes, pages))
      ? undefined
      : 'cut off'
  } finally {
    fs.closeSync(fd)
  }
}

function isMeta(page: Buffer): boolean {
  return page.readUInt32LE(pageHeadBytes) === magic
}

function transactionOf(meta: Buffer): bigint {
  return meta.readBigUInt64LE(transactionOffset)
}

function readAt(fd: number, position: number, bytes: number): Buffer | undefined {
  const buffer = Buffer.alloc(bytes)
  return fs.readSync(fd, buffer, 0, bytes, position) === bytes ? buffer : undefined
}

/** Whether the file has all pages of the tree. */
function hasPages(fd: number, root: bigint, pageBytes: number, pages: number): boolean {
  const open = root === noPage ? [] : [Number(root)]
  // A page is in one tree, once: more are no tree.
  for (let seen = 0; open.length > 0; seen++) {
    const number = open.pop()!
    if (number >= pages || seen > pages) return false
    const page = readAt(fd, number * pageBytes, pageBytes)!
    const flags = page.readUInt16LE(18)
    if ((flags & (leafFlag | branchFlag)) === 0) return false
    const nodes = (page.readUInt16LE(20) - pageHeadBytes) >> 1
    for (let i = 0; i < nodes; i++) {
      const node = page.readUInt16LE(pageHeadBytes + 2 * i)
      if (node + nodeHeadBytes > pageBytes) return false
      if ((flags & branchFlag) !== 0) open.push(page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32)
      else if ((page.readUInt16LE(node + 4) & bigValueFlag) !== 0) {
        const value = node + nodeHeadBytes + page.readUInt16LE(node + 6)
        if (value + 24 > pageBytes) return false
        if (page.readBigUInt64LE(value) + page.readBigUInt64LE(value + 16) > BigInt(pages)) return false
      }
    }
  }
  return true
}
