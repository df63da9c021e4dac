import { decodeChanges, decodeHeader, type FileHeader, type FileKind, framesStart, storeFormat } from './frames.ts'
import { type HeadMark, headName, readHead } from './head-file.ts'
import { journalName } from './journal-file.ts'
import { type JournalScan, scanJournal } from './journal-scan.ts'
import { readSnapshot, snapshotName } from './snapshot-file.ts'
import type { StoredRecord } from './store.ts'
import { FileWindow, type StoreFiles, temporarySuffix } from './store-files.ts'

// Reads the store's directory: the newest snapshot and the journals since. It changes nothing, and continues after damage, to report
// all of it.

interface Damage {
  readonly file: string
  readonly position?: number
  /** A predicate, which follows the name of the file in a message. */
  readonly what: string
  /** A description of the data that `repair` drops. */
  readonly lost: string
}

interface FileReport {
  readonly file: string
  readonly holds: string
}

export interface Inspection {
  /** As of the last write before any damage. */
  readonly revision: number
  /** The greatest revision that was found, also behind damage. */
  readonly newestRevision: number
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly damages: readonly Damage[]
  /** Journals that end in a torn frame, which must be dropped. */
  readonly torn: readonly OpenEnd[]
  /** The journal to append to. Undefined: there is none yet. */
  readonly current: OpenEnd | undefined
  readonly hasHead: boolean
  /** The size of the snapshot. */
  readonly snapshotBytes: number
  /** Files that are no longer needed. */
  readonly leftovers: readonly string[]
  readonly reports: readonly FileReport[]
}

interface OpenEnd {
  readonly header: FileHeader
  readonly position: number
}

/** The directory is not damaged, but this version cannot read its format. */
export class ForeignStoreError extends Error {}

export async function inspectStore(files: StoreFiles): Promise<Inspection> {
  return new Inspector(files).inspect()
}

const earlierFiles = /^(data\.mdb|journal-[01])$/

class Inspector {
  readonly #files: StoreFiles
  readonly #records = new Map<string, StoredRecord>()
  readonly #damages: Damage[] = []
  readonly #torn: OpenEnd[] = []
  readonly #reports: FileReport[] = []
  #revision = 1
  #newest = 1
  #snapshotBytes = 0
  #current: OpenEnd | undefined

  constructor(files: StoreFiles) {
    this.#files = files
  }

  async inspect(): Promise<Inspection> {
    const names = this.#files.list()
    const earlier = names.find((name) => earlierFiles.test(name))
    if (earlier !== undefined) {
      throw new ForeignStoreError(`has "${earlier}" of an earlier build, which kept its data in LMDB and which this version cannot read`)
    }
    const journals = numbersOf(names, 'journal')
    const snapshots = numbersOf(names, 'snapshot')
    const first = snapshots.at(-1) ?? 1
    if (snapshots.length > 0) await this.#readSnapshot(first)
    const since = journals.filter((number) => number >= first)
    for (let number = first; number <= (since.at(-1) ?? 0); number++) {
      if (since.includes(number)) await this.#readJournal(number)
      else this.#damage({ file: journalName(number), what: 'is missing', lost: 'all that it held' })
    }
    const hasHead = names.includes(headName)
    await this.#checkHead(hasHead, since.at(-1))
    if (snapshots.length > 0 && since.length === 0) this.#damage({ file: journalName(first), what: 'is missing', lost: 'all that it held' })
    return {
      revision: this.#revision,
      newestRevision: Math.max(this.#newest, this.#revision),
      records: this.#records,
      damages: this.#damages,
      torn: this.#torn,
      current: this.#current,
      hasHead,
      snapshotBytes: this.#snapshotBytes,
      leftovers: [
        ...names.filter((name) => name.endsWith(temporarySuffix)),
        ...journals.filter((number) => number < first).map(journalName),
        ...snapshots.filter((number) => number < first).map(snapshotName),
      ],
      reports: this.#reports,
    }
  }

  #damage(damage: Damage): void {
    this.#damages.push(damage)
  }

