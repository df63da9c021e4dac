// Runs `rollcall status`, `down` and `logs`.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { nodes as nodeKind, pods as podKind } from '../api/kinds.ts'
import { alignedTable } from '../base/aligned-rows.ts'
import { realClock } from '../base/clock.ts'
import { createHttpClient } from '../client/http-client.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import {
  type ClusterRecord,
  isAlive,
  isRunning,
  kubeconfigOf,
  readClusterRecord,
  removeClusterRecord,
} from '../cluster/kubeconfig/cluster-record.ts'
import { removeContext } from '../cluster/kubeconfig/user-kubeconfig.ts'
import { deleteClusterData } from './cluster-data.ts'
import { clusterNames, dataDirOf, type FolderOptions, folderFlags } from './cluster-folder.ts'
import type { DownOptions, LogsOptions, StatusOptions } from './clusters.ts'
import { logFile } from './detach.ts'
import { usageError } from './error-line.ts'
import { printData } from './flag-values.ts'
import { shortPath } from './short-path.ts'

interface ClusterStatus {
  /** Absent: the cluster of a directory. */
  readonly name?: string
  readonly state: 'running' | 'stopped'
  readonly dataDir: string
  readonly server?: string
  readonly process?: number
  readonly version?: string
  readonly startedAt?: string
  readonly context?: string
  readonly nodes?: number
  readonly pods?: number
  readonly terminatingPods?: number
}

/** The exit code. */
export async function runStatus(options: StatusOptions): Promise<number> {
  const isOne = options.name !== undefined || options.dataDir !== undefined
  const addressed = isOne ? [options] : addressable()
  const clusters = await Promise.all(addressed.map(statusOf))
  if (options.output === 'name') process.stdout.write(clusters.map(({ name = '-' }) => `${name}\n`).join(''))
  else if (options.output !== undefined) await printData(isOne ? clusters[0] : clusters, options.output)
  else process.stdout.write(clusters.length === 0 ? 'There is no cluster here. Start one with rollcall up.\n' : table(clusters))
  return isOne && clusters[0]?.state !== 'running' ? 1 : 0
}

/** The cluster of this directory, if it has one, and the named ones. */
const addressable = (): FolderOptions[] => [...(existsSync(dataDirOf({})) ? [{}] : []), ...clusterNames().map((name) => ({ name }))]

function checkName(options: FolderOptions): void {
  if (options.name !== undefined && !existsSync(dataDirOf(options)))
    throw new Error(`No cluster is named ${options.name}. rollcall status lists the clusters.`)
}

async function runningNames(): Promise<string[]> {
  const names: string[] = []
  for (const name of clusterNames()) {
    const record = readClusterRecord(dataDirOf({ name }))
    if (record !== undefined && (await isRunning(record))) names.push(name)
  }
  return names
}

async function statusOf(options: FolderOptions): Promise<ClusterStatus> {
  const dataDir = dataDirOf(options)
  const record = readClusterRecord(dataDir)
  const name = options.name === undefined ? {} : { name: options.name }
  if (record === undefined || !(await isRunning(record))) return { ...name, state: 'stopped', dataDir }
  const { url, process, version, startedAt, context } = record
  return {
    ...name,
    state: 'running',
    dataDir,
    server: url,
    process,
    version,
    startedAt,
    ...(context && { context: context.name }),
    ...(await countObjects(dataDir)),
  }
}

/** Empty where the cluster does not answer. */
async function countObjects(dataDir: string): Promise<Pick<ClusterStatus, 'nodes' | 'pods' | 'terminatingPods'>> {
  try {
    const connection = await readKubeconfig({ paths: [kubeconfigOf(dataDir)], clock: realClock })
    const client = createHttpClient({ connection, name: 'rollcall', requestMs: 5_000 })
    try {
      const [nodes, pods] = await Promise.all([client.list(nodeKind), client.list(podKind)])
      const terminating = pods.items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      return { nodes: nodes.items.length, pods: pods.items.length, terminatingPods: terminating.length }
    } finally {
      client.close()
    }
  } catch {
    return {}
  }
}

function table(clusters: readonly ClusterStatus[]): string {
  const header = ['NAME', 'STATE', 'SERVER', 'NODES', 'PODS', 'AGE', 'DATA']
  const rows = clusters.map(({ name = '-', state, server = '-', nodes = '-', pods, terminatingPods = 0, startedAt, dataDir }) => [
    name,
    state,
    server,
    String(nodes),
    pods === undefined ? '-' : terminatingPods === 0 ? String(pods) : `${pods} (${terminatingPods} terminating)`,
    startedAt === undefined ? '-' : age(Date.parse(startedAt)),
    shortPath(dataDir),
  ])
  return alignedTable([header, ...rows])
}

