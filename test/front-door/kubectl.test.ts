// The common commands of the real kubectl, and their output.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EndedProcess, outputOf } from './ended-process.ts'
import { kubectlFor, kubectlLines, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const deployment = (name: string, image = 'nginx:1.25', more = '') => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: {app: ${name}}
spec:
  replicas: 2
  paused: true
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: web
        image: ${image}
        ports: [{containerPort: 80}]
${more}`

const configMap = (name: string, data: string, labels?: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}${labels === undefined ? '' : `, labels: ${labels}`}}
data: ${data}
`

const pod = (name: string) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: ${name}}}
spec:
  nodeName: somewhere
  containers: [{name: c, image: 'nginx:1.25'}]
`

describe.skipIf(kubectlMinor() === undefined)('kubectl', { timeout: 120_000 }, () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(args, input))
  const fails = async (args: string, input?: string): Promise<EndedProcess> => {
    const result = await kubectl(args, input)
    expect(result.code, `kubectl ${args} should fail`).not.toBe(0)
    return result
  }

  beforeAll(async () => {
    cluster = await startCluster()
    kubectl = kubectlFor(cluster)
    await ok('create namespace work')
  }, 60_000)
  afterAll(() => cluster?.stop())

  it('finds the server and its version', async () => {
    expect(await ok('version')).toMatch(/Server Version: v1\.37\.\d+\+rollcall/)
    expect(await ok('cluster-info')).toContain('is running at')
    expect(await ok('get --raw /readyz')).toBe('ok')
  })

  it('lists the namespaces of a new cluster', async () => {
    const rows = (await ok('get namespaces --no-headers'))
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 2))
    for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'work']) expect(rows).toContainEqual([name, 'Active'])
  })

  it('creates the service account and the CA ConfigMap of every namespace', async () => {
    await expect.poll(() => ok('-n work get serviceaccount default -o name')).toBe('serviceaccount/default\n')
    await expect.poll(() => ok("-n work get configmap kube-root-ca.crt -o jsonpath='{.data.ca\\.crt}'")).toContain('BEGIN CERTIFICATE')
  })

  it('creates from a file and with its own generators', async () => {
    expect(await ok('-n work create -f -', configMap('made', '{a: b}'))).toBe('configmap/made created\n')
    expect((await fails('-n work create -f -', configMap('made', '{a: b}'))).stderr).toContain(
      'Error from server (AlreadyExists): error when creating "STDIN": configmaps "made" already exists',
    )
    expect(await ok('-n work create deployment gen --image=nginx --replicas=3')).toBe('deployment.apps/gen created\n')
    expect(await ok('-n work create secret generic s --from-literal=password=x')).toBe('secret/s created\n')
    expect(await ok("-n work create cronjob tick --image=busybox --schedule='*/5 * * * *' -- date")).toBe('cronjob.batch/tick created\n')
    expect(await ok('-n work create job once --image=busybox -- true')).toBe('job.batch/once created\n')
    expect(await ok('-n work create service clusterip svc --tcp=80:8080')).toBe('service/svc created\n')
    expect(await ok('-n work create quota q --hard=pods=100')).toBe('resourcequota/q created\n')
    expect(await ok('-n work create poddisruptionbudget p --selector=app=x --min-available=1')).toBe(
      'poddisruptionbudget.policy/p created\n',
    )
    expect(await ok('create priorityclass high --value=1000')).toBe('priorityclass.scheduling.k8s.io/high created\n')
    expect(await ok('-n work create serviceaccount robot')).toBe('serviceaccount/robot created\n')
    expect(await ok('-n work run bare --image=nginx')).toBe('pod/bare created\n')
  })

  it('applies on the client side: creates, leaves unchanged, configures, prunes a field', async () => {
    expect(await ok('-n work apply -f -', deployment('applied'))).toBe('deployment.apps/applied created\n')
    expect(await ok('-n work apply -f -', deployment('applied'))).toBe('deployment.apps/applied unchanged\n')
    expect(await ok('-n work apply -f -', deployment('applied', 'nginx:1.26'))).toBe('deployment.apps/applied configured\n')
    expect(await ok("-n work get deployment applied -o jsonpath='{.spec.template.spec.containers[0].image}'")).toBe('nginx:1.26')
    await ok('-n work apply -f -', configMap('pruned', '{a: "1", b: "2"}'))
    await ok('-n work apply -f -', configMap('pruned', '{a: "1"}'))
    expect(await ok("-n work get configmap pruned -o jsonpath='{.data}'")).toBe('{"a":"1"}')
  })

  it('applies on the server side, refuses a conflict, and forces it', async () => {
    expect(await ok('-n work apply --server-side --field-manager=one -f -', configMap('shared', '{a: "1"}'))).toBe(
      'configmap/shared serverside-applied\n',
    )
    const conflict = await fails('-n work apply --server-side --field-manager=two -f -', configMap('shared', '{a: "2"}'))
    expect(conflict.stderr).toContain('Apply failed with 1 conflict: conflict with "one": .data.a')
    expect(await ok('-n work apply --server-side --field-manager=two --force-conflicts -f -', configMap('shared', '{a: "2"}'))).toBe(
      'configmap/shared serverside-applied\n',
    )
    expect(await ok("-n work get configmap shared -o jsonpath='{.data.a}'")).toBe('2')
    expect(await ok('-n work get configmap shared -o yaml --show-managed-fields')).toContain('manager: two')
  })

  it('gets in all output forms', async () => {
    expect(await ok('-n work get deployment applied')).toMatch(
      /^NAME\s+READY\s+UP-TO-DATE\s+AVAILABLE\s+AGE\napplied\s+0\/2\s+0\s+0\s+\d+s\n$/,
    )
    expect(await ok('-n work get deployment applied -o wide')).toMatch(/CONTAINERS\s+IMAGES\s+SELECTOR\n.*web\s+nginx:1\.26\s+app=applied/)
    expect(JSON.parse(await ok('-n work get deployment applied -o json'))).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { generation: 2 },
    })
    expect(await ok('-n work get deployment applied -o yaml')).toMatch(/^apiVersion: apps\/v1\nkind: Deployment\n/)
    expect(await ok('-n work get deployment/applied configmap/made -o name')).toBe('deployment.apps/applied\nconfigmap/made\n')
    expect(await ok("-n work get deployment applied -o jsonpath='{.spec.replicas}'")).toBe('2')
    expect(await ok("-n work get deployment applied -o go-template='{{.metadata.name}}'")).toBe('applied')
    expect(await ok('-n work get deployment applied -o custom-columns=N:.metadata.name,R:.spec.replicas')).toBe(
      'N         R\napplied   2\n',
    )
    expect(await ok('-n work get all')).toContain('deployment.apps/applied')
    expect(await ok('-n work get configmap -l none=such 2>&1')).toBe('No resources found in work namespace.\n')
    expect(await ok('-n work get deploy applied --show-labels')).toContain('app=applied')
    expect(await ok('-n work get deploy -L app --no-headers')).toMatch(/applied.*applied\n/)
  })

  it('gets from all namespaces, sorts, selects and pages', async () => {
    expect(await ok('get configmaps -A')).toMatch(/NAMESPACE\s+NAME\s+DATA\s+AGE/)
    for (const [name, n] of [
      ['one', '1'],
      ['two', '2'],
      ['three', '3'],
    ])
      await ok('-n work create -f -', configMap(`sorted-${name}`, `{rank: "${n}"}`, '{set: sorted}'))
    const names = async (flags: string) => (await ok(`-n work get configmaps -l set=sorted -o name ${flags}`)).trim().split('\n')
    expect(await names('--sort-by=.data.rank')).toEqual(['configmap/sorted-one', 'configmap/sorted-two', 'configmap/sorted-three'])
    expect(await names('--sort-by=.metadata.name')).toEqual(['configmap/sorted-one', 'configmap/sorted-three', 'configmap/sorted-two'])
    expect((await names('--chunk-size=1')).length).toBe(3)
    expect((await ok('get configmaps -A --field-selector metadata.name=sorted-one -o name')).trim()).toBe('configmap/sorted-one')
    expect((await fails('get pods --field-selector spec.image=x')).stderr).toContain('field label not supported: spec.image')
  })

  it('watches', async () => {
    await ok('-n work create -f -', configMap('watched', '{a: "1"}'))
    const columns = 'custom-columns=N:.metadata.name,A:.data.a'
    const args = ['-n', 'work', 'get', 'configmaps', '-w', '-o', columns, '--no-headers', '--field-selector', 'metadata.name=watched']
    const seen: string[] = []
    for await (const line of kubectlLines(cluster, args)) {
      seen.push(line.replaceAll(/ +/g, ' '))
      if (seen.length === 2) break
      await ok('-n work patch configmap watched --type merge -p \'{"data":{"a":"2"}}\'')
    }
    expect(seen).toEqual(['watched 1', 'watched 2'])
  })

  it('describes', async () => {
    expect(await ok('-n work describe deployment applied')).toMatch(/Name:\s+applied\nNamespace:\s+work[\s\S]*Image:\s+nginx:1\.26/)
    expect(await ok('-n work describe pod bare')).toMatch(
      /Name:\s+bare[\s\S]*QoS Class:\s+BestEffort[\s\S]*Tolerations:\s+node\.kubernetes\.io\/not-ready:NoExecute op=Exists for 300s/,
    )
    expect(await ok('describe namespace work')).toMatch(/Status:\s+Active/)
    expect(await ok('-n work describe configmap made')).toContain('a:\n----\nb')
    expect(await ok('-n work describe job once')).toMatch(/Completions:\s+1/)
    expect(await ok('-n work describe cronjob tick')).toMatch(/Schedule:\s+\*\/5 \* \* \* \*/)
  })

  it('edits', async () => {
    const editor = join(cluster.folder, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/a: b/a: edited/" "$1"\n', { mode: 0o755 })
    expect((await kubectl('-n work edit configmap made', undefined, { KUBE_EDITOR: editor })).stdout).toBe('configmap/made edited\n')
    expect(await ok("-n work get configmap made -o jsonpath='{.data.a}'")).toBe('edited')
  })

  it('labels and annotates', async () => {
    expect(await ok('-n work label configmap made tier=web')).toBe('configmap/made labeled\n')
    expect((await fails('-n work label configmap made tier=db')).stderr).toContain('already has a value')
    expect(await ok('-n work label configmap made tier=db --overwrite')).toBe('configmap/made labeled\n')
    expect(await ok('-n work label configmap made tier-')).toBe('configmap/made unlabeled\n')
    expect(await ok('-n work annotate configmap made why=because')).toBe('configmap/made annotated\n')
    expect((await fails("-n work label configmap made 'bad key=x'")).code).toBe(1)
  })

  it('patches in all three ways', async () => {
    expect(
      await ok(
        '-n work patch deployment applied -p \'{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"nginx:1.27"}]}}}}\'',
      ),
    ).toBe('deployment.apps/applied patched\n')
    expect(await ok('-n work patch configmap made --type json -p \'[{"op":"add","path":"/data/j","value":"1"}]\'')).toBe(
      'configmap/made patched\n',
    )
    expect(await ok('-n work patch configmap made --type merge -p \'{"data":{"j":null}}\'')).toBe('configmap/made patched\n')
    expect(await ok('-n work patch configmap made --type merge -p \'{"data":{"j":null}}\'')).toBe('configmap/made patched (no change)\n')
    const image = await ok(
      "-n work get deployment applied -o jsonpath='{.spec.template.spec.containers[*].image} {.spec.template.spec.containers[*].ports[*].containerPort}'",
    )
    expect(image).toBe('nginx:1.27 80')
  })

  it('replaces', async () => {
    expect(await ok('-n work replace -f -', configMap('made', '{r: "1"}'))).toBe('configmap/made replaced\n')
    expect(await ok("-n work get configmap made -o jsonpath='{.data}'")).toBe('{"r":"1"}')
    expect((await fails('-n work replace -f -', configMap('absent', '{}'))).stderr).toContain('configmaps "absent" not found')
    expect(await ok('-n work replace --force -f -', configMap('made', '{f: "1"}'))).toContain('configmap/made replaced')
  })

  it('scales', async () => {
    expect(await ok('-n work scale deployment applied --replicas=5')).toBe('deployment.apps/applied scaled\n')
    expect((await fails('-n work scale deployment applied --current-replicas=1 --replicas=7')).stderr).toContain(
      'Expected replicas to be 1, was 5',
    )
    expect(await ok("-n work get deployment applied -o jsonpath='{.spec.replicas}'")).toBe('5')
  })

  it('shows what would change, and changes nothing in a dry run', async () => {
    const changed = deployment('applied', 'nginx:9')
    const diff = await kubectl('-n work diff -f -', changed)
    expect(diff.code).toBe(1)
    expect(diff.stdout).toMatch(/-\s+(- )?image: nginx:1\.27\n\+\s+(- )?image: nginx:9/)
    expect(await ok('-n work apply --dry-run=server -f -', changed)).toBe('deployment.apps/applied configured (server dry run)\n')
    expect(await ok("-n work get deployment applied -o jsonpath='{.spec.template.spec.containers[0].image}'")).toBe('nginx:1.27')
  })

  it('refuses a field that does not exist, and an object that is not valid', async () => {
    const typo = deployment('typo').replace('replicas:', 'replcias:')
    expect((await fails('-n work apply -f -', typo)).stderr).toContain('strict decoding error: unknown field "spec.replcias"')
    expect((await fails('-n work create -f -', deployment('Bad_Name'))).stderr).toContain(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'",
    )
    const wrong = deployment('wrong').replace('matchLabels: {app: wrong}', 'matchLabels: {app: other}')
    expect((await fails('-n work create -f -', wrong)).stderr).toContain('`selector` does not match template `labels`')
  })

  it('explains, also the fields that only Rollcall has', async () => {
    expect(await ok('explain deployment.spec.podReplacementPolicy --recursive')).toMatch(
      /GROUP:\s+apps\nKIND:\s+Deployment\nVERSION:\s+v1\n\nFIELD: podReplacementPolicy <string>\nENUM:\n +TerminationComplete\n +TerminationStarted\n/,
    )
    expect(await ok('explain deployment.spec.podReplacementPolicy')).toMatch(
      /This\s+is\s+an\s+alpha\s+field\s+and\s+requires\s+enabling\s+DeploymentPodReplacementPolicy\s+feature/,
    )
    expect(await ok('explain job.spec.podReplacementPolicy')).toMatch(/ENUM:\n +Failed\n +TerminatingOrFailed\n/)
    expect(await ok('explain pod.spec.containers.image')).toMatch(/FIELD: image <string>[\s\S]*DESCRIPTION:\n\s+\S/)
    expect(await ok('explain job.spec --recursive')).toContain('terminatingAsActive')
    expect((await fails('explain pod.spec.nothing')).stderr).toContain('field "nothing" does not exist')
  })

  it('lists the resources', async () => {
    const resources = await ok('api-resources')
    for (const line of [
      /pods\s+po\s+v1\s+true\s+Pod/,
      /deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/,
      /namespaces\s+ns\s+v1\s+false\s+Namespace/,
      /poddisruptionbudgets\s+pdb\s+policy\/v1\s+true\s+PodDisruptionBudget/,
    ])
      expect(resources).toMatch(line)
    expect(await ok('api-versions')).toContain('apps/v1\n')
    expect((await fails('get nonsense')).stderr).toContain('the server doesn\'t have a resource type "nonsense"')
  })

  it('reports its permissions and its user', async () => {
    expect(await ok('auth can-i create pods')).toBe('yes\n')
    expect(await ok("auth can-i '*' '*' --all-namespaces")).toBe('yes\n')
    expect(await ok('auth whoami')).toMatch(/Username\s+kubernetes-admin[\s\S]*system:masters/)
  })

  it('shows events', async () => {
    await ok(
      '-n work create -f -',
      `apiVersion: v1
