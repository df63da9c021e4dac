// The file of `rollcall save`: JSON lines, compressed where its name ends in .gz. The first line says what it is, the last one how many objects
// precede it and their checksum, and each line between has one object with its key in the store.
import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { isJsonObject } from '../../api/machinery/json-object.ts'
import type { KubernetesObject } from '../../api/types.ts'

const snapshotFormat = 'rollcall.snapshot/1'

export interface SnapshotHead {
  readonly format: typeof snapshotFormat
  /** The version of Rollcall that wrote it. */
  readonly rollcall: string
  /** The version of Kubernetes that the cluster said it was. */
  readonly kubernetes: string
  /** `rollcall`: everything that its store held at one revision. `kubernetes`: what another API server listed, one kind after the other. */
  readonly source: 'rollcall' | 'kubernetes'
  /** The time of the cluster. */
  readonly time: string
  /** No object has a later resourceVersion. */
  readonly revision: number
}

export interface SavedObject {
  /** `pods/default/web-1`, `deployments.apps/default/web`, `nodes/node-1`. */
  readonly key: string
  /** The revision of the write that created it. */
  readonly createRevision: number
  /** Without kind and apiVersion, as in the store. */
  readonly object: KubernetesObject
}

interface SnapshotEnd {
  readonly objects: number
  /** Of every byte before this line. Absent: the file was edited. */
  readonly sha256?: string
}

/** Serializes a snapshot as lines, and counts them for the last one. */
export class SnapshotWriter {
  readonly #hash: Hash = createHash('sha256')
  objects = 0

  head(head: Omit<SnapshotHead, 'format'>): string {
    return this.#line({ format: snapshotFormat, ...head })
  }

  object(saved: SavedObject): string {
    this.objects++
    return this.#line(saved)
  }

  end(): string {
    return `${JSON.stringify({ objects: this.objects, sha256: this.#hash.digest('hex') } satisfies SnapshotEnd)}\n`
  }

  #line(value: object): string {
    const line = `${JSON.stringify(value)}\n`
    this.#hash.update(line)
    return line
  }
}

export interface Snapshot {
  readonly head: SnapshotHead
  readonly objects: readonly (SavedObject & { readonly line: number })[]
}

/** Larger than any object that an API server accepts. */
const maxLineCharacters = 16 * 2 ** 20
const maxCharacters = 4 * 2 ** 30

/** Reads the whole file. Throws an error that names the file, and says what is wrong with it. */
export async function readSnapshotFile(file: string): Promise<Snapshot> {
  const refuse = (what: string) => new Error(`Cannot read ${file} as a snapshot: ${what}`)
  const hash = createHash('sha256')
  const objects: (SavedObject & { readonly line: number })[] = []
  let head: SnapshotHead | undefined
  let end: SnapshotEnd | undefined
  let line = 0
  try {
    for await (const text of linesOf(file)) {
      line++
      if (end !== undefined) throw refuse(`line ${line} follows its end`)
      const value = parsed(text)
      if (head === undefined) {
        head = headOf(value, refuse)
      } else if (!isJsonObject(value)) {
        throw refuse(`line ${line} is not a JSON object: the file is damaged`)
      } else if ('key' in value) {
        objects.push({ ...savedObject(value, line, refuse), line })
      } else {
        end = value as unknown as SnapshotEnd
        continue
      }
      hash.update(`${text}\n`)
    }
  } catch (error) {
    if (error instanceof LineError) throw refuse(`line ${line + 1} ${error.message}`)
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw refuse('there is no such file')
    if (code !== undefined) throw refuse(code.startsWith('Z_') ? `its compression is damaged or cut off (${message})` : message)
    throw error
  }
  if (head === undefined) throw refuse('it is empty')
  if (end === undefined) throw refuse(`it is cut off after ${objects.length} objects`)
  if (end.objects !== objects.length) throw refuse(`it has ${objects.length} objects, and its last line says ${String(end.objects)}`)
  if (end.sha256 !== undefined && end.sha256 !== hash.digest('hex'))
    throw refuse('its checksum differs. If you edited the file, remove "sha256" from its last line')
  return { head, objects }
}

function headOf(value: unknown, refuse: (what: string) => Error): SnapshotHead {
  const head = (isJsonObject(value) ? value : {}) as Partial<SnapshotHead>
  if (typeof head.format !== 'string' || !head.format.startsWith('rollcall.')) throw refuse('rollcall save did not write it')
  if (head.format !== snapshotFormat) throw refuse(`its format is ${head.format}, and this Rollcall reads ${snapshotFormat}`)
  if (!isRevision(head.revision)) throw refuse('its first line has no "revision"')
  if (typeof head.time !== 'string' || Number.isNaN(Date.parse(head.time))) throw refuse('its first line has no "time"')
  if (head.source !== 'rollcall' && head.source !== 'kubernetes') throw refuse('its first line has no "source"')
  return head as SnapshotHead
}

function savedObject({ key, createRevision, object }: Record<string, unknown>, line: number, refuse: (what: string) => Error): SavedObject {
  if (typeof key !== 'string' || !/^[a-z0-9.-]+(?:\/[^/]+){1,2}$/.test(key)) throw refuse(`line ${line} has the key ${JSON.stringify(key)}`)
  if (!isRevision(createRevision)) throw refuse(`line ${line}: ${key} has no "createRevision"`)
  if (!isJsonObject(object) || !isJsonObject(object['metadata'])) throw refuse(`line ${line}: ${key} has no object with metadata`)
  return { key, createRevision, object: object as KubernetesObject }
}

export const isRevision = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

class LineError extends Error {}

async function* linesOf(file: string): AsyncGenerator<string> {
  const hasCompression = isCompressed(file)
  const source = createReadStream(file)
  const bytes = hasCompression ? source.pipe(createGunzip()) : source
  source.on('error', (error) => bytes.destroy(error))
  const decoder = new TextDecoder('utf-8', { fatal: false })
  let rest = ''
  let characters = 0
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk as Buffer, { stream: true })
    characters += text.length
    if (characters > maxCharacters) throw new LineError('is beyond 4 GiB, the limit of a snapshot')
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    if (rest.length > maxLineCharacters) throw new LineError('is longer than any object')
    yield* lines
  }
  if (rest !== '') yield rest
}

/** gzip begins with these bytes, and JSON with a brace. */
function isCompressed(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const magic = Buffer.alloc(2)
    readSync(descriptor, magic, 0, 2, 0)
    return magic[0] === 0x1f && magic[1] === 0x8b
  } finally {
    closeSync(descriptor)
  }
}
