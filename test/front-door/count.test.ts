// `rollcall count` and `rollcall wait` on a running cluster.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let cluster: RunningCluster
beforeAll(async () => {
  cluster = await startCluster(['--memory', '--nodes', '3'])
  const spec = {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    strategy: { rollingUpdate: { maxSurge: 1 } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/stop-delay': '12s', 'rollcall.dev/ready-delay': '0s' } },
      spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
    },
  }
  const { code } = await cluster.ask('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'web' }, spec })
  expect(code).toBe(201)
})
afterAll(() => cluster.stop())

function start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended>; printed(): string } {
  const child = spawn(process.execPath, [command, ...args], { env: { ...process.env, KUBECONFIG: cluster.kubeconfig } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return { child, printed: () => stdout, ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr })) }
}

const rollcall = (args: string) => start(...args.split(' ')).ended

async function setImage(image: string): Promise<void> {
  const patch = { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } }
  const headers = { 'content-type': 'application/strategic-merge-patch+json' }
  expect((await cluster.ask('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', patch, headers)).code).toBe(200)
}

const liveImages = async () => {
  const { items } = (await cluster.ask('GET', '/api/v1/namespaces/default/pods')).json as {
    readonly items: readonly { readonly spec: { readonly containers: readonly { readonly image: string }[] } }[]
  }
  return items.map(({ spec }) => spec.containers[0]!.image)
}

