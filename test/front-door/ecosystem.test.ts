// Tools and libraries of the ecosystem from their registries, against a running cluster: Helm 3 and 4, Python's client, kopf, and Prometheus' service
// discovery. scripts/install-ecosystem.sh installs them.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCluster, root, startCluster } from './running-cluster.ts'

const tools = process.env['ROLLCALL_ECOSYSTEM']
const source = join(root, 'test/ecosystem')
let cluster: RunningCluster

const isSkipped = tools === undefined
beforeAll(async () => {
  if (!isSkipped) cluster = await startCluster(['--memory', '--nodes', '2'])
}, 60_000)
afterAll(() => cluster?.stop())

const run = (program: string, ...words: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      ...process.env,
      KUBECONFIG: cluster.kubeconfig,
      HELM_CACHE_HOME: cluster.folder,
      HELM_CONFIG_HOME: cluster.folder,
      KUBECACHEDIR: cluster.folder,
    }
    execFile(program, words, { env, timeout: 90_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }),
    )
  })
const read = async (path: string) => (await cluster.ask('GET', path)).json as Record<string, never>
const create = (path: string, body: object) => cluster.ask('POST', path, body)

describe.skipIf(isSkipped)('Helm', () => {
  const versions = [
    ['3', process.env['ROLLCALL_HELM'] ?? 'helm'],
    ['4', join(tools ?? '', 'helm-4')],
  ] as const
  it.each(versions)(
    '%s installs, upgrades, rolls back and uninstalls, with hooks and --wait',
    { timeout: 120_000 },
    async (version, helm) => {
      const namespace = `helm${version}`
      const call = async (...words: string[]) => {
        const { code, output } = await run(helm, ...words, '--namespace', namespace)
        expect(code, output).toBe(0)
        return output
      }
      const deployment = async () => {
        const { spec, status } = (await read(`/apis/apps/v1/namespaces/${namespace}/deployments/shop`)) as never as {
          spec: { replicas: number; template: { spec: { containers: { image: string }[] } } }
          status: { readyReplicas: number }
        }
        return [spec.template.spec.containers[0]!.image, spec.replicas, status.readyReplicas]
      }
      const chart = join(source, 'chart')
      await call('install', 'shop', chart, '--create-namespace', '--wait', '--timeout', '60s')
      expect(await deployment()).toEqual(['nginx:1.29', 2, 2])
      await call('upgrade', 'shop', chart, '--set', 'image=nginx:1.30,replicas=3', '--wait', '--timeout', '60s')
      expect(await deployment()).toEqual(['nginx:1.30', 3, 3])
      const broken = await run(helm, 'upgrade', 'shop', chart, '--set', 'hookFails=true', '--timeout', '30s', '--namespace', namespace)
      expect([broken.code, broken.output]).toEqual([1, expect.stringContaining('pre-upgrade hooks failed')])
      await call('rollback', 'shop', '1', '--wait', '--timeout', '60s')
      expect(await deployment()).toEqual(['nginx:1.29', 2, 2])
      expect(await call('history', 'shop')).toMatch(/superseded.*\n.*superseded.*\n.*failed.*\n.*deployed/)
      await call('uninstall', 'shop', '--wait', '--timeout', '60s')
      expect(await read(`/apis/apps/v1/namespaces/${namespace}/statefulsets/store`)).toMatchObject({ code: 404 })
    },
  )
})

describe.skipIf(isSkipped)('Python', () => {
  const python = join(tools ?? '', 'python/bin/python')

  it("works with the official client's objects, watches and dynamic client", { timeout: 60_000 }, async () => {
    expect(await run(python, join(source, 'client.py'), cluster.kubeconfig)).toEqual({ code: 0, output: 'ok\n' })
  })

  it('runs an operator with kopf', { timeout: 90_000 }, async () => {
    const names = { plural: 'greetings', singular: 'greeting', kind: 'Greeting' }
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }]
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'greetings.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions },
    })
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfig }
    const operator: ChildProcess = spawn(python, ['-m', 'kopf', 'run', '--namespace', 'default', join(source, 'greetings.py')], { env })
    let output = ''
    operator.stderr?.on('data', (piece) => {
      output += piece
    })
    try {
      const path = '/apis/example.com/v1/namespaces/default/greetings'
      await create(path, { apiVersion: 'example.com/v1', kind: 'Greeting', metadata: { name: 'a' }, spec: { who: 'world' } })
      const maps = '/api/v1/namespaces/default/configmaps'
      await expect.poll(() => read(`${maps}/a`), { timeout: 40_000, message: output }).toMatchObject({ data: { text: 'Hello, world!' } })
      const patch = { 'content-type': 'application/merge-patch+json' }
      await cluster.ask('PATCH', `${path}/a`, { spec: { who: 'you' } }, patch)
      await expect.poll(() => read(`${maps}/a`)).toMatchObject({ data: { text: 'Hello, you!' } })
      await expect.poll(() => read(`${path}/a`)).toMatchObject({ status: { greet: { greeted: 'you' } } })
      await cluster.ask('DELETE', `${path}/a`)
      await expect.poll(() => read(`${maps}/a-forgotten`)).toMatchObject({ kind: 'ConfigMap' })
      // The garbage collector removes what the object owned.
      await expect.poll(() => read(`${maps}/a`)).toMatchObject({ code: 404 })
    } finally {
      operator.kill('SIGKILL')
      await once(operator, 'close')
    }
  })
})

describe.skipIf(isSkipped)('Prometheus', () => {
  it('discovers targets of all roles', { timeout: 60_000 }, async () => {
    const labels = { app: 'scraped' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] } }
    await create('/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'scraped' },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    })
    await create('/api/v1/namespaces/default/services', {
      metadata: { name: 'scraped' },
      spec: { selector: labels, ports: [{ port: 80 }] },
    })
    await create('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
      metadata: { name: 'scraped' },
      spec: { rules: [{ host: 'scraped.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    })
    const { code, output } = await run(join(tools!, 'prometheus'), cluster.kubeconfig, 'scraped')
    expect(code, output).toBe(0)
    const found = JSON.parse(output.split('\n')[0]!) as Record<string, string[]>
    expect(Object.keys(found).sort()).toEqual(['endpoints', 'endpointslice', 'ingress', 'node', 'pod', 'service'])
    expect(found).toMatchObject({ service: ['scraped.default.svc:80'], ingress: ['scraped.example.com'] })
    expect(found['pod']![0]).toMatch(/^10\.\d+\.\d+\.\d+:80$/)
  })
})

const backend = { service: { name: 'scraped', port: { number: 80 } } }