/** As kubectl prints it: the largest unit. */
function age(sinceMs: number): string {
  const seconds = Math.max(0, Math.floor((realClock.now() - sinceMs) / 1000))
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`
}

export async function runDown(options: DownOptions): Promise<void> {
  if (options.all && (options.name !== undefined || options.dataDir !== undefined))
    throw usageError('--all stops every cluster. Leave it out to stop only that of --name or --data-dir')
  const addressed = options.all ? addressable() : [options]
  const print = (line: string) => void (options.quiet || process.stdout.write(`${line}\n`))
  checkName(options)
  const stopped: object[] = []
  for (const one of addressed) {
    const { message, ...result } = await stopCluster(one, options.deleteData ?? false)
    if (options.output !== undefined) stopped.push(result)
    else print(message)
    if (options.output === undefined && one.name === undefined && one.dataDir === undefined && !result.wasRunning && !options.all) {
      const running = (await runningNames()).map((name) => `rollcall down --name ${name}`)
      if (running.length > 0) print(`Named clusters are running. Stop them with ${running.join(', ')}.`)
    }
  }
  if (options.output !== undefined && !options.quiet) await printData(stopped, options.output)
}

const stopTimeoutMs = 30_000
const pollMs = 20

interface StoppedCluster {
  readonly name?: string
  readonly dataDir: string
  readonly wasRunning: boolean
  readonly dataDeleted: boolean
  readonly message: string
}

async function stopCluster(options: FolderOptions, deleteData: boolean): Promise<StoppedCluster> {
  const dataDir = dataDirOf(options)
  const which = options.name === undefined ? `The cluster in ${shortPath(dataDir)}` : `Cluster ${options.name}`
  const record = readClusterRecord(dataDir)
  const wasRunning = record !== undefined && (await isRunning(record))
  if (wasRunning) await endProcess(record.process)
  if (record !== undefined) await forgetCluster(dataDir, record)
  const isForeign = deleteData && existsSync(dataDir) && !deleteClusterData(dataDir)
  const state = wasRunning ? 'is stopped' : 'is not running'
  const kept =
    deleteData || !existsSync(join(dataDir, 'store')) || record?.inMemory
      ? ''
      : ` Its objects are kept in ${shortPath(dataDir)}; delete them with rollcall down${folderFlags(options)} --delete-data.`
  return {
    ...(options.name !== undefined && { name: options.name }),
    dataDir,
    wasRunning,
    dataDeleted: deleteData && !isForeign,
    message: isForeign
      ? `${which} ${state}. Nothing is deleted: the directory has no data of a cluster.`
      : deleteData
        ? `${which} ${state}, and its data is deleted.`
        : `${which} ${state}.${kept}`,
  }
}

async function endProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  const deadlineMs = realClock.now() + stopTimeoutMs
  while (isAlive(pid)) {
    if (realClock.now() > deadlineMs)
      throw new Error(
        `Process ${pid} has not stopped after ${stopTimeoutMs / 1000} s. Look at rollcall logs, or end it with kill -9 ${pid}.`,
      )
    await wait(pollMs)
  }
}

/** Removes the record and the context of a cluster that has stopped. */
export async function forgetCluster(dataDir: string, { process, context }: ClusterRecord): Promise<void> {
  if (context !== undefined) await removeContext(context.file, context.name, context.previous)
  if (readClusterRecord(dataDir)?.process === process) removeClusterRecord(dataDir)
}

const followMs = 200

export async function runLogs(options: LogsOptions): Promise<void> {
  checkName(options)
  const dataDir = dataDirOf(options)
  const path = join(dataDir, logFile)
  if (!existsSync(path))
    throw new Error(`There is no ${basename(path)} in ${shortPath(dataDir)}: only a cluster that was started with --detach has one`)
  const file = openSync(path, 'r')
  const buffer = Buffer.alloc(64 * 1024)
  try {
    for (;;) {
      const length = readSync(file, buffer)
      if (length > 0) process.stdout.write(Buffer.from(buffer.subarray(0, length)))
      else if (options.follow) await wait(followMs)
      else return
    }
  } finally {
    closeSync(file)
  }
}
