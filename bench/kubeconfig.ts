// The server of a kubeconfig's current context, and the credentials for it: a token or a client certificate.
import type { ConnectionOptions } from 'node:tls'
import { realClock } from '../src/base/clock.ts'
import { hostOfUrl } from '../src/base/url.ts'
import { readKubeconfig } from '../src/client/kubeconfig.ts'

export interface Target {
  readonly tls: ConnectionOptions
  /** For the Host header. */
  readonly authority: string
  readonly token: string | undefined
  /** The path before /api. */
  readonly basePath: string
}

export async function readTarget(file: string): Promise<Target> {
  const connection = await readKubeconfig({ paths: [file], clock: realClock })
  const { certificateAuthority, skipTlsVerify, tlsServerName, clientCertificate, clientKey } = connection
  const url = new URL(connection.server)
  if (url.protocol !== 'https:') throw new Error(`Cannot use kubeconfig "${file}": "${url.href}" is no https address`)
  const token = connection.token?.()
  if (token === undefined && clientCertificate === undefined)
    throw new Error(`Cannot use kubeconfig "${file}": it has neither a token nor a client certificate`)
  return {
    tls: {
      host: hostOfUrl(url),
      port: Number(url.port || 443),
      rejectUnauthorized: !skipTlsVerify,
      ALPNProtocols: ['http/1.1'],
      ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
      // One credential is enough, and a token makes the handshake shorter.
      ...(token === undefined && { cert: clientCertificate, key: clientKey }),
      ...(tlsServerName !== undefined && { servername: tlsServerName }),
    },
    authority: url.host,
    token,
    basePath: url.pathname.replace(/\/$/, ''),
  }
}