kind: Event
metadata: {name: made.1}
involvedObject: {kind: ConfigMap, name: made, namespace: work, apiVersion: v1}
reason: Happened
message: something happened
type: Normal
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
count: 1
source: {component: somebody}
`,
    )
    expect(await ok('-n work get events')).toMatch(/Normal\s+Happened\s+configmap\/made\s+something happened/)
    expect(await ok('-n work events')).toMatch(/Happened\s+ConfigMap\/made\s+something happened/)
    expect(await ok('-n work get events.events.k8s.io -o name')).toContain('event.events.k8s.io/made.1\n')
  })

  it('waits for conditions, for values and for deletion', async () => {
    await ok('-n work create -f -', pod('waited'))
    const waiting = kubectl('-n work wait --for=condition=Ready pod/waited --timeout=60s')
    await ok(
      '-n work patch pod waited --subresource=status --type merge -p \'{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}\'',
    )
    expect((await waiting).stdout).toBe('pod/waited condition met\n')
    expect(await ok("-n work wait --for=jsonpath='{.status.phase}'=Running pod/waited --timeout=60s")).toBe('pod/waited condition met\n')
    expect((await fails('-n work wait --for=condition=Nothing pod/waited --timeout=1s')).stderr).toContain(
      'timed out waiting for the condition',
    )
    const gone = kubectl('-n work wait --for=delete pod/waited --timeout=60s')
    await ok('-n work delete pod waited --grace-period=0 --force')
    expect((await gone).code).toBe(0)
  })

  it('deletes in the background, in the foreground, and leaves orphans', async () => {
    const family = async (name: string) => {
      await ok('-n work create -f -', configMap(`${name}-owner`, '{}'))
      const uid = await ok(`-n work get configmap ${name}-owner -o jsonpath='{.metadata.uid}'`)
      await ok(
        '-n work create -f -',
        `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-child
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: ${name}-owner, uid: ${uid}, blockOwnerDeletion: true}]
`,
      )
    }
    for (const name of ['background', 'foreground', 'orphan']) {
      await family(name)
      expect(await ok(`-n work delete configmap ${name}-owner --cascade=${name}`)).toBe(`configmap "${name}-owner" deleted\n`)
    }
    await ok('-n work wait --for=delete configmap/background-child --timeout=60s')
    expect((await fails('-n work get configmap foreground-child')).stderr).toContain('not found')
    expect(await ok("-n work get configmap orphan-child -o jsonpath='{.metadata.ownerReferences}'")).toBe('')
  })

  it('deletes by label and by file, and reports when nothing matches', async () => {
    expect(await ok('-n work delete configmap -l set=sorted')).toContain('configmap "sorted-one" deleted')
    expect(await ok('-n work delete -f -', configMap('pruned', '{}'))).toBe('configmap "pruned" deleted\n')
    expect((await fails('-n work delete configmap pruned')).stderr).toContain('configmaps "pruned" not found')
    expect(await ok('-n work delete configmap pruned --ignore-not-found')).toBe('')
  })

  it('refuses to delete what must stay', async () => {
    expect((await fails('delete namespace default')).stderr).toContain('this namespace may not be deleted')
  })

  it('empties and deletes a namespace', async () => {
    await ok('create namespace going')
    await ok('-n going create -f -', configMap('inside', '{}'))
    expect(await ok('delete namespace going --timeout=20s')).toBe('namespace "going" deleted\n')
    expect((await fails('get namespace going')).stderr).toContain('namespaces "going" not found')
  })

  it('reports clearly what simulated pods cannot do', async () => {
    expect((await fails('-n work exec bare -- ls')).stderr).toContain('pod bare does not have a host assigned')
    expect(await ok('-n work logs bare')).toBe('')
  })

  it('is refused without credentials, and with wrong ones', async () => {
    const stranger = readFileSync(cluster.kubeconfig, 'utf8')
      .replace(/ +client-(certificate|key)-data: .*\n/g, '')
      .replace(/token: .*/, 'token: wrong')
    writeFileSync(join(cluster.folder, 'stranger'), stranger, { mode: 0o600 })
    expect((await kubectl('get pods', undefined, { KUBECONFIG: join(cluster.folder, 'stranger') })).stderr).toMatch(
      /Unauthorized|must be logged in/,
    )
  })

  it('stops cleanly', async () => {
    expect(cluster.output()).not.toMatch(/Error|undefined/)
  })
})
