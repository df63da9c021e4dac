// A kubeconfig for another user of a cluster: a client certificate of the cluster's authority.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createCertificate } from '../credentials/certificates.ts'
import { readPair } from '../credentials/credentials.ts'
import { kubeconfigText } from './kubeconfig.ts'

interface UserCertificate {
  /** All in PEM. */
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

/** `folder` has the credentials of the cluster. */
export function issueUserCertificate(folder: string, user: string, groups: readonly string[], nowMs: number): UserCertificate {
  const path = join(folder, 'ca')
  if (!existsSync(`${path}.key`))
    throw new Error(`Cannot find the certificate authority ${JSON.stringify(`${path}.key`)}. Start the cluster once.`)
  const authority = readPair(path)
  const { certificate, key } = createCertificate(authority, { commonName: user, organizations: groups, use: 'client' }, nowMs)
  return { authority: authority.certificate, certificate, key }
}

interface UserKubeconfig extends UserCertificate {
  /** Of the cluster. */
  readonly name: string
  readonly url: string
  readonly user: string
}

export function formatUserKubeconfig({ name, url, user, authority, certificate, key }: UserKubeconfig): string {
  const names = { context: JSON.stringify(`${user}@${name}`), cluster: name, user: JSON.stringify(user) }
  return kubeconfigText(names, { url, authority, client: { certificate, key } })
}
