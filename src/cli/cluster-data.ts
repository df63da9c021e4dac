// The files of a cluster in its data directory. A user may have chosen a directory with other files, such as that of a project.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readClusterRecord, recordFile } from '../cluster/cluster-record.ts'
import { markFile } from '../cluster/cluster-time.ts'
import { logFile } from './detached-process.ts'

const storeFile = /^(head|journal|snapshot|lock|damaged)\b/
const credentialFile = /^(ca|server|admin|front-proxy-ca|service-accounts|token)(\.|$)/

/** Deletes what Rollcall wrote, and directories that are then empty. Returns whether the directory has data of a cluster: if not, nothing is deleted. */
export function deleteClusterData(dataDir: string): boolean {
  if (!isClusterData(dataDir)) return false
  deleteFrom(join(dataDir, 'store'), storeFile)
  deleteFrom(join(dataDir, 'credentials'), credentialFile)
  for (const file of ['kubeconfig', markFile, recordFile, logFile]) rmSync(join(dataDir, file), { force: true })
  const ignored = join(dataDir, '.gitignore')
  if (existsSync(ignored) && readFileSync(ignored, 'utf8') === '*\n') rmSync(ignored)
  removeIfEmpty(dataDir)
  return true
}

function isClusterData(dataDir: string): boolean {
  const has = (...path: string[]) => existsSync(join(dataDir, ...path))
  if (has('credentials', 'ca.key') || has('store', 'head') || readClusterRecord(dataDir) !== undefined) return true
  // The first start failed.
  return has(logFile) && readdirSync(dataDir).length === 1
}

function deleteFrom(directory: string, own: RegExp): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) if (own.test(name)) rmSync(join(directory, name), { recursive: true, force: true })
  removeIfEmpty(directory)
}

function removeIfEmpty(directory: string): void {
  if (readdirSync(directory).length === 0) rmdirSync(directory)
}
