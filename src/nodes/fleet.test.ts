import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, leases, namespaces, nodes, pods, secrets } from '../api/kinds.ts'
import type { Node, Pod, Stored } from '../api/types.ts'
import type { Client } from '../client/client.ts'
import { type ControllerBench, openControllerBench } from '../cluster/testing/controller-bench.ts'
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts'
import { virtualTiming } from './kubelet/pod-settings.ts'
import { planNodes } from './node-object.ts'

interface Bench extends ControllerBench {
  readonly fleet: Fleet
  create(name: string, spec?: object, metadata?: object): Promise<Stored<Pod>>
  get(name: string): Promise<Stored<Pod> | undefined>
  /** Advances the clock in small steps, and waits for pending promises after each. */
  wait(ms: number, stepMs?: number): Promise<void>
}

let bench: Bench | undefined
afterEach(async () => {
  await bench?.stop()
  bench = undefined
})

async function open(more: Partial<Omit<FleetOptions, 'timing'>> = {}, wrapClient = (client: Client) => client): Promise<Bench> {
  let fleet: Fleet | undefined
  const controllers = await openControllerBench({
    start(parts) {
      fleet = startFleet({ ...parts, client: wrapClient(parts.client), timing: virtualTiming, nodes: planNodes([{ count: 2 }]), ...more })
      return fleet
    },
  })
  const { client } = controllers
  await client.create(namespaces, undefined, { metadata: { name: 'kube-node-lease' } })
  bench = {
    ...controllers,
    fleet: fleet!,
    create: (name, spec = {}, metadata = {}) =>
      client.create(pods, 'default', {
        metadata: { name, ...metadata },
        spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx' }], ...spec },
      } as Pod),
    async get(name) {
      return (await client.list(pods, { namespace: 'default', fieldSelector: `metadata.name=${name}` })).items[0]
    },
    async wait(ms, stepMs = Math.max(1, ms / 20)) {
      await controllers.settle()
      for (let passed = 0; passed < ms; passed += stepMs) {
        controllers.pass(Math.min(stepMs, ms - passed))
        await controllers.settle()
      }
    },
  }
  return bench
}

const getRequest = (path: string) => ({ method: 'GET', path, port: '80', isTls: false })
const logRequest = { container: 'c', follow: false, previous: false, timestamps: false }

const conditionsOf = (pod: Stored<Pod> | undefined) =>
  Object.fromEntries((pod?.status?.conditions ?? []).map(({ type, status }) => [type, status]))

