// The record of a local cluster in its data directory, by which `rollcall status`, `down` and `logs` find its process.
import { readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { hostOfUrl } from '../../base/url.ts'
import { writePrivately } from '../credentials/credentials.ts'

export interface ClusterRecord {
  readonly process: number
  readonly url: string
  readonly version: string
  readonly startedAt: string
  readonly inMemory: boolean
  readonly kubeconfig?: string
  /** Where the process writes its output. Absent: to a terminal. */
  readonly log?: string
  /** The context that was merged into the user's kubeconfig. */
  readonly context?: { readonly name: string; readonly file: string; readonly previous?: string | undefined } | undefined
}

export const recordFile = 'cluster.json'

export const writeClusterRecord = (dataDir: string, record: ClusterRecord): void =>
  writePrivately(join(dataDir, recordFile), `${JSON.stringify(record, null, 2)}\n`)

export const removeClusterRecord = (dataDir: string): void => rmSync(join(dataDir, recordFile), { force: true })

/** Undefined where the cluster has never run, was stopped, or wrote something else. */
export function readClusterRecord(dataDir: string): ClusterRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(join(dataDir, recordFile), 'utf8')) as Partial<ClusterRecord> | null
    return Number.isInteger(record?.process) && typeof record?.url === 'string' ? (record as ClusterRecord) : undefined
  } catch {
    return undefined
  }
}

/** Where a running cluster wrote its kubeconfig, or where the cluster of this directory writes it by default. */
export const kubeconfigOf = (dataDir: string): string => readClusterRecord(dataDir)?.kubeconfig ?? join(dataDir, 'kubeconfig')

/** After a crash another process may have the same number. It does not also listen at that address. */
export const isRunning = async ({ process, url }: ClusterRecord): Promise<boolean> => isAlive(process) && (await isListening(new URL(url)))

/** True also for a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const connectTimeoutMs = 500

export function isListening(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostOfUrl(url), port: Number(url.port) })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(connectTimeoutMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