describe('a rollout', () => {
  it('is waited for until its last old pod has terminated', async () => {
    expect(await rollcall('wait deployment/web --timeout 1m')).toMatchObject({ code: 0, stderr: '' })
    await setImage('example/web:2')
    const { code, stdout } = await rollcall('wait deployment/web --timeout 1m')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^deployment\/web: .*[1-4] terminating \(web-\S+ for \d+s of a grace period of 30s\)$/m)
    expect(stdout).toMatch(/\ndeployment\/web is complete, and no old pod is left, after [\d.]+s\.\n$/)
    expect(await liveImages()).toEqual(['example/web:2', 'example/web:2', 'example/web:2', 'example/web:2'])
  })

  it('is counted with its terminating pods, once and as it changes', async () => {
    const watching = start('count', 'deployment/web', '--watch')
    await setImage('example/web:3')
    const timedOut = await rollcall('wait deployment/web --timeout 3s')
    expect(timedOut.code).toBe(1)
    expect(timedOut.stderr).toMatch(/^error: Timed out after 3s: deployment\/web: .* terminating /)
    const { stdout } = await rollcall('count -A')
    expect(stdout).toMatch(/^NAMESPACE +WORKLOAD +REPLICAS +CAP +PODS +READY +OLD +TERMINATING +OVER CAP +NODES\n/)
    expect(stdout).toMatch(/^default +deployment\/web +4 +5 +[6-8] +\d +\d +[1-4] +\+[1-3] +3$/m)
    expect(stdout).toContain('of them terminating')
    const { workloads } = JSON.parse((await rollcall('count --output json')).stdout) as { readonly workloads: readonly object[] }
    expect(workloads).toMatchObject([{ kind: 'Deployment', name: 'web', replicas: 4, cap: 5, namespace: 'default', isSettled: false }])
    expect((await rollcall('wait --timeout 1m -q')).stdout).toBe('')
    await expect.poll(() => watching.printed(), { timeout: 20_000 }).toMatch(/deployment\/web +4 +5 +4 +4 +0 +0 +0 +3\n$/)
    watching.child.kill('SIGINT')
    expect(await watching.ended).toMatchObject({ code: 0, stderr: '' })
    expect(watching.printed().match(/WORKLOAD/g)).toHaveLength(1)
  })

  it('is not complete when the workload is deleted', async () => {
    const spec = {
      selector: { matchLabels: { app: 'short' } },
      template: {
        metadata: { labels: { app: 'short' } },
        spec: { nodeSelector: { none: 'such' }, containers: [{ name: 'a', image: 'a' }] },
      },
    }
    const path = '/apis/apps/v1/namespaces/default/deployments'
    expect((await cluster.ask('POST', path, { metadata: { name: 'short' }, spec })).code).toBe(201)
    const waiting = start('wait', 'deployment/short')
    await expect.poll(() => waiting.printed(), { timeout: 20_000 }).toContain('deployment/short: ')
    expect((await cluster.ask('DELETE', `${path}/short`)).code).toBe(200)
    const { code, stderr } = await waiting.ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: Deployment/short was deleted while it was waited for.\n' })
  })

  it.each([
    [
      'too little room',
      'large',
      { requests: { cpu: '1000' } },
      /deployment\/large: .*Unschedulable: 0\/3 nodes are available: 3 Insufficient cpu/,
    ],
    ['a quota', 'refused', {}, /deployment\/refused: .*FailedCreate: pods "refused-\S+" is forbidden: exceeded quota: none/],
  ])('times out because of %s, which the error names', async (_name, namespace, resources, cause) => {
    expect((await cluster.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } })).code).toBe(201)
    const quota = { metadata: { name: 'none' }, spec: { hard: { pods: namespace === 'refused' ? '0' : '9' } } }
    expect((await cluster.ask('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, quota)).code).toBe(201)
    const labels = { app: namespace }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a', resources }] } }
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`
    expect(
      (await cluster.ask('POST', path, { metadata: { name: namespace }, spec: { selector: { matchLabels: labels }, template } })).code,
    ).toBe(201)
    const { code, stderr } = await rollcall(`wait deployment/${namespace} -n ${namespace} --timeout 5s`)
    expect(code).toBe(1)
    expect(stderr).toMatch(cause)
  })

  it('is not held up by Jobs that failed before, unless they are named', async () => {
    const spec = {
      backoffLimit: 0,
      activeDeadlineSeconds: 1,
      template: {
        metadata: { annotations: { 'rollcall.dev/stop-delay': '0s' } },
        spec: { restartPolicy: 'Never', nodeSelector: { none: 'such' }, containers: [{ name: 'a', image: 'a' }] },
      },
    }
    const namespace = { metadata: { name: 'jobs' } }
    expect((await cluster.ask('POST', '/api/v1/namespaces', namespace)).code).toBe(201)
    expect((await cluster.ask('POST', '/apis/batch/v1/namespaces/jobs/jobs', { metadata: { name: 'late' }, spec })).code).toBe(201)
    const failed = await rollcall('wait job/late -n jobs --timeout 1m')
    expect(failed.stderr).toMatch(/^error: job\/late has failed: DeadlineExceeded/)
    expect((await rollcall('wait job/late -n jobs')).code).toBe(1)
    expect(await rollcall('wait -n jobs --timeout 10s')).toMatchObject({ code: 0, stderr: '' })
  })

  it('is no longer watched when the reader of the pipe has left', async () => {
    const watching = start('count', '--watch', '--output', 'json')
    await expect.poll(() => watching.printed(), { timeout: 20_000 }).toContain('rollcall.count/1')
    watching.child.stdout!.destroy()
    await setImage('example/web:5')
    expect((await watching.ended).code).toBe(0)
  })

  it('ends with 130 on Ctrl-C', async () => {
    await setImage('example/web:4')
    const waiting = start('wait', 'deployment/web')
    await expect.poll(() => waiting.printed(), { timeout: 20_000 }).toContain('deployment/web: ')
    waiting.child.kill('SIGINT')
    expect((await waiting.ended).code).toBe(130)
  })
})

describe('wrong input', () => {
  it('is the ReplicaSet of a Deployment', async () => {
    const { items } = (await cluster.ask('GET', '/apis/apps/v1/namespaces/default/replicasets')).json as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[]
    }
    const { name } = items[0]!.metadata
    const { stderr } = await rollcall(`count replicaset/${name}`)
    expect(stderr).toBe(`error: ReplicaSet/${name} is part of Deployment/web. Name the Deployment instead.\n`)
  })

  it.each([
    [
      'a workload that does not exist',
      'wait deployment/wob',
      1,
      /^error: Deployment\/wob does not exist in namespace default\. Did you mean web\?\n$/,
    ],
    ['a workload that does not exist', 'count statefulset/db', 1, /^error: StatefulSet\/db does not exist in namespace default\.\n$/],
    [
      'a workload without the labels',
      'count deployment/web -l a=b',
      1,
      /^error: Deployment\/web does not have the labels of --selector\.\n$/,
    ],
    ['a kind without pods', 'count service/web', 2, /^error: "service\/web" is not a workload\. The kinds of workloads are Deployment, /],
    ['a name without a kind', 'wait web', 2, /^error: "web" is not a workload\. Write kind\/name, such as deployment\/web\.\n$/],
    ['a bad selector', 'count -l a=b=c', 2, /^error: --selector: /],
    ['a bad timeout', 'wait --timeout 5', 2, /^error: .*Write a duration such as /],
    [
      'a namespace without workloads',
      'wait -n kube-node-lease',
      1,
      /^error: There are no such workloads in namespace kube-node-lease\.\n$/,
    ],
    ['a kubeconfig that does not exist', 'count --kubeconfig /nowhere', 2, /^error: /],
  ])('is refused in one line: %s (%#)', async (_, args, code, message) => {
    const ended = await rollcall(args)
    expect(ended.stderr).toMatch(message)
    expect(ended).toMatchObject({ code, stdout: '' })
  })
})
