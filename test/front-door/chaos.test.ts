// Fault injection as a user does it: `rollcall chaos` with the real kubectl.
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endOf, outputOf } from './ended-process.ts'
import { command, kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 1}]
      containers: [{name: web, image: nginx}]
`

describe.skipIf(kubectlMinor() === undefined)('rollcall chaos', () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(args, input))
  const chaos = (args: string, kubeconfig = cluster.kubeconfig) =>
    endOf(
      spawn(process.execPath, [command, 'chaos', ...args.split(' ')], {
        cwd: cluster.folder,
        env: { ...process.env, HOME: cluster.folder, KUBECONFIG: kubeconfig },
      }),
    )
  const done = (args: string) => outputOf(`rollcall chaos ${args}`, chaos(args))
  const podOn = (node: string) => ok(`get pods -l app=web --field-selector spec.nodeName=${node} -o jsonpath='{.items[0].metadata.name}'`)

  beforeAll(async () => {
    cluster = await startCluster(['--memory', '--nodes', '4', '--node-monitor-grace-period', '5s'])
    kubectl = kubectlFor(cluster)
    await ok('wait --for=condition=Ready node --all --timeout=60s')
    await ok('create -f -', web)
    await ok('rollout status deployment/web --timeout=60s')
  }, 120_000)
  afterAll(() => cluster?.stop())

  it('removes a node, whose pods are recreated on others, and restores it', async () => {
    const pod = await podOn('node-1')
    expect(await done('node node-1 down')).toMatch(/^node-1 is down \(f\d+\)\n$/)
    await ok('wait --for=condition=Ready=Unknown node/node-1 --timeout=60s')
    await ok(`wait --for=jsonpath='{.metadata.deletionTimestamp}' pod/${pod} --timeout=60s`)
    await ok('rollout status deployment/web --timeout=60s')
    expect(await ok('get nodes node-1 --no-headers')).toMatch(/^node-1\s+NotReady /)
    await expect
      .poll(() => ok('describe node node-1'))
      .toMatch(/Taints:\s+node\.kubernetes\.io\/unreachable:NoExecute\s+node\.kubernetes\.io\/unreachable:NoSchedule/)
    expect(await ok(`get pod ${pod} --no-headers`)).toMatch(/ Terminating /)
    await expect.poll(() => ok('get events')).toContain(`Marking for deletion Pod default/${pod}`)
    expect(await done('list')).toMatch(/ID {3,}TARGET {3,}FAULT {3,}.*\nf\d+ {3,}node\/node-1 {3,}down /)
    expect(await done('node node-1 up')).toBe('node-1 is back\n')
    await ok(`wait --for=delete pod/${pod} --timeout=60s`)
    await ok('wait --for=condition=Ready node/node-1 --timeout=60s')
    expect(await done('list')).toBe('There are no active faults.\n')
    await ok('delete node node-1')
    expect(await done('node node-1 up')).toBe('node-1 registers again\n')
    await expect.poll(() => ok('get nodes')).toContain('node-1')
    await ok('wait --for=condition=Ready node/node-1 --timeout=60s')
  }, 180_000)

  it('makes a pod hang until the fault ends', async () => {
    const pod = await podOn('node-2')
    await done(`pod ${pod} hang`)
    await ok(`delete pod ${pod} --wait=false`)
    await ok('rollout status deployment/web --timeout=60s')
    expect((await kubectl(`wait --for=delete pod/${pod} --timeout=2s`)).code).toBe(1)
    expect(await done(`pod ${pod} recover`)).toBe(`pod default/${pod} has no faults any more\n`)
    await ok(`wait --for=delete pod/${pod} --timeout=60s`)
  }, 180_000)

  it('makes the API server refuse requests for a time, but never those of rollcall chaos', async () => {
    await done('api refuse --agent kubectl --for 10m')
    const refused = await kubectl('get pods')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Error from server (ServiceUnavailable): the server is currently unable to handle the request'),
    ])
    expect((await cluster.ask('GET', '/readyz')).code).toBe(200)
    expect(await done('clear')).toBe('1 fault cleared.\n')
    await ok('get pods')
  }, 180_000)

  it('stops a controller, and starts it again', async () => {
    await done('controller replicaset-controller stop')
    await ok('scale deployment/web --replicas=5')
    expect((await kubectl('rollout status deployment/web --timeout=1s')).code).toBe(1)
    expect(await done('controller replicaset-controller start')).toBe('replicaset-controller runs again\n')
    await ok('rollout status deployment/web --timeout=60s')
  }, 180_000)

  for (const [args, line] of [
    ['node nope down', 'error: there is no simulated node "nope". List the nodes with kubectl get nodes.\n'],
    [
      'pod nope crash',
      'error: there is no pod default/nope on a simulated node. List the pods with kubectl get pods -n default -o wide.\n',
    ],
    ['controller nope stop', expect.stringMatching(/^error: there is no controller "nope". The controllers are .*job-controller.*\n$/)],
    ['api slow --kind cars', 'error: there is no kind "cars".\n'],
  ] as const)
    it(`answers "${args}" with one line, and 2`, async () => expect(await chaos(args)).toEqual({ code: 2, stdout: '', stderr: line }))

  it('reports that the server cannot be reached, or is not Rollcall', async () => {
    const missing = await chaos('list', `${cluster.folder}/nothing`)
    expect([missing.code, missing.stderr.split('\n').length]).toEqual([2, 2])
    expect(missing.stderr).toContain('Cannot read kubeconfig')
  })

  it('requires system:masters', async () => {
    const path = '/rollcall/v1/faults'
    expect((await cluster.ask('GET', path, undefined, { authorization: 'Bearer wrong' })).code).toBe(401)
    expect((await cluster.ask('GET', path, undefined, { 'impersonate-user': 'bob' })).code).toBe(403)
    expect((await cluster.ask('GET', path)).json).toMatchObject({ items: [] })
  })
})
