// The files by which clients find the cluster and are let in, as `rollcall up` keeps them.
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createCredentials, localHosts } from '../../src/cluster/credentials/credentials.ts'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

const dayMs = 86_400_000

describe('the credentials of a cluster', () => {
  let cluster: RunningCluster | undefined
  afterEach(async () => {
    await cluster?.stop()
    cluster = undefined
  })

  const serverCertificate = (host: string, port: number, ca: string) =>
    new Promise<X509Certificate>((resolve, reject) => {
      const socket = connect({ host, port, ca, servername: 'localhost' }, () => {
        resolve(new X509Certificate(socket.getPeerCertificate().raw))
        socket.destroy()
      })
      socket.on('error', reject)
    })

  it('name every address of the machine when the server listens on all of them', async () => {
    cluster = await startCluster(['--memory', '--host', '0.0.0.0'])
    const certificate = await serverCertificate(
      '127.0.0.1',
      Number(new URL(cluster.url).port),
      readFileSync(join(cluster.folder, 'credentials/ca.crt'), 'utf8'),
    )
    const addresses = Object.values(networkInterfaces()).flatMap((one = []) => one.map(({ address }) => address))
    expect(addresses.filter((address) => certificate.checkIP(address) === undefined)).toEqual([])
    expect(certificate.checkHost(hostname())).toBeDefined()
  })

  it('are renewed at a start, in the kubeconfig too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-'))
    const old = createCredentials(localHosts, Date.now() - 3640 * dayMs)
    cluster = await startCluster(['--memory'], folder)
    await cluster.end('SIGTERM')
    for (const [name, pair] of [
      ['ca', old.authority],
      ['server', old.server],
      ['admin', old.admin],
    ] as const) {
      writeFileSync(join(folder, `credentials/${name}.key`), pair.key)
      writeFileSync(join(folder, `credentials/${name}.crt`), pair.certificate)
    }
    cluster = await startCluster(['--memory'], folder)
    const kubeconfig = readFileSync(cluster.kubeconfig, 'utf8')
    for (const field of ['certificate-authority-data', 'client-certificate-data']) {
      const pem = Buffer.from(new RegExp(`${field}: (\\S+)`).exec(kubeconfig)![1]!, 'base64')
      expect(Date.parse(new X509Certificate(pem).validTo)).toBeGreaterThan(Date.now() + 3600 * dayMs)
    }
    // Clients that trust the old CA still trust the server.
    const certificate = await serverCertificate('127.0.0.1', Number(new URL(cluster.url).port), old.authority.certificate)
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 3600 * dayMs)
  })

  it('are refused with an empty token file, in one line', async () => {
    cluster = await startCluster(['--memory'])
    await cluster.end('SIGTERM')
    writeFileSync(join(cluster.folder, 'credentials/token'), '')
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [command, 'up', '--memory', '--port', '0', '--data-dir', cluster.folder],
      {
        encoding: 'utf8',
      },
    )
    rmSync(cluster.folder, { recursive: true })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^\w+: Cannot use token file "\S+token": it is empty\. Restore it, or delete the folder for new credentials\.\n$/,
    )
  })
})