describe('startFleet()', () => {
  it('terminates a pod in its time after the clock of the machine was set back', async () => {
    const { create, get, wait, client, pass } = await open()
    await create('web')
    await wait(5000)
    expect(conditionsOf(await get('web'))).toMatchObject({ Ready: 'True' })
    pass(-3_600_000)
    await client.delete(pods, { namespace: 'default', name: 'web' })
    await wait(31_000)
    expect(await get('web')).toBeUndefined()
  })

  it('creates complete Node objects, and renews their Leases', async () => {
    const { client, settle, wait, failures } = await open()
    await settle()
    const { items } = await client.list(nodes)
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-1', 'node-2'])
    const [{ metadata, spec, status }] = items as [Stored<Node>]
    expect(metadata.labels).toMatchObject({ 'kubernetes.io/hostname': 'node-1', 'topology.kubernetes.io/zone': 'zone-a' })
    expect(spec?.podCIDR).toBe('10.244.0.0/24')
    expect(status).toMatchObject({
      capacity: { cpu: '4', memory: '16Gi', pods: '110' },
      nodeInfo: { kubeletVersion: 'v1.37.1+rollcall' },
      addresses: [{ address: '172.18.0.2' }, { address: 'node-1' }],
    })
    expect(status?.conditions?.map((one) => `${one.type}=${one.status}`)).toEqual([
      'MemoryPressure=False',
      'DiskPressure=False',
      'PIDPressure=False',
      'Ready=True',
    ])
    await wait(11_000)
    const first = await client.get(leases, { namespace: 'kube-node-lease', name: 'node-2' })
    expect(first.spec).toMatchObject({ holderIdentity: 'node-2', leaseDurationSeconds: 40 })
    await wait(10_000)
    const second = await client.get(leases, { namespace: 'kube-node-lease', name: 'node-2' })
    expect(String(second.spec?.renewTime) > String(first.spec?.renewTime)).toBe(true)
    expect(failures).toEqual([])
  })

  it('starts a pod with two status updates, and an address of its node', async () => {
    const { create, get, wait, events, settle } = await open()
    const { metadata } = await create('web')
    await settle()
    const creating = await get('web')
    expect(creating?.status).toMatchObject({ phase: 'Pending', hostIP: '172.18.0.2' })
    expect(creating?.status?.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: 'ContainerCreating' } })
    await wait(200)
    const pod = await get('web')
    expect(pod?.status).toMatchObject({ phase: 'Running', podIP: '10.244.0.2', podIPs: [{ ip: '10.244.0.2' }], observedGeneration: 1 })
    expect(conditionsOf(pod)).toEqual({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    })
    expect(pod?.status?.containerStatuses?.[0]).toMatchObject({
      ready: true,
      started: true,
      restartCount: 0,
      image: 'docker.io/library/nginx:latest',
      imageID: expect.stringMatching(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/),
      containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
    })
    expect(Number(pod?.metadata.resourceVersion) - Number(metadata.resourceVersion)).toBeGreaterThan(1)
    expect((await events()).map((event) => event.replace(/Image size: \d+/, 'Image size: N'))).toEqual([
      'Pulling: Pulling image "nginx"',
      'Pulled: Successfully pulled image "nginx" in 0s (0s including waiting). Image size: N bytes.',
      'Created: Container created',
      'Started: Container started',
    ])
  })

  const outputListener = () => {
    const lines: string[] = []
    const onOutput = (text: string, isError: boolean) => lines.push(`${isError ? '2' : '1'}: ${text.trimEnd()}`)
    return { lines, onOutput, onEnd: (code: number) => lines.push(`end ${code}`) }
  }

  it('runs commands in a container, whose effects probes observe', async () => {
    const { create, get, wait, fleet } = await open()
    const readinessProbe = { httpGet: { path: '/localhost.crt', port: 80 }, periodSeconds: 1, failureThreshold: 1 }
    const containers = [{ name: 'c', image: 'agnhost:2', args: ['test-webserver'], readinessProbe }]
    await create('web', { containers })
    await wait(2000)
    const pod = (await get('web'))!
    expect(conditionsOf(pod)).toMatchObject({ Ready: 'True' })
    const first = outputListener()
    fleet.exec(pod, 'c', ['sh', '-c', 'mv -v /localhost.crt /tmp/; cat /none; sleep 2; exit 3'], first)
    expect(first.lines).toEqual(["1: '/localhost.crt' -> '/tmp/localhost.crt'", "2: cat: can't open '/none': No such file or directory"])
    expect(fleet.answerHttp(pod, 'c', getRequest('/localhost.crt'))).toMatchObject({ code: 404 })
    await wait(2500)
    expect(first.lines.at(-1)).toBe('end 3')
    expect(conditionsOf(await get('web'))).toMatchObject({ Ready: 'False' })
    fleet.exec(pod, 'c', ['mv', '/tmp/localhost.crt', '/'], outputListener())
    expect(fleet.answerHttp(pod, 'c', getRequest('/localhost.crt'))).toMatchObject({ code: 200 })
    await wait(2000)
    expect(conditionsOf(await get('web'))).toMatchObject({ Ready: 'True' })
  })

  it('responds as agnhost porter with the values of its variables, to every method', async () => {
    const { create, get, wait, fleet } = await open()
    const env = ['SERVE_PORT_80=<a href="/x">', 'SERVE_PORT_81=foo', 'SERVE_TLS_PORT_443=tls'].map((one) => {
      const at = one.indexOf('=')
      return { name: one.slice(0, at), value: one.slice(at + 1) }
    })
    const readinessProbe = { httpGet: { port: 80 } }
    await create('porter', {
      containers: [
        { name: 'c', image: 'agnhost:2', command: ['/agnhost', 'porter'], env, readinessProbe },
        { name: 'json', image: 'agnhost:2', command: ['/agnhost', 'porter', '--json-response'], env },
      ],
    })
    await wait(2000)
    const pod = (await get('porter'))!
    expect(conditionsOf(pod)).toMatchObject({ Ready: 'True' })
    const send = (container: string, method: string, port: string, isTls = false) =>
      fleet.answerHttp(pod, container, { method, path: '/any', port, isTls })
    expect(send('c', 'GET', '80')).toEqual({ code: 200, body: '<a href="/x">', contentType: 'text/html; charset=utf-8' })
    expect(send('c', 'PATCH', '81')).toEqual({ code: 200, body: 'foo' })
    expect([send('c', 'GET', '443', true)?.body, send('c', 'GET', '443'), send('c', 'GET', '82')]).toEqual(['tls', undefined, undefined])
    expect(send('json', 'DELETE', '81')).toEqual({ code: 200, body: '{"Method":"DELETE","Body":"foo"}', contentType: 'application/json' })
  })

  it('ends a command with its container, and drops a cancelled one', async () => {
    const { client, create, get, wait, fleet } = await open()
    await create('web', {
      containers: [
        { name: 'c', image: 'serve-hostname' },
        { name: 'base', image: 'busybox', command: ['sleep', '1h'] },
        { name: 'kitten', image: 'e2e-test-images/kitten:1' },
      ],
    })
    await wait(500)
    const pod = (await get('web'))!
    expect(fleet.answerHttp(pod, 'c', getRequest('/'))).toEqual({ code: 200, body: 'web' })
    expect(fleet.answerHttp(pod, 'base', getRequest('/'))).toBeUndefined()
    expect(fleet.answerHttp(pod, 'kitten', getRequest('/data.json'))).toEqual({ code: 200, body: '{\n  "image": "kitten.jpg"\n}\n' })
    const [forgotten, waiting, unknown] = [outputListener(), outputListener(), outputListener()]
    fleet.exec(pod, 'c', ['sh', '-c', 'sleep 1; echo late'], forgotten)?.()
    fleet.exec(pod, 'c', ['sleep', 'infinity'], waiting)
    fleet.exec(pod, 'base', ['nobody-knows'], unknown)
    expect(unknown.lines).toEqual([
      '2: OCI runtime exec failed: exec failed: unable to start container process: exec: "nobody-knows": executable file not found in $PATH: unknown',
      'end 127',
    ])
    await wait(3000)
    expect([forgotten.lines, waiting.lines]).toEqual([[], []])
    await client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 })
    await wait(2000)
    expect(waiting.lines).toEqual(['end 137'])
    expect(fleet.exec(pod, 'c', ['true'], outputListener())).toBeUndefined()
    expect(fleet.answerHttp(pod, 'c', getRequest('/'))).toBeUndefined()
  })

  it('removes a deleted pod after it has set the phase', async () => {
    const { client, create, get, wait } = await open()
    await create('web')
    await wait(200)
    const phases: string[] = []
    const close = client.watch(
      pods,
      { resourceVersion: (await get('web'))!.metadata.resourceVersion },
      {
        onEvents: (events) => phases.push(...events.map(({ type, object }) => `${type} ${object.status?.phase}`)),
        onEnd: () => {},
      },
    )
    await client.delete(pods, { namespace: 'default', name: 'web' })
    await wait(200)
    close()
    expect(await get('web')).toBeUndefined()
    expect(phases.slice(0, 2)).toEqual(['MODIFIED Running', 'MODIFIED Succeeded'])
    expect(phases.at(-1)).toBe('DELETED Succeeded')
  })

  it('ignores pods of other nodes, and simulates nodes with the KWOK annotation', async () => {
    const { client, create, get, wait } = await open()
    await client.create(nodes, undefined, { metadata: { name: 'theirs' } })
    await client.create(nodes, undefined, { metadata: { name: 'kwok', annotations: { 'kwok.x-k8s.io/node': 'fake' } } })
    await create('left-alone', { nodeName: 'theirs' })
    await create('played', { nodeName: 'kwok' })
    await wait(400)
    expect((await get('left-alone'))?.status?.phase).toBe('Pending')
    expect((await get('played'))?.status?.phase).toBe('Running')
    expect((await client.get(nodes, { name: 'theirs' })).status?.conditions).toBeUndefined()
    expect((await client.get(nodes, { name: 'kwok' })).status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True')
  })

  it('completes the status of a node with the KWOK annotation', async () => {
    const { client, wait } = await open()
    const metadata = { name: 'kwok', annotations: { 'kwok.x-k8s.io/node': 'fake' } }
    const nodeInfo = { kubeletVersion: 'fake', osImage: '' } as NonNullable<NonNullable<Node['status']>['nodeInfo']>
    await client.create(nodes, undefined, { metadata, status: { capacity: { cpu: '32', memory: '256Gi', pods: '50' }, nodeInfo } })
    await wait(400)
    const { status } = await client.get(nodes, { name: 'kwok' })
    expect(status).toMatchObject({
      capacity: { cpu: '32', pods: '50' },
      allocatable: { cpu: '32', pods: '50' },
      addresses: [{ type: 'InternalIP' }, { type: 'Hostname', address: 'kwok' }],
      nodeInfo: { kubeletVersion: 'fake', osImage: 'Rollcall simulated node', operatingSystem: 'linux' },
    })
  })

  it('rejects a pod whose host port is in use, and one that is too large', async () => {
    const { create, get, wait } = await open()
    const containers = (more: object) => ({ containers: [{ name: 'c', image: 'nginx', ...more }] })
    await create('first', containers({ ports: [{ containerPort: 80, hostPort: 8080 }] }))
    await wait(200)
    await create('second', containers({ ports: [{ containerPort: 80, hostPort: 8080 }] }))
    await create('big', containers({ resources: { requests: { cpu: '5' } } }))
    await wait(200)
    expect((await get('second'))?.status).toMatchObject({
      phase: 'Failed',
      reason: 'NodePorts',
      message: "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    })
    expect((await get('big'))?.status).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000",
    })
  })

  it('does not sync the pods of a node that is down, and continues when it is back', async () => {
    const { client, create, get, wait, fleet } = await open()
    await create('web')
    await wait(200)
    expect(fleet.stopNode('node-1')).toBe(true)
    expect(fleet.stopNode('nope')).toBe(false)
    await create('later')
    await client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 5 })
    const before = (await client.list(leases)).items.find(({ metadata }) => metadata.name === 'node-1')?.spec?.renewTime
    await wait(30_000)
    expect((await client.list(leases)).items.find(({ metadata }) => metadata.name === 'node-1')?.spec?.renewTime).toBe(before)
    expect((await get('web'))?.metadata.deletionTimestamp).toBeDefined()
    expect((await get('later'))?.status?.phase).toBe('Pending')
    expect(fleet.startNode('node-1')).toBe(true)
    await wait(500)
    expect(await get('web')).toBeUndefined()
    expect((await get('later'))?.status?.phase).toBe('Running')
  })

  it('adds new nodes, and forgets deleted ones', async () => {
    const { client, create, get, wait, fleet } = await open()
    await create('early', { nodeName: 'more-1' })
    await wait(200)
    expect((await get('early'))?.status?.phase).toBe('Pending')
    await fleet.addNodes(planNodes([{ name: 'more', cpu: '8' }]))
    await wait(200)
    expect((await get('early'))?.status).toMatchObject({ phase: 'Running', hostIP: '172.18.0.4', podIP: '10.244.2.2' })
    await client.delete(nodes, { name: 'more-1' })
    await create('late', { nodeName: 'more-1' })
    await wait(200)
    expect((await get('late'))?.status?.phase).toBe('Pending')
  })

  it('crashes a container on demand', async () => {
    const { create, get, wait, fleet } = await open()
    await create('web')
    await wait(200)
    expect(fleet.crash({ namespace: 'default', name: 'web' }, 9)).toBe(true)
    await wait(200)
    expect((await get('web'))?.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 9 } },
    })
    expect(fleet.crash({ namespace: 'default', name: 'nope' })).toBe(false)
  })

  it('reads ConfigMaps and Secrets, and waits for missing ones', async () => {
    const { client, create, get, wait, fleet } = await open()
    await client.create(secrets, 'default', { metadata: { name: 's' }, data: { key: 'c2VjcmV0' } })
    const env = [{ name: 'K', valueFrom: { secretKeyRef: { name: 's', key: 'key' } } }]
    const containers = [
      { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo $K $M'], env, envFrom: [{ configMapRef: { name: 'm' } }] },
    ]
    await create('web', { restartPolicy: 'Never', containers })
    await wait(300)
    expect((await get('web'))?.status?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'configmap "m" not found',
    })
    await client.create(configMaps, 'default', { metadata: { name: 'm' }, data: { M: 'more' } })
    await wait(11_000)
    const pod = await get('web')
    expect(pod?.status?.phase).toBe('Succeeded')
    expect(fleet.readLog(pod!, logRequest)).toBe('secret more\n')
  })

  it('keeps the end of the log of the current and the previous run', async () => {
    const { create, get, wait, fleet } = await open()
    await create('web', {
      containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo start; sleep 1; echo a; echo b; sleep 2; exit 1'] }],
    })
    await wait(5000)
    const pod = (await get('web'))!
    expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(1)
    expect(fleet.readLog(pod, logRequest)).toBe('start\na\nb\n')
    expect(fleet.readLog(pod, { ...logRequest, previous: true, tailLines: 1, timestamps: true })).toMatch(
      /^2026-11-01T12:00:01\.\d{9}Z b\n$/,
    )
    expect(fleet.readLog(pod, { ...logRequest, sinceSeconds: 1 })).toBe('a\nb\n')
  })

  it('streams output to followers until the end', async () => {
    const { create, get, wait, fleet } = await open()
    await create('web', {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo a; sleep 1; echo b'] }],
    })
    await wait(500)
    const log = fleet.readLog((await get('web'))!, { ...logRequest, follow: true }) as AsyncIterable<string>
    const pieces: string[] = []
    const done = (async () => {
      for await (const piece of log) pieces.push(piece)
    })()
    await wait(2000)
    await done
    expect(pieces).toEqual(['a\n', 'b\n'])
  })

  it('treats a new pod with an old name as another pod', async () => {
    const { client, create, get, wait } = await open()
    await create('web')
    await wait(200)
    await client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 })
    await create('web')
    await wait(300)
    expect((await get('web'))?.status).toMatchObject({ phase: 'Running', podIP: '10.244.0.3' })
  })

  it('gives the same trace with the same seed', async () => {
    const trace = async () => {
      const { create, wait, client } = await open()
      for (let at = 0; at < 20; at++)
        await create(`p-${at}`, { nodeName: `node-${(at % 2) + 1}` }, { annotations: { 'rollcall.dev/ready-delay': '3s±2s' } })
      await wait(6000)
      const { items } = await client.list(pods)
      await bench!.stop()
      bench = undefined
      return JSON.stringify(items.map(({ status }) => status))
    }
    expect(await trace()).toBe(await trace())
  })

  it('writes only changed statuses', async () => {
    const { client, create, get, wait } = await open()
    const probe = { httpGet: { port: 80 }, initialDelaySeconds: 2, periodSeconds: 1 }
    await create('web', { containers: [{ name: 'c', image: 'nginx', readinessProbe: probe, livenessProbe: probe }] })
    const seen: string[] = []
    const close = client.watch(
      pods,
      { resourceVersion: '0' },
      {
        onEvents: (events) => seen.push(...events.map(({ type }) => type)),
        onEnd: () => {},
      },
    )
    await wait(5000)
    expect(seen).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED'])
    await wait(60_000)
    expect(seen).toHaveLength(4)
    await client.patch(pods, { namespace: 'default', name: 'web' }, 'merge', { metadata: { labels: { a: 'b' } } })
    await wait(500)
    expect(seen).toHaveLength(5)
    await client.delete(pods, { namespace: 'default', name: 'web' })
    await wait(500)
    close()
    expect(await get('web')).toBeUndefined()
    // The deletion timestamp, the last status, the grace period of zero, and the removal.
    expect(seen.slice(5)).toEqual(['MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED'])
  })

  it('syncs a pod that another client changes during its own write', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let heldWrites = 0
    const { client, create, get, wait } = await open({}, (inner) => ({
      ...inner,
      async updateStatus(kind, object, options) {
        const answer = await inner.updateStatus(kind, object, options)
        if ((object as Pod).status?.phase === 'Running') {
          heldWrites++
          await held
        }
        return answer
      },
    }))
    await create('web')
    await wait(1000)
    expect(heldWrites).toBe(1)
    await client.delete(pods, { namespace: 'default', name: 'web' })
    await wait(1000)
    expect((await get('web'))?.metadata.deletionTimestamp).toBeDefined()
    release()
    await wait(2000)
    expect(await get('web')).toBeUndefined()
  })
})
