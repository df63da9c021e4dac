// Rollouts with the real kubectl, and a fake kubelet that works through the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputOf } from './ended-process.ts'
import { type FakeKubelet, startFakeKubelet } from './fake-kubelet.ts'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

interface Annotated {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
}

describe.skipIf(kubectlMinor() === undefined)('kubectl rollout', { timeout: 180_000 }, () => {
  let cluster: RunningCluster
  let node: FakeKubelet
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(`-n work ${args}`, input))

  beforeAll(async () => {
    cluster = await startCluster()
    kubectl = kubectlFor(cluster)
    await ok('create namespace work')
    node = await startFakeKubelet(cluster, 'work')
  }, 60_000)
  afterAll(async () => {
    await node?.stop()
    await cluster?.stop()
  })

  it('brings a Deployment up, and waits for it', async () => {
    await ok('create deployment web --image=nginx:1 --replicas=3')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('deployment "web" successfully rolled out')
    expect(await ok('wait --for=condition=Available deployment/web --timeout=60s')).toBe('deployment.apps/web condition met\n')
    expect(await ok('get deployment web --no-headers')).toMatch(/^web\s+3\/3\s+3\s+3/)
    expect(await ok('get replicasets -l app=web --no-headers')).toMatch(/^web-[a-z0-9]+\s+3\s+3\s+3/)
  })

  it('sets an image, shows the history, and undoes it', async () => {
    await ok('set image deployment/web nginx=nginx:2')
    await ok('annotate deployment/web kubernetes.io/change-cause=second')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    await expect.poll(() => ok('rollout history deployment/web')).toMatch(/REVISION\s+CHANGE-CAUSE\n1\s+<none>\n2\s+second/)
    expect(await ok('rollout history deployment/web --revision=2')).toContain('nginx:2')
    await ok('rollout undo deployment/web')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    expect(await ok("get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}'")).toBe('nginx:1')
    expect(await ok('rollout history deployment/web')).toMatch(/\n2\s+second\n3\s+<none>/)
  })

  it('keeps the rollcall.dev annotations when it undoes, and removes annotations that an old kubectl copies', async () => {
    const settings = 'rollcall.dev/pod-replacement-policy=TerminationComplete rollcall.dev/operational-threshold=50%'
    const annotationsOf = async (what: string) => (JSON.parse(await ok(`get ${what} -o json`)) as Annotated).metadata.annotations
    const done = () => ok('rollout status deployment/kept --timeout=60s')
    await ok('create deployment kept --image=nginx:1 --replicas=2')
    await done()
    await ok('set image deployment/kept nginx=nginx:2')
    await done()
    await ok(`annotate deployment/kept ${settings}`)
    // The sets are written in the sync that observes the annotations.
    const generation = await ok("get deployment kept -o jsonpath='{.metadata.generation}'")
    await ok(`wait --for=jsonpath='{.status.observedGeneration}'=${generation} deployment/kept --timeout=60s`)
    await ok('rollout undo deployment/kept')
    // As kubectl did before it knew the annotation of a pending scale.
    await ok('annotate deployment/kept deployment.kubernetes.io/replicaset-replicas-before-scale=7')
    await done()
    const annotations = await annotationsOf('deployment kept')
    const expected = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete', 'rollcall.dev/operational-threshold': '50%' }
    expect(annotations).toMatchObject(expected)
    const { items } = JSON.parse(await ok('get replicasets -l app=kept -o json')) as { items: Annotated[] }
    expect(items).toHaveLength(2)
    for (const set of [...items, { metadata: { annotations } }]) {
      expect(set.metadata.annotations).toMatchObject(expected)
      expect(set.metadata.annotations).not.toHaveProperty(['deployment.kubernetes.io/replicaset-replicas-before-scale'])
    }
    await ok('delete deployment kept')
  })

  it('restarts', async () => {
    const before = await ok("get pods -l app=web -o jsonpath='{.items[*].metadata.name}'")
    await ok('rollout restart deployment/web')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    expect(await ok("get pods -l app=web -o jsonpath='{.items[*].metadata.name}'")).not.toBe(before)
  })

  it('pauses and resumes', async () => {
    await ok('rollout pause deployment/web')
    await ok('set image deployment/web nginx=nginx:3')
    await ok('wait --for=jsonpath=\'{.status.conditions[?(@.type=="Progressing")].reason}\'=DeploymentPaused deployment/web --timeout=60s')
    expect(await ok("get pods -l app=web -o jsonpath='{.items[*].spec.containers[0].image}'")).not.toContain('nginx:3')
    await ok('rollout resume deployment/web')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    expect(await ok("get pods -l app=web -o jsonpath='{.items[*].spec.containers[0].image}'")).toContain('nginx:3')
  })

  it('scales up and down', async () => {
    expect(await ok('scale deployment/web --replicas=6')).toBe('deployment.apps/web scaled\n')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    await ok('scale deployment/web --replicas=1')
    await ok("wait --for=jsonpath='{.status.replicas}'=1 deployment/web --timeout=60s")
  })

  it('scales down the pod with the lowest deletion cost first, and refuses a cost that is no number', async () => {
    const podsOf = async () => (await ok("get pods -l app=priced -o jsonpath='{.items[*].metadata.name}'")).split(' ')
    const price = (pod: string, cost: string) => `annotate pod ${pod} controller.kubernetes.io/pod-deletion-cost=${cost}`
    await ok('create deployment priced --image=nginx:1 --replicas=3')
    await ok('rollout status deployment/priced --timeout=60s')
    const [first = '', second = '', third = ''] = await podsOf()
    expect((await kubectl(`-n work ${price(first, 'cheap')}`)).stderr).toContain('must be a 32bit integer')
    expect((await kubectl(`-n work ${price(first, '2147483648')}`)).stderr).toContain('must be a 32bit integer')
    await ok(price(second, '-10'))
    await ok(price(third, '10'))
    await ok('scale deployment/priced --replicas=2')
    await ok(`wait --for=delete pod/${second} --timeout=60s`)
    expect(await podsOf()).toEqual([first, third])
    await ok('scale deployment/priced --replicas=1')
    await ok(`wait --for=delete pod/${first} --timeout=60s`)
    expect(await podsOf()).toEqual([third])
    await ok('delete deployment priced')
  })

  it('reports a rollout that is stuck', async () => {
    node.brokenImage = 'nginx:broken'
    await ok('create deployment stuck --image=nginx:1 --replicas=2')
    await ok('rollout status deployment/stuck --timeout=60s')
    await ok('patch deployment stuck -p \'{"spec":{"progressDeadlineSeconds":1}}\'')
    await ok('set image deployment/stuck nginx=nginx:broken')
    const status = await kubectl('-n work rollout status deployment/stuck --timeout=60s')
    expect(status.code).not.toBe(0)
    expect(status.stderr).toContain('exceeded its progress deadline')
    await ok('patch deployment stuck -p \'{"spec":{"progressDeadlineSeconds":600}}\'')
    expect(await ok('rollout undo deployment/stuck')).toContain('rolled back')
    expect(await ok('rollout status deployment/stuck --timeout=60s')).toContain('successfully rolled out')
  })

  it('stays within replicas + maxSurge under TerminationComplete, and overshoots without it', async () => {
    node.stopMs = 700
    const deployment = (name: string, policy: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 4
  ${policy}
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: nginx, image: 'nginx:1'}]}
`
    await ok('apply -f -', deployment('complete', 'podReplacementPolicy: TerminationComplete'))
    await ok('apply -f -', deployment('default', ''))
    for (const name of ['complete', 'default']) await ok(`rollout status deployment/${name} --timeout=60s`)
    for (const name of ['complete', 'default']) await ok(`set image deployment/${name} nginx=nginx:2`)
    for (const name of ['complete', 'default']) await ok(`rollout status deployment/${name} --timeout=60s`)
    await ok("wait --for=jsonpath='{.status.terminatingReplicas}'=0 deployment/complete deployment/default --timeout=60s")
    expect(node.peaks.get('complete')).toBeLessThanOrEqual(5)
    expect(node.peaks.get('default')).toBeGreaterThan(5)
    node.stopMs = 0
  })

  it('reports what a scale waits for, does not block a new template, and offers a way out', async () => {
    const progressing = (field: string) => `'{.status.conditions[?(@.type=="Progressing")].${field}}'`
    await ok(
      'apply -f -',
      `apiVersion: apps/v1
kind: Deployment
metadata: {name: waiting}
spec:
  replicas: 3
  podReplacementPolicy: TerminationComplete
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  selector: {matchLabels: {app: waiting}}
  template:
    metadata: {labels: {app: waiting}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: nginx, image: 'nginx:1'}]}
