// `rollcall pacer` with its admission on `rollcall up`, as in the quick start of docs/pacer.md: manifests | kubectl apply, every way to
// opt in, status, and the removal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, until } from '../real-cluster/running-command.ts'
import { freePort } from './free-port.ts'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const key = 'rollcall.dev/pod-replacement-policy'
const gate = 'schedulingGates: [{ name: rollcall.dev/pacer }]'

/** Its pods do not terminate until the test ends them, and hold up their replacements until then. */
const deployment = (namespace: string, name: string, { annotations = '', spec = '' } = {}) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace}, annotations: {${annotations}} }
spec:
  replicas: 0
  strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} }, annotations: { rollcall.dev/hang: "true" } }
    spec: { containers: [{ name: web, image: "example/web:1" }]${spec === '' ? '' : `, ${spec}`} }
`

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
    readonly spec: { readonly schedulingGates?: readonly { readonly name: string }[]; readonly nodeName?: string }
  }[]
}

describe.skipIf(kubectlMinor() === undefined)('rollcall pacer on rollcall up', () => {
  let cluster: RunningCluster
  let pacer: ReturnType<typeof run> | undefined
  const kubectl = async (args: string, input?: string): Promise<string> => {
    const { code, stdout, stderr } = await kubectlFor(cluster)(args, input)
    if (code !== 0) throw new Error(`kubectl ${args} ended with ${code}: ${stderr}`)
    return stdout
  }
  const rollcall = async (...args: readonly string[]): Promise<string> => {
    const started = run([...args])
    expect([await started.ended, started.output()]).toEqual([0, expect.anything()])
    return started.output()
  }
  const startPacer = async (...flags: readonly string[]) => {
    pacer = run(['pacer', ...onCluster(), '--health-address', '0', '--leader-elect-resource-namespace', 'kube-system', ...flags])
    await pacer.prints('"leading"')
  }
  const onCluster = () => ['--kubeconfig', cluster.kubeconfig]
  const pods = async (namespace: string, app: string) =>
    (JSON.parse(await kubectl(`get pods -n ${namespace} -l app=${app} -o json`)) as PodList).items
  type Item = PodList['items'][number]
  const isGated = ({ spec }: Item) => spec.schedulingGates?.some(({ name }) => name === 'rollcall.dev/pacer') ?? false
  const isTerminating = ({ metadata }: Item) => metadata.deletionTimestamp !== undefined

  beforeAll(async () => {
    // Rollcall's controllers read the annotation as the field. Here they behave as those of Kubernetes.
    cluster = await startCluster(['--memory', '--nodes', '2', '--feature-gates', 'DeploymentPodReplacementPolicy=false'])
    for (const [name, label] of [
      ['labelled', `${key}=TerminationComplete`],
      ['plain', 'example=plain'],
    ]) {
      await kubectl(`create namespace ${name}`)
      await kubectl(`label namespace ${name} ${label}`)
    }
  }, 120_000)
  afterAll(async () => {
    await pacer?.end('SIGKILL')
    await cluster?.stop()
  })

  const workloads = [
    { namespace: 'labelled', name: 'by-label', choices: {}, isPaced: true },
    { namespace: 'plain', name: 'by-annotation', choices: { annotations: `${key}: TerminationComplete` }, isPaced: true },
    { namespace: 'plain', name: 'by-template', choices: { spec: gate }, isPaced: true },
    { namespace: 'plain', name: 'not-at-all', choices: {}, isPaced: false },
    { namespace: 'labelled', name: 'opted-out', choices: { annotations: `${key}: TerminationStarted` }, isPaced: false },
  ] as const

  /** Whether the admission adds the gate to a pod of the Deployment. Nothing is created. */
  const getsGate = async (namespace: string, name: string): Promise<boolean> => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${name}-abc`, uid: 'some', controller: true }
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { name: 'dry', namespace, labels: { 'pod-template-hash': 'abc' }, ownerReferences: [owner] },
      spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
    }
    return isGated(JSON.parse(await kubectl('create --dry-run=server -o json -f -', JSON.stringify(pod))) as Item)
  }

  it('holds back the pods of those that ask for it, says who waits, and leaves no gate behind', { timeout: 120_000 }, async () => {
    await kubectl('apply -f -', await rollcall('pacer', 'manifests'))
    await startPacer()
    const each = (act: (workload: (typeof workloads)[number]) => Promise<unknown>) => Promise.all(workloads.map(act))
    await kubectl('apply -f -', workloads.map(({ namespace, name, choices }) => deployment(namespace, name, choices)).join('---\n'))
    await until('the admission knows the annotations', () => getsGate('plain', 'by-annotation'))
    await until('the admission knows who is out', async () => !(await getsGate('labelled', 'opted-out')))
    await each(({ namespace, name }) => kubectl(`scale -n ${namespace} deployment/${name} --replicas=2`))
    await each(({ namespace, name }) => kubectl(`rollout status -n ${namespace} deployment/${name} --timeout=60s`))
    await each(async ({ namespace, name }) => {
      const [first] = await pods(namespace, name)
      await kubectl(`delete pod -n ${namespace} ${first!.metadata.name} --wait=false`)
    })
    // All replacements exist. Those of workloads that did not opt in run.
    await each(({ namespace, name, isPaced }) =>
      until(`${name} has its replacement`, async () => {
        const all = await pods(namespace, name)
        return all.length === 3 && all.some((pod) => (isPaced ? isGated(pod) : pod.spec.nodeName === undefined)) === isPaced
      }),
    )
    const waiting = await rollcall('pacer', 'status', '--all-namespaces', ...onCluster())
    expect(
      waiting
        .match(/^Deployment \S+: 1 waiting .* 2 of 2 admitted$/gm)
        ?.map((line) => line.split(':')[0])
        .sort(),
    ).toEqual(['Deployment labelled/by-label', 'Deployment plain/by-annotation', 'Deployment plain/by-template'])
    // When one of them has terminated, its replacement runs.
    const gone = (await pods('labelled', 'by-label')).find(isTerminating)!
    await kubectl(`delete pod -n labelled ${gone.metadata.name} --grace-period=0 --force`)
    await until('the replacement is released', async () =>
      (await pods('labelled', 'by-label')).every(({ spec }) => spec.nodeName !== undefined),
    )

    await kubectl('delete -f -', await rollcall('pacer', 'manifests'))
    await pacer!.end('SIGTERM')
    // Once the template has no gate, the Deployment may delete the waiting pod of the old template before it is released.
    expect(await rollcall('pacer', 'release', '--all', '--templates', ...onCluster())).toMatch(
      /^Took the gate out of the pod template of Deployment plain\/by-template\.\nReleased (1 pod|2 pods) in all namespaces\.\n$/,
    )
    const everything = (JSON.parse(await kubectl('get pods -A -o json')) as PodList).items
    expect(everything.filter((pod) => isGated(pod) && !isTerminating(pod))).toEqual([])
    expect(await Promise.all([getsGate('labelled', 'by-label'), getsGate('plain', 'by-annotation')])).toEqual([false, false])
  })

  it('adds the gate with a webhook that the pacer serves, until it is removed', { timeout: 120_000 }, async () => {
    const address = `127.0.0.1:${await freePort()}`
    const manifests = await rollcall('pacer', 'manifests', '--admission', 'webhook', '--webhook-url', `https://${address}`)
    await kubectl('apply -f -', manifests)
    await startPacer('--admission', 'webhook', '--webhook-address', address, '--webhook-hosts', '127.0.0.1')
    const gates = () =>
      Promise.all([
        ...[getsGate('labelled', 'by-label'), getsGate('plain', 'by-annotation')],
        ...[getsGate('plain', 'not-at-all'), getsGate('labelled', 'opted-out')],
      ])
    await until('those who ask get the gate', async () => JSON.stringify(await gates()) === '[true,true,false,false]')
    await kubectl('delete -f -', manifests)
    expect(await gates()).toEqual([false, false, false, false])
  })
})
