// Runs `rollcall save`.
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { realClock } from '../base/clock.ts'
import { messageOf } from '../base/error-message.ts'
import { HttpTransport } from '../client/http-transport.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import { isRunning, kubeconfigOf, readClusterRecord } from '../cluster/kubeconfig/cluster-record.ts'
import { type ReadSnapshot, readRunningCluster, readStoppedCluster } from '../cluster/snapshot/read-snapshot.ts'
import { withoutSecretValues } from '../cluster/snapshot/redacted.ts'
import { SnapshotWriter } from '../cluster/snapshot/snapshot-file.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { readNamedKubeconfig } from './cluster-connection.ts'
import { dataDirOf, folderFlags } from './cluster-folder.ts'
import { printError, usageError } from './error-line.ts'
import { checkOutputFile, isWrittenInPlace } from './output-files.ts'
import type { SaveOptions } from './save.ts'
import { shortPath } from './short-path.ts'

export async function runSave(file: string, options: SaveOptions): Promise<number> {
  try {
    checkOutputFile(file)
    const { snapshot, close, name } = await openCluster(options)
    try {
      const secrets = options.secrets ?? (snapshot.head.source === 'rollcall' ? 'keep' : 'redact')
      const count = await write(file, snapshot, secrets === 'redact')
      report(file, name, snapshot, count, secrets)
    } finally {
      close()
    }
    return 0
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : ((error as { readonly exitCode?: number }).exitCode ?? 1)
  }
}

interface OpenCluster {
  readonly snapshot: ReadSnapshot
  readonly name: string
  close(): void
}

async function openCluster(options: SaveOptions): Promise<OpenCluster> {
  const { context, kubeconfig } = options
  if (context !== undefined || kubeconfig !== undefined) {
    if (options.name !== undefined || options.dataDir !== undefined)
      throw usageError('--context and --kubeconfig name another cluster than --name and --data-dir. Leave one of them out.')
    const connection = await readNamedKubeconfig(options).catch((error: unknown) => {
      throw usageError(messageOf(error))
    })
    return readOver(connection)
  }
  const dataDir = dataDirOf(options)
  const record = readClusterRecord(dataDir)
  if (record !== undefined && (await isRunning(record)))
    return readOver(await readKubeconfig({ paths: [kubeconfigOf(dataDir)], clock: realClock }))
  const snapshot = await readStoppedCluster(dataDir)
  if (snapshot === undefined)
    throw usageError(
      `There is no cluster in ${shortPath(dataDir)}. Start one with rollcall up${folderFlags(options)}, or name any cluster with --context.`,
    )
  return { snapshot, name: `the stopped cluster in ${shortPath(dataDir)}`, close() {} }
}

async function readOver(connection: Awaited<ReturnType<typeof readKubeconfig>>): Promise<OpenCluster> {
  const transport = new HttpTransport({ connection, clock: realClock, name: 'rollcall' })
  try {
    return { snapshot: await readRunningCluster(transport), name: connection.server, close: () => transport.close() }
  } catch (error) {
    transport.close()
    throw new Error(`Cannot read the cluster at ${connection.server}: ${messageOf(error)}`)
  }
}

/** Resolves to the number of objects. A file that exists is replaced when the new one is complete. */
async function write(file: string, snapshot: ReadSnapshot, redacts: boolean): Promise<number> {
  const writer = new SnapshotWriter()
  async function* lines() {
    yield writer.head(snapshot.head)
    for await (const page of snapshot.objects) yield page.map((one) => writer.object(redacts ? withoutSecretValues(one) : one)).join('')
    yield writer.end()
  }
  const compression = file.endsWith('.gz') ? [createGzip()] : []
  if (file === '-') {
    await pipeline([Readable.from(lines()), process.stdout], { end: false })
    return writer.objects
  }
  const part = isWrittenInPlace(file) ? resolve(file) : `${resolve(file)}.${process.pid}.part`
  try {
    await pipeline([Readable.from(lines()), ...compression, createWriteStream(part, { mode: 0o600 })])
    if (part !== resolve(file)) renameSync(part, file)
  } catch (error) {
    if (part !== resolve(file)) rmSync(part, { force: true })
    throw new Error(`Cannot write ${file}: ${messageOf(error)}`)
  }
  return writer.objects
}

function report(file: string, name: string, { head, leftOut }: ReadSnapshot, objects: number, secrets: 'keep' | 'redact'): void {
  const about = secrets === 'keep' ? 'with the values of Secrets: keep it private' : 'without the values of Secrets'
  const print = (line: string) => void process.stderr.write(`${line}\n`)
  for (const one of leftOut) print(`Left out: ${one}`)
  if (file !== '-') print(`Wrote ${shortPath(file)}: ${objects} objects of ${name} at revision ${head.revision}, ${about}.`)
}
