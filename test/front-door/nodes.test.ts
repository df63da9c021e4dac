// The default cluster: simulated nodes run pods, execute simple commands, and terminate pods.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputOf } from './ended-process.ts'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

describe.skipIf(kubectlMinor() === undefined)('simulated nodes', { timeout: 120_000 }, () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(args, input))

  beforeAll(async () => {
    cluster = await startCluster(['--memory', '--nodes', '5'])
    kubectl = kubectlFor(cluster)
    await ok('wait --for=condition=Ready node --all --timeout=60s')
  }, 120_000)
  afterAll(() => cluster?.stop())

  it('are there, and ready', async () => {
    const rows = (await ok('get nodes --no-headers')).trim().split('\n')
    expect(rows.map((row) => row.split(/\s+/).slice(0, 2))).toEqual(['1', '2', '3', '4', '5'].map((n) => [`node-${n}`, 'Ready']))
    expect(await ok('describe node node-1')).toMatch(/Allocatable:[\s\S]*cpu:\s+\d+/)
  })

  it('run a Deployment, spread over them', async () => {
    await ok('create deployment web --image=nginx --replicas=50')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    const nodes = (await ok("get pods -l app=web -o jsonpath='{.items[*].spec.nodeName}'")).split(' ')
    expect(nodes).toHaveLength(50)
    expect(new Set(nodes).size).toBe(5)
    expect(await ok('get pods -l app=web --no-headers -o wide')).toMatch(/1\/1\s+Running\s+0\s+\S+\s+10\.\d+\.\d+\.\d+\s+node-\d/)
  })

  it('roll it to another image and back', async () => {
    await ok('set image deployment/web nginx=nginx:2')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
    await ok('rollout undo deployment/web')
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out')
  })

  // Earlier versions of kubectl do not support WebSocket.
  it.skipIf((kubectlMinor() ?? 0) < 31)('let commands run in containers, and probes see what they did', async () => {
    const readinessProbe = { httpGet: { path: '/localhost.crt', port: 80 }, periodSeconds: 1, failureThreshold: 1 }
    const overrides = JSON.stringify({
      apiVersion: 'v1',
      spec: { containers: [{ name: 'it', image: 'agnhost:2', args: ['test-webserver'], ports: [{ containerPort: 80 }], readinessProbe }] },
    })
    await ok(`run it --image=agnhost:2 --overrides='${overrides}'`)
    await ok('wait --for=condition=Ready pod/it --timeout=60s')
    expect(await ok('get --raw /api/v1/namespaces/default/pods/it/proxy/localhost.crt')).toBe('/localhost.crt')
    await ok('expose pod it --port=8080 --target-port=80')
    const viaService = () => kubectl('get --raw /api/v1/namespaces/default/services/it:8080/proxy/localhost.crt?a=b')
    await expect.poll(async () => (await viaService()).stdout).toBe('/localhost.crt')
    expect(await ok("exec it -- sh -c 'mv -v /localhost.crt /tmp/'")).toBe("'/localhost.crt' -> '/tmp/localhost.crt'\n")
    await ok('wait --for=condition=Ready=false pod/it --timeout=60s')
    const { code, stderr } = await kubectl("exec it -- sh -c 'cat /localhost.crt; exit 7'")
    expect(code).toBe(7)
    expect(stderr).toContain("can't open '/localhost.crt'")
    const unknown = await kubectl('exec it -- psql -c "select 1"')
    expect(unknown.code).toBe(127)
    expect(unknown.stderr).toContain('exec: "psql": executable file not found in $PATH')
    const inShell = await kubectl("exec it -- sh -c 'psql; echo $?'")
    expect(inShell).toMatchObject({ code: 0, stdout: '127\n' })
    expect(inShell.stderr).toContain('psql: not found')
    expect(await ok("exec -i it -- sh -c 'read first; echo $first' << END\none\ntwo\nEND")).toBe('one\n')
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-copy-'))
    const [sent, received] = [join(folder, 'sent'), join(folder, 'received')]
    writeFileSync(sent, Buffer.from([...Array(256).keys()]))
    await ok(`cp ${sent} it:/tmp/copied`)
    await ok(`cp it:/tmp/copied ${received}`)
    expect(readFileSync(received)).toEqual(readFileSync(sent))
    expect((await kubectl(`cp it:/tmp/none ${received}`)).code).toBe(1)
  })

  it('run Jobs to their end, and keep what they printed', async () => {
    await ok("create job hello --image=busybox -- sh -c 'echo hello; sleep 1; echo bye'")
    expect(await ok('wait --for=condition=Complete job/hello --timeout=60s')).toBe('job.batch/hello condition met\n')
    expect(await ok('logs job/hello')).toBe('hello\nbye\n')
    await ok("create job broken --image=busybox -- sh -c 'exit 3'")
    await ok('wait --for=condition=Failed job/broken --timeout=1s').catch(() => '')
    const code = "get pods -l job-name=broken -o jsonpath='{.items[0].status.containerStatuses[0].state.terminated.exitCode}'"
    await ok("wait --for=jsonpath='{.status.failed}'=1 job/broken --timeout=60s")
    expect(await ok(code)).toBe('3')
  })

  it('report why a pod does not fit', async () => {
    await ok(
      'create -f -',
      `apiVersion: v1
kind: Pod
metadata: {name: huge}
spec: {containers: [{name: c, image: nginx, resources: {requests: {cpu: '1000'}}}]}
`,
    )
    await ok("wait --for=jsonpath='{.status.conditions[0].reason}'=Unschedulable pod/huge --timeout=60s")
    await expect.poll(() => ok('describe pod huge')).toContain('0/5 nodes are available: 5 Insufficient cpu')
    await ok('delete pod huge')
  })

  it('let pods go', async () => {
    await ok('delete deployment web')
    await ok('wait --for=delete pod -l app=web --timeout=60s')
    expect(await ok('get pods -l app=web -o name')).toBe('')
  })
})
