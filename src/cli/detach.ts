// `rollcall up --detach`: starts the cluster in a background process and waits until it is ready.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, readClusterRecord } from '../cluster/kubeconfig/cluster-record.ts'
import { dataDirOf, folderFlags } from './cluster-folder.ts'
import type { UpOptions } from './up.ts'

export async function runDetached(options: UpOptions): Promise<void> {
  const dataDir = dataDirOf(options)
  const before = readClusterRecord(dataDir)
  if (before !== undefined && (await isRunning(before)))
    throw new Error(
      `The cluster is already running at ${before.url} (process ${before.process}). Stop it with rollcall down${folderFlags(options)}.`,
    )
  const isNew = !existsSync(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const log = join(dataDir, logFile)
  const output = openSync(log, 'w', 0o600)
  const child = spawn(process.execPath, [...process.execArgv, ...ownArguments()], {
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
    env: detachedEnvironment(process.env),
  })
  closeSync(output)
  const lines = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { readonly lines: string }).lines))
    child.once('error', reject)
    child.once('exit', () => {
      const reason = lastError(log)
      if (isNew && reason !== undefined) removeUnused(dataDir)
      reject(new Error(reason ?? `The cluster did not start${isNew ? '' : ' again'}. Its output is in ${log}`))
    })
  })
  child.disconnect?.()
  child.unref()
  if (!options.quiet) process.stdout.write(lines)
}

/** A single executable is its own script: process.argv names it twice. */
const ownArguments = () => process.argv.slice(process.argv[1] === process.execPath ? 2 : 1)

/** A directory with nothing but the log would be listed as a cluster. */
function removeUnused(dataDir: string): void {
  if (readdirSync(dataDir).some((file) => file !== logFile)) return
  rmSync(join(dataDir, logFile))
  rmdirSync(dataDir)
}

/** The cluster's own error, as it would have appeared in the terminal. */
function lastError(log: string): string | undefined {
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.findLast((line) => line.startsWith('error: '))?.slice('error: '.length)
}

// What the background process of `rollcall up --detach` and the command that started it agree on.

const marker = 'ROLLCALL_DETACHED'

/** The output of the background process, in the data directory. */
export const logFile = 'up.log'

/** Whether this process is the background process. */
export const isDetached = process.env[marker] === '1' && process.send !== undefined

const detachedEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...environment, [marker]: '1' })

/** Sends the lines for the user to the command that waits, which then ends. */
export function reportReady(lines: string): void {
  if (!isDetached) return
  process.send?.({ lines }, () => process.disconnect?.())
}
