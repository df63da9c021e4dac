// Runs `rollcall kubeconfig`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { realClock } from '../base/clock.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import { kubeconfigOf } from '../cluster/kubeconfig/cluster-record.ts'
import { formatUserKubeconfig, issueUserCertificate } from '../cluster/kubeconfig/kubeconfig.ts'
import { contextNameOf, dataDirOf, folderFlags } from './cluster-folder.ts'
import { usageError } from './error-line.ts'
import type { KubeconfigOptions } from './kubeconfig.ts'

export async function runKubeconfig({ user: name, group, ...options }: KubeconfigOptions): Promise<void> {
  if (name === undefined && group !== undefined) throw usageError('--group is of another user. Name it with --user')
  const dataDir = dataDirOf(options)
  const path = kubeconfigOf(dataDir)
  if (!existsSync(path)) throw new Error(`There is no cluster in ${dataDir}. Start one with: rollcall up${folderFlags(options)}`)
  if (name === undefined) {
    process.stdout.write(readFileSync(path))
    return
  }
  const { server } = await readKubeconfig({ paths: [path], clock: realClock })
  const user = issueUserCertificate(join(dataDir, 'credentials'), name, group ?? [], realClock.now())
  process.stdout.write(formatUserKubeconfig({ name: contextNameOf(options.name), url: server, user: name, ...user }))
}
