// The file that kubectl and every client library read to find a cluster and get in.
import type { Credentials } from './credentials.ts'

export interface KubeconfigOptions {
  readonly url: string
  readonly credentials: Credentials
  /** The name of its cluster, user and context. */
  readonly name?: string
}

/** JSON is YAML too, but people look into this file: it is written as they know it. */
export function formatKubeconfig({ url, credentials, name = 'rollcall' }: KubeconfigOptions): string {
  const data = (text: string) => Buffer.from(text).toString('base64')
  return `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
  cluster:
    server: ${url}
    certificate-authority-data: ${data(credentials.authority.certificate)}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
users:
- name: ${name}
  user:
    client-certificate-data: ${data(credentials.admin.certificate)}
    client-key-data: ${data(credentials.admin.key)}
    token: ${credentials.token}
`
}