`,
    )
    await ok('rollout status deployment/waiting --timeout=60s')
    await ok('patch deployment waiting -p \'{"spec":{"progressDeadlineSeconds":2}}\'')
    node.stopMs = Number.POSITIVE_INFINITY
    await ok('scale deployment/waiting --replicas=2')
    await ok("wait --for=jsonpath='{.status.terminatingReplicas}'=1 deployment/waiting --timeout=60s")
    await ok('scale deployment/waiting --replicas=3')
    await ok(`wait --for=jsonpath=${progressing('reason')}=ProgressDeadlineExceeded deployment/waiting --timeout=60s`)
    const status = await kubectl('-n work rollout status deployment/waiting --timeout=60s')
    expect(status.stderr).toContain('exceeded its progress deadline')
    const text = /Waiting for 1 terminating pod since \S+: waiting-[a-z0-9]+-[a-z0-9]+/
    expect(await ok(`get deployment waiting -o jsonpath=${progressing('message')}`)).toMatch(text)
    expect(await ok("get events --field-selector=reason=WaitingForTermination -o jsonpath='{.items[*].message}'")).toMatch(text)
    const { text: metrics } = await cluster.ask('GET', '/metrics')
    expect(metrics).toMatch(/rollcall_deployment_pending_scale_replicas\{namespace="work",deployment="waiting"\} 1/)
    expect(metrics).toMatch(/rollcall_deployment_termination_wait_seconds\{namespace="work",deployment="waiting"\} [1-9]/)

    await ok('set image deployment/waiting nginx=nginx:2')
    await ok(`wait --for=jsonpath='{.metadata.annotations.deployment\\.kubernetes\\.io/revision}'=2 deployment/waiting --timeout=60s`)
    expect((await ok('get replicasets -l app=waiting -o name')).trim().split('\n')).toHaveLength(2)
    await ok('annotate deployment/waiting rollcall.dev/stuck-termination-timeout=1s')
    await ok("wait --for=jsonpath='{.status.updatedReplicas}'=3 deployment/waiting --timeout=60s")
    await ok(`wait --for=jsonpath=${progressing('reason')}=NewReplicaSetAvailable deployment/waiting --timeout=60s`)
    expect(await ok("get events --field-selector=reason=StuckTermination -o jsonpath='{.items[*].message}'")).toContain(
      'no longer holds room',
    )
    node.stopMs = 0
    await ok('delete deployment waiting')
  })

  it('reports a ReplicaSet that is being deleted and the pod that holds it, and continues when the pod has terminated', async () => {
    await ok('create deployment held --image=nginx:1 --replicas=2')
    await ok('rollout status deployment/held --timeout=60s')
    await ok(`patch deployment held -p '{"spec":{"podReplacementPolicy":"TerminationStarted","progressDeadlineSeconds":2}}'`)
    node.stopMs = Number.POSITIVE_INFINITY
    await ok('delete replicaset -l app=held --cascade=foreground --wait=false')
    await ok('wait --for=condition=Progressing=False deployment/held --timeout=60s')
    const message = await ok(`get deployment held -o jsonpath='{.status.conditions[?(@.type=="Progressing")].message}'`)
    expect(message).toMatch(/Waiting for the deletion of ReplicaSet "held-[a-z0-9]+", which has 2 terminating pods since \S+: held-/)
    const status = await kubectl('-n work rollout status deployment/held --timeout=60s')
    expect(status.stderr).toContain('exceeded its progress deadline')
    await ok('patch deployment held -p \'{"spec":{"progressDeadlineSeconds":600}}\'')
    node.stopMs = 0
    await ok('wait --for=condition=Progressing deployment/held --timeout=60s')
    expect(await ok('rollout status deployment/held --timeout=60s')).toContain('successfully rolled out')
    await ok('delete deployment held')
  })

  it('reports the operational condition of KEP-2804', async () => {
    expect(await ok('wait --for=condition=Operational deployment/complete --timeout=60s')).toBe('deployment.apps/complete condition met\n')
    expect(await ok("get replicasets -l app=complete -o jsonpath='{.items[*].status.conditions[*].type}'")).toContain('Operational')
  })

  it('deletes a Deployment with everything that belongs to it', async () => {
    await ok('delete deployment web --cascade=foreground --timeout=60s')
    expect(await ok('get replicasets,pods -l app=web -o name')).toBe('')
  })

  it('exposes its queues and its terminating pods as metrics', async () => {
    const { text } = await cluster.ask('GET', '/metrics')
    expect(text).toMatch(/workqueue_adds_total\{name="deployment"\} [1-9]/)
    expect(text).toMatch(/kube_deployment_status_replicas_terminating\{namespace="work",deployment="complete"\} 0/)
    expect(text).toMatch(/kube_replicaset_status_terminating_replicas\{namespace="work",replicaset="complete-[a-z0-9]+"\} 0/)
    node.stopMs = Number.POSITIVE_INFINITY
    await ok('delete pods -l app=complete --wait=false')
    await ok("wait --for=jsonpath='{.status.terminatingReplicas}'=4 deployment/complete --timeout=60s")
    const { text: during } = await cluster.ask('GET', '/metrics')
    expect(during).toMatch(/kube_deployment_status_replicas_terminating\{namespace="work",deployment="complete"\} 4/)
    expect(during).toMatch(/kube_replicaset_status_terminating_replicas\{namespace="work",replicaset="complete-[a-z0-9]+"\} 4/)
    node.stopMs = 0
  })
})
