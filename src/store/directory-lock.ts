import fs from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { once } from '../base/cached.ts'
import { afterIfAlive, type CancelTimer, realClock } from '../base/clock.ts'
import { isNoSpace, reserveName } from './reserve.ts'

// One process at a time uses a store's directory. Node.js has no file locks, so numbered lock files are used. The owner of the file
// with the greatest number holds the lock, unless the file is empty (released) or its owner is dead.
//
// A process that finds the lock with the greatest number n free creates n + 1, which succeeds for one process only, and then checks
// that there is no greater number. A file is removed only when one with a greater number exists, so no number is used twice.
//
// The kernel knows whether an owner is alive, by process id and start time. An owner in another container or on another machine
// cannot be checked that way; it is presumed dead when it has not renewed its file for 30 s.

interface Owner {
  readonly pid: number
  /** Identifies the host, its boot and the PID namespace: the scope in which `pid` is meaningful. */
  readonly realm: string
  /** The start time, which distinguishes processes with the same pid. */
  readonly started: string
}

const renewMs = 5000
const expiryMs = 30_000
const lockName = /^lock-(\d+)$/

/** The directories that this process has claimed. */
const claimed = new Set<string>()

/** Throws when the directory is in use. `path` is its name in messages. Returns the function that releases it. */
export function claimDirectory(directory: string, path: string): () => void {
  if (claimed.has(directory)) throw inUseError(path, process.pid)
  const file = takeNumber(directory, path)
  claimed.add(directory)
  let cancel: CancelTimer = () => {}
  const renew = () => {
    cancel = afterIfAlive(renewMs, () => {
      const seconds = realClock.now() / 1000
      ignoreErrors(() => fs.utimesSync(file, seconds, seconds))
      renew()
    })
  }
  renew()
  return () => {
    cancel()
    claimed.delete(directory)
    ignoreErrors(() => fs.truncateSync(file))
  }
}

function takeNumber(directory: string, path: string): string {
  const prepared = join(directory, `lock-of-${process.pid}`)
  try {
    prepare(prepared, directory, path)
    for (;;) {
      const newest = requireUnowned(directory, path)
      const file = join(directory, `lock-${newest + 1}`)
      try {
        fs.linkSync(prepared, file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
        throw error
      }
      const numbers = lockNumbers(directory)
      if (numbers.at(-1) !== newest + 1) {
        fs.rmSync(file, { force: true })
        continue
      }
      for (const number of numbers.slice(0, -1)) fs.rmSync(join(directory, `lock-${number}`), { force: true })
      return file
    }
  } finally {
    fs.rmSync(prepared, { force: true })
  }
}

/** Throws when a living process holds the lock. Returns its greatest number; 0 when there is none. */
function requireUnowned(directory: string, path: string): number {
  const newest = lockNumbers(directory).at(-1) ?? 0
  const owner = newest === 0 ? undefined : ownerOf(join(directory, `lock-${newest}`))
  if (owner === undefined) return newest
  throw inUseError(path, owner.pid, owner.realm === ownIdentity().realm ? undefined : join(path, `lock-${newest}`))
}

/** On a full disk, the file takes the room of the store's reserve, unless another process uses the store. */
function prepare(file: string, directory: string, path: string): void {
  const write = () => fs.writeFileSync(file, encode(ownIdentity()), { mode: 0o600 })
  try {
    write()
  } catch (error) {
    if (!isNoSpace(error)) throw error
    requireUnowned(directory, path)
    fs.rmSync(join(directory, reserveName), { force: true })
    write()
  }
}

function lockNumbers(directory: string): number[] {
  return fs
    .readdirSync(directory)
    .flatMap((name) => lockName.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** The living owner of a lock. */
function ownerOf(file: string): Owner | undefined {
  let content: string
  let renewedMs: number
  try {
    content = fs.readFileSync(file, 'utf8')
    renewedMs = fs.statSync(file).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const [pid = '', realm = '', started = ''] = content.split('\n')
  if (!/^\d+$/.test(pid)) return undefined
  const owner = { pid: Number(pid), realm, started }
  const isAlive = realm === ownIdentity().realm ? isRunning(owner) : realClock.now() - renewedMs < expiryMs
  return isAlive ? owner : undefined
}

function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = startOf(pid)
  return now === undefined || started === '' || now === started
}

const ownIdentity = once((): Owner => ({ pid: process.pid, realm: realmOf(), started: startOf(process.pid) ?? '' }))

function realmOf(): string {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id').trim()
  let processes = ''
  ignoreErrors(() => {
    processes = fs.readlinkSync('/proc/self/ns/pid')
  })
  return `${hostname()} ${boot} ${processes}`
}

/** The start time of a process; '' for a zombie; undefined where the system has no /proc. */
function startOf(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  // The name of the program is in parentheses, and may contain some.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? '' : fields[19]
}

function readIfThere(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function encode({ pid, realm, started }: Owner): string {
  return `${pid}\n${realm}\n${started}\n`
}

function ignoreErrors(run: () => void): void {
  try {
    run()
  } catch {
    // Best effort.
  }
}

function inUseError(path: string, pid: number, foreignLock?: string): Error {
  const where =
    foreignLock === undefined ? '' : ` on another host or in another container; if that one has ended, wait 30 s or delete "${foreignLock}"`
  return new Error(`Cannot open the store: directory "${path}" is in use by process ${pid}${where}`)
}
