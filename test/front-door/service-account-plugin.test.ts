// `rollcall up --enable-admission-plugins=ServiceAccount`: pods have a token, which programs in them can read and use.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputOf } from './ended-process.ts'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const folder = '/var/run/secrets/kubernetes.io/serviceaccount'

describe.skipIf(kubectlMinor() === undefined)('a cluster with the ServiceAccount plugin', { timeout: 120_000 }, () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(args, input))

  beforeAll(async () => {
    cluster = await startCluster(['--memory', '--nodes', '2', '--enable-admission-plugins=ServiceAccount'])
    kubectl = kubectlFor(cluster)
  }, 120_000)
  afterAll(() => cluster?.stop())

  it('accepts a pod in a namespace that was created a moment ago', async () => {
    await ok('create namespace shop')
    await ok('-n shop run web --image=busybox -- sleep 100000')
    expect(await ok("-n shop get pod web -o jsonpath='{.spec.serviceAccountName}'")).toBe('default')
  })

  it('gives the pods of a workload one volume with a token, under the same name', async () => {
    await ok('-n shop create deployment cart --image=nginx --replicas=3')
    await ok('-n shop rollout status deployment/cart --timeout=60s')
    const names = await ok("-n shop get pods -l app=cart -o jsonpath='{.items[*].spec.volumes[*].name}'")
    expect(names).toMatch(/^(kube-api-access-\w{5})( \1){2}$/)
  })

  it('has the files of the volume in the containers', async () => {
    await ok('-n shop wait --for=condition=Ready pod/web --timeout=60s')
    expect(await ok(`-n shop exec web -- ls ${folder}`)).toBe('ca.crt\nnamespace\ntoken\n')
    expect(await ok(`-n shop exec web -- cat ${folder}/namespace`)).toBe('shop')
    const certificate = await ok("-n shop get configmap kube-root-ca.crt -o jsonpath='{.data.ca\\.crt}'")
    expect(await ok(`-n shop exec web -- cat ${folder}/ca.crt`)).toBe(certificate)
    const token = await ok(`-n shop exec web -- cat ${folder}/token`)
    const asPod = `--token=${token} --server=${cluster.url} --insecure-skip-tls-verify --kubeconfig=/dev/null`
    const who = await ok(`auth whoami ${asPod} -o json`)
    expect(JSON.parse(who).status.userInfo).toMatchObject({
      username: 'system:serviceaccount:shop:default',
      extra: {
        'authentication.kubernetes.io/pod-name': ['web'],
        'authentication.kubernetes.io/node-name': [expect.stringMatching(/^node-/)],
      },
    })
    await ok('-n shop delete pod web --now')
    expect((await kubectl(`auth whoami ${asPod}`)).stderr).toMatch(/Unauthorized|must be logged in/)
  })

  it('prints the files of volumes in logs', async () => {
    const spec = {
      serviceAccountName: 'default',
      restartPolicy: 'Never',
      containers: [
        {
          name: 'main',
          image: 'registry.k8s.io/e2e-test-images/agnhost:2.53',
          args: ['mounttest', '--file_content=/all/color', '--file_mode=/all/color'],
          volumeMounts: [{ name: 'all', mountPath: '/all' }],
        },
      ],
      volumes: [{ name: 'all', projected: { sources: [{ configMap: { name: 'settings' } }], defaultMode: 0o440 } }],
    }
    await ok('-n shop create configmap settings --from-literal=color=blue')
    await ok('-n shop create -f -', JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'reader' }, spec }))
    await ok("-n shop wait --for=jsonpath='{.status.phase}'=Succeeded pod/reader --timeout=60s")
    expect(await ok('-n shop logs reader')).toBe('mode of file "/all/color": -r--r-----\ncontent of file "/all/color": blue\n')
  })

  it('refuses a pod whose account does not exist', async () => {
    const { code, stderr } = await kubectl('-n shop run lost --image=busybox --overrides=\'{"spec":{"serviceAccountName":"nobody"}}\'')
    expect([code, stderr]).toEqual([
      1,
      'Error from server (Forbidden): pods "lost" is forbidden: error looking up service account shop/nobody: serviceaccount "nobody" not found\n',
    ])
  })
})
