// The files of a cluster in its data directory. A user may have chosen a directory with other files, such as that of a project.
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readClusterRecord, recordFile } from '../cluster/kubeconfig/cluster-record.ts'
import { markFile } from '../cluster/time/cluster-time.ts'
import { logFile } from './detach.ts'

// With `.new`: a file that was being written when the process ended.
const storeFile =
  /^(?:head|reserve|(?:journal|snapshot)-\d{8})(?:\.new)?$|^lock-(?:of-)?\d+$|^damaged-\d+$|^data\.mdb$|^lock\.mdb$|^journal-[01]$/
const credentialFile = /^(?:(?:ca|server|admin|front-proxy-ca)\.(?:key|crt)|service-accounts\.key|token)(?:\.\d+\.new)?$/
const topFiles = ['kubeconfig', markFile, recordFile, logFile]

/**
 * Deletes what Rollcall wrote, and directories that are then empty. Returns whether the directory has data of a cluster that has
 * stopped: if not, nothing is deleted.
 */
export function deleteClusterData(dataDir: string): boolean {
  // Another process has just started a cluster there.
  if (readClusterRecord(dataDir) !== undefined) return false
  if (!isClusterData(dataDir)) return false
  deleteFrom(join(dataDir, 'store'), storeFile)
  deleteFrom(join(dataDir, 'credentials'), credentialFile)
  for (const name of readdirSync(dataDir)) if (topFiles.includes(name.replace(/\.\d+\.new$/, ''))) rmSync(join(dataDir, name))
  const ignored = join(dataDir, '.gitignore')
  if (existsSync(ignored) && readFileSync(ignored, 'utf8') === '*\n') rmSync(ignored)
  removeIfEmpty(dataDir)
  return true
}

function isClusterData(dataDir: string): boolean {
  const has = (...path: string[]) => existsSync(join(dataDir, ...path))
  if (has('credentials', 'ca.key') || has('store', 'head') || has('store', 'data.mdb')) return true
  // The first start failed.
  return has(logFile) && readdirSync(dataDir).length === 1
}

function deleteFrom(directory: string, own: RegExp): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) if (own.test(name)) rmSync(join(directory, name), { recursive: true, force: true })
  removeIfEmpty(directory)
}

function removeIfEmpty(directory: string): void {
  if (!lstatSync(directory).isSymbolicLink() && readdirSync(directory).length === 0) rmdirSync(directory)
}
