// Runs `rollcall kubeconfig`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { realClock } from '../base/clock.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import { formatUserKubeconfig, issueUserCertificate } from '../cluster/issued-kubeconfig.ts'
import { contextNameOf, dataDirOf, folderFlags } from './cluster-folder.ts'
import type { KubeconfigOptions } from './kubeconfig.ts'

export async function runKubeconfig(options: KubeconfigOptions): Promise<void> {
  const dataDir = dataDirOf(options)
  const path = join(dataDir, 'kubeconfig')
  if (!existsSync(path)) throw new Error(`There is no cluster in ${dataDir}. Start one with: rollcall up${folderFlags(options)}`)
  const { server } = await readKubeconfig({ paths: [path], clock: realClock })
  const user = issueUserCertificate(join(dataDir, 'credentials'), options.user, options.group ?? [], realClock.now())
  process.stdout.write(formatUserKubeconfig({ name: contextNameOf(options.name), url: server, user: options.user, ...user }))
}