  /** Calls `read` with the content and the header of a file. Reports a damaged header instead. */
  async #withFile(kind: FileKind, number: number, read: (window: FileWindow, header: FileHeader) => void): Promise<void> {
    const name = kind === 'journal' ? journalName(number) : snapshotName(number)
    const file = await this.#files.open(name, 'read')
    try {
      const window = new FileWindow(file)
      const header = decodeHeader(window.read(0, framesStart), kind)
      if (typeof header === 'number') throw new ForeignStoreError(`has format ${header}, and this version reads format ${storeFormat}`)
      if (header?.number !== number) this.#damage({ file: name, position: 0, what: 'is damaged', lost: 'all that it held' })
      else read(window, header)
    } finally {
      await file.close()
    }
  }

  #readSnapshot(number: number): Promise<void> {
    const file = snapshotName(number)
    return this.#withFile('snapshot', number, (window, header) => {
      const damages = readSnapshot(window, header, (record) => {
        this.#records.set(record.key, record)
        this.#newest = Math.max(this.#newest, record.revision)
      })
      this.#revision = header.revision
      this.#snapshotBytes = window.size
      this.#reports.push({ file, holds: `${this.#records.size} of ${header.count} objects as of revision ${header.revision}` })
      for (const { position, what, lostRecords, after, before } of damages) {
        const range = `${after === undefined ? 'from the start' : `after "${after}"`}${before === undefined ? ' to the end' : ` and before "${before}"`}`
        this.#damage({ file, position, what, lost: lostRecords === 0 ? 'nothing' : `${lostRecords} objects, ${range}` })
      }
    })
  }

  #readJournal(number: number): Promise<void> {
    const file = journalName(number)
    // Writes behind damage are not applied, so that the result is a state that existed.
    const isBehindDamage = this.#damages.some(({ file }) => file.startsWith('journal'))
    const start = this.#revision
    return this.#withFile('journal', number, (window, header) => {
      const scan = scanJournal(window, header, start, (body) => {
        if (!isBehindDamage) this.#apply(body)
      })
      this.#newest = Math.max(this.#newest, scan.revision)
      const writes = scan.revision === start ? 'no writes' : `revisions ${start + 1} to ${scan.revision}`
      this.#reports.push({ file, holds: `${writes} in ${scan.frames} groups` })
      if (!isBehindDamage) this.#recordEnd(file, header, scan)
    })
  }

  #recordEnd(file: string, header: FileHeader, { revision, end, tail }: JournalScan): void {
    this.#revision = revision
    this.#current = { header, position: end }
    if (tail.is === 'torn') this.#torn.push(this.#current)
    if (tail.is !== 'damaged') return
    this.#newest = Math.max(this.#newest, tail.laterRevision ?? 0)
    this.#damage({ file, position: end, what: tail.what, lost: `all writes after revision ${revision}` })
  }

  #apply(body: Buffer): void {
    for (const { type, record } of decodeChanges(body)) {
      if (type === 'put') this.#records.set(record.key, record)
      else this.#records.delete(record.key)
    }
  }

  async #checkHead(hasHead: boolean, newestJournal: number | undefined): Promise<void> {
    if (!hasHead) {
      // The first start creates the journal before the head.
      const isNew = this.#snapshotBytes === 0 && this.#revision === 1 && this.#damages.length === 0
      if (!isNew) this.#damage({ file: headName, what: 'is missing', lost: 'nothing that is known of' })
      return
    }
    const mark = await this.#readHead()
    if (mark === undefined) this.#damage({ file: headName, what: 'is damaged', lost: 'nothing that is known of' })
    else this.#compareHead(mark, newestJournal ?? 0)
  }

  #compareHead({ revision, journal }: HeadMark, newestJournal: number): void {
    this.#newest = Math.max(this.#newest, revision)
    // The damage already reported explains the missing writes.
    if (this.#damages.length > 0) return
    if (newestJournal < journal) {
      this.#damage({ file: journalName(journal), what: 'is missing', lost: `all writes after revision ${this.#revision}` })
    } else if (this.#revision < revision) {
      this.#damage({
        file: journalName(newestJournal),
        what: `ends with revision ${this.#revision} where ${revision} was acknowledged`,
        lost: `all writes after revision ${this.#revision}`,
      })
    }
  }

  async #readHead(): Promise<HeadMark | undefined> {
    const file = await this.#files.open(headName, 'read')
    try {
      return readHead(file)
    } finally {
      await file.close()
    }
  }
}

function numbersOf(names: readonly string[], kind: FileKind): number[] {
  const pattern = new RegExp(`^${kind}-(\\d{8,})$`)
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

export function describeDamage({ file, position, what }: Damage): string {
  return `file "${file}" ${what}${position === undefined ? '' : ` at byte ${position}`}`
}
