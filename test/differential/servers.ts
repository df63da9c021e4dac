// Two API servers without controllers: a real kube-apiserver, and Rollcall in its place.
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultFeatureGates } from '../../src/api/machinery/feature-gates.ts'
import { realClock } from '../../src/base/clock.ts'
import { createAuthority, createCertificate } from '../../src/cluster/credentials/certificates.ts'
import { startEnvtestServer } from '../../src/cluster/envtest-server.ts'
import { freePort } from '../front-door/free-port.ts'
import { startRealControlPlane } from '../real-cluster/real-control-plane.ts'

export interface Answer {
  readonly code: number
  readonly body: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

export interface ApiServer {
  ask(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>
  stop(): Promise<void>
}

const splitWarnings = (given: string | string[] | undefined) =>
  [...(given === undefined ? '' : String(given)).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!).sort()

function client(url: string, agent: Agent, headers: Readonly<Record<string, string>>): ApiServer['ask'] {
  return (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const sent = { ...headers, accept: 'application/json', ...(text !== undefined && { 'content-type': contentType }) }
      const outgoing = request(`${url}${path}`, { method, agent, headers: sent }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const received = Buffer.concat(pieces).toString()
          let parsed: Answer['body']
          try {
            parsed = JSON.parse(received)
          } catch {
            parsed = { message: received }
          }
          resolve({ code: response.statusCode ?? 0, body: parsed, warnings: splitWarnings(response.headers.warning) })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(text)
    })
}

export async function startReal(): Promise<ApiServer> {
  const plane = await startRealControlPlane()
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const token = await plane.connection.token!()
  return {
    ask: client(plane.connection.server, agent, { authorization: `Bearer ${token}` }),
    async stop() {
      agent.destroy()
      await plane.stop()
    },
  }
}

export async function startRollcall(version: string): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-differential-'))
  const nowMs = realClock.now()
  const authority = createAuthority('differential', nowMs)
  const clientAuthority = join(folder, 'ca.crt')
  writeFileSync(clientAuthority, authority.certificate)
  const user = createCertificate(authority, { commonName: 'admin', organizations: ['system:masters'], use: 'client' }, nowMs)
  const server = await startEnvtestServer({
    host: '127.0.0.1',
    port: await freePort(),
    certDir: undefined,
    clientAuthority,
    signingKeyFile: undefined,
    keyFiles: [],
    issuer: 'https://kubernetes.default.svc',
    gates: { ...defaultFeatureGates },
    admissionPlugins: [],
    latencyMs: 0,
    controllers: 'none',
    nodes: [],
    version,
    log: (line) => console.error(line),
  })
  const agent = new Agent({
    keepAlive: true,
    rejectUnauthorized: false,
    key: user.key,
    cert: new X509Certificate(user.certificate).toString(),
  })
  return {
    ask: client(server.url, agent, {}),
    async stop() {
      agent.destroy()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
