// The programs that controller-runtime's envtest starts, with its flags.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubernetes } from '../../src/api/machinery/kubernetes-version.ts'
import { createAuthority, createCertificate } from '../../src/cluster/credentials/certificates.ts'
import { freePort } from './free-port.ts'
import { command, kubectlMinor } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-envtest-'))
const assets = join(folder, 'assets')
const authority = createAuthority('envtest', Date.now())
const serving = createCertificate(authority, { commonName: 'localhost', use: 'server', hosts: ['127.0.0.1', 'localhost'] }, Date.now())
const admin = createCertificate(authority, { commonName: 'admin', organizations: ['system:masters'], use: 'client' }, Date.now())
const running: ChildProcess[] = []

beforeAll(() => {
  const { status, stdout } = spawnSync(process.execPath, [command, 'envtest', 'assets', assets], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining(`KUBEBUILDER_ASSETS=${assets} go test ./...`)])
  writeFileSync(join(folder, 'apiserver.crt'), serving.certificate)
  writeFileSync(join(folder, 'apiserver.key'), serving.key)
  writeFileSync(join(folder, 'client-ca.crt'), authority.certificate)
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function startApiServer(environment: Readonly<Record<string, string>> = {}, plugins = '--disable-admission-plugins=ServiceAccount') {
  const port = await freePort()
  const child = spawn(
    join(assets, 'kube-apiserver'),
    [
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${folder}`,
      `--client-ca-file=${join(folder, 'client-ca.crt')}`,
      plugins,
      '--etcd-servers=http://127.0.0.1:1',
      `--secure-port=${port}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      '--some-new-flag=1',
    ],
    { env: { ...process.env, ...environment } },
  )
  running.push(child)
  let output = ''
  child.stderr.on('data', (piece) => {
    output += piece
  })
  while (!output.includes('in place of kube-apiserver')) await once(child.stderr, 'data')
  const ask = (
    method: string,
    path: string,
    body?: object,
    certificate: { cert?: string; key?: string } = { cert: admin.certificate, key: admin.key },
  ) =>
    new Promise<{ code: number; json: () => never; text: string }>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          ca: serving.certificate + authority.certificate,
          agent: false,
          headers: { 'content-type': 'application/json' },
          ...certificate,
        },
        (response) => {
          let text = ''
          response.on('data', (piece) => {
            text += piece
          })
          response.on('end', () => resolve({ code: response.statusCode ?? 0, text, json: () => JSON.parse(text) as never }))
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const end = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { ask, end, output: () => output }
}

describe('rollcall envtest', () => {
  it('prints help without flags of old versions', () => {
    const { status, stdout } = spawnSync(join(assets, 'kube-apiserver'), ['--help'], { encoding: 'utf8' })
    expect([status, /^ *--insecure-port/m.test(stdout), stdout.includes('--secure-port')]).toEqual([0, false, true])
  })

  it('prints the version of Kubernetes as kube-apiserver does, whatever the flags of rollcall itself', () => {
    const { status, stdout, stderr } = spawnSync(join(assets, 'kube-apiserver'), ['--version'], { encoding: 'utf8' })
    expect([status, stdout, stderr]).toEqual([0, `Kubernetes ${kubernetes.version}\n`, ''])
  })

  it('lists the programs as JSON', () => {
    const directory = join(folder, 'listed')
    const { status, stdout } = spawnSync(process.execPath, [command, 'envtest', 'assets', directory, '-o', 'json'], { encoding: 'utf8' })
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      {
        directory,
        files: ['kube-apiserver', 'etcd', 'kubectl'].map((name) => join(directory, name)),
        kubernetes: kubernetes.version,
        environment: { KUBEBUILDER_ASSETS: directory },
      },
    ])
  })

  it('answers for etcd', async () => {
    expect(spawnSync(join(assets, 'etcd'), ['--help'], { encoding: 'utf8' }).status).toBe(0)
    const port = await freePort()
    const child = spawn(join(assets, 'etcd'), [`--listen-client-urls=http://127.0.0.1:${port}`, '--data-dir=/nowhere', '--unsafe-no-fsync'])
    running.push(child)
    const health = () =>
      new Promise<number>((resolve) => {
        get(`http://127.0.0.1:${port}/health`, (response) => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0))
      })
    while ((await health()) !== 200) await once(setTimeoutEvent(), 'done')
    child.kill('SIGTERM')
    await once(child, 'exit')
  })

  it('runs the ServiceAccount plugin where it is enabled, and no other', async () => {
    const { ask, end, output } = await startApiServer({}, '--enable-admission-plugins=NodeRestriction,ServiceAccount')
    expect(output()).toContain('note: Rollcall ignores NodeRestriction in --enable-admission-plugins.')
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', image: 'x' }], serviceAccountName: 'bot' },
    }
    expect((await ask('POST', '/api/v1/namespaces/default/pods', pod)).text).toContain('error looking up service account default/bot')
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot' } }
    expect((await ask('POST', '/api/v1/namespaces/default/serviceaccounts', account)).code).toBe(201)
    expect((await ask('POST', '/api/v1/namespaces/default/pods', pod)).text).toContain('"name":"kube-api-access-')
    await end()
  })

  it('serves an API without controllers, with the certificates that it is given', async () => {
    const { ask, end, output } = await startApiServer()
    expect(output()).toContain('note: Rollcall ignores --some-new-flag.')
    expect((await ask('GET', '/healthz', undefined, {})).text).toBe('ok')
    expect((await ask('GET', '/api/v1/namespaces', undefined, {})).code).toBe(403)
    expect((await ask('GET', '/api/v1/namespaces/default')).code).toBe(200)
    const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' }
    const schema = {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
    }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: { group: 'example.com', names, scope: 'Namespaced', versions: [{ name: 'v1', served: true, storage: true, schema }] },
    }
    expect((await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).code).toBe(201)
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } }
    expect((await ask('POST', '/apis/example.com/v1/namespaces/default/widgets', widget)).code).toBe(201)
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } }
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } }
    expect((await ask('POST', '/apis/apps/v1/namespaces/default/deployments', deployment)).code).toBe(201)
    expect((await ask('GET', '/apis/apps/v1/namespaces/default/replicasets')).json()).toMatchObject({ items: [] })
    await end()
  })

  it('runs controllers and nodes where the tests ask for them', async () => {
    const { ask, end } = await startApiServer({ ROLLCALL_CONTROLLERS: 'all' })
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } }
    const deployment = { metadata: { name: 'd' }, spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template } }
    await ask('POST', '/apis/apps/v1/namespaces/default/deployments', deployment)
    const ready = async () =>
      ((await ask('GET', '/apis/apps/v1/namespaces/default/deployments/d')).json() as { status: { readyReplicas?: number } }).status
        .readyReplicas
    while ((await ready()) !== 2) await once(setTimeoutEvent(), 'done')
    await end()
  })

  it.skipIf(kubectlMinor() === undefined)('is a kubectl, too', () => {
    expect(spawnSync(join(assets, 'kubectl'), ['version', '--client'], { encoding: 'utf8' }).stdout).toContain('Client Version')
    expect(readFileSync(join(assets, 'kubectl'), 'utf8')).toContain('#!/bin/sh')
  })
})

function setTimeoutEvent(): EventTarget {
  const target = new EventTarget()
  setTimeout(() => target.dispatchEvent(new Event('done')), 50)
  return target
}
