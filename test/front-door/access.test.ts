// RBAC, as users meet it: kubectl with the kubeconfigs of several users, and requests of callers without permissions.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signingRequests } from '../../src/api/testing/signing-requests.ts'
import { command, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

let cluster: RunningCluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

const run = (program: string, args: readonly string[], input?: string) => {
  // A cache of its own: another cluster may have had the same port.
  const env = { ...process.env, HOME: cluster.folder, KUBECACHEDIR: join(cluster.folder, 'cache') }
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env, ...(input !== undefined && { input }) })
  return { status, stdout, stderr }
}
const kubeconfigOf = (user: string) => (user === 'admin' ? cluster.kubeconfig : join(cluster.folder, `${user}.kubeconfig`))
const kubectl = (user: string, args: string, input?: string) =>
  run('kubectl', ['--kubeconfig', kubeconfigOf(user), ...args.split(' ')], input)
const ok = (user: string, args: string, input?: string): string => {
  const { status, stdout, stderr } = kubectl(user, args, input)
  expect([args, status, stderr]).toEqual([args, 0, ''])
  return stdout
}
const addUser = (user: string, ...groups: readonly string[]) => {
  const flags = ['--data-dir', cluster.folder, '--user', user, ...groups.flatMap((group) => ['--group', group])]
  const { status, stdout, stderr } = run(process.execPath, [command, 'kubeconfig', ...flags])
  expect([status, stderr]).toEqual([0, ''])
  writeFileSync(kubeconfigOf(user), stdout, { mode: 0o600 })
}

describe.skipIf(kubectlMinor() === undefined)('kubectl with the kubeconfig of another user', { timeout: 120_000 }, () => {
  it('may do what roles grant to the user and its groups, and nothing else', () => {
    addUser('alice', 'developers')
    expect(kubectl('alice', 'get pods').stderr).toBe(
      'Error from server (Forbidden): pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "default"\n',
    )
    ok('admin', 'create rolebinding developers --clusterrole=edit --group=developers')
    ok('alice', 'wait --for=jsonpath={.metadata.name}=default serviceaccount/default --timeout=60s')
    ok('alice', 'create configmap mine')
    expect(ok('alice', 'auth can-i delete deployments')).toBe('yes\n')
    expect(kubectl('alice', 'auth can-i delete nodes').stdout).toBe('no\n')
    expect(ok('alice', 'auth can-i --list')).toMatch(/^deployments.apps +\[\] +\[\] +\[/m)
    expect(ok('alice', 'auth whoami')).toMatch(/Username +alice\nGroups +\[developers system:authenticated\]/)
    expect(kubectl('alice', '-n kube-system get pods').status).toBe(1)
  })

  it('cannot grant more than it has', () => {
    addUser('mallory')
    ok(
      'admin',
      'create role grants --verb=create,get,update --resource=roles.rbac.authorization.k8s.io,rolebindings.rbac.authorization.k8s.io',
    )
    ok('admin', 'create rolebinding grants --role=grants --user=mallory')
    expect(kubectl('mallory', 'create role more --verb=get,list --resource=secrets').stderr).toBe(
      'Error from server (Forbidden): roles.rbac.authorization.k8s.io "more" is forbidden: user "mallory" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}\n',
    )
    expect(kubectl('mallory', 'create rolebinding more --clusterrole=cluster-admin --user=mallory').stderr).toContain(
      'is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    )
    ok('mallory', 'create role same --verb=get --resource=roles.rbac.authorization.k8s.io')
    ok('admin', 'create clusterrole binder --verb=bind --resource=clusterroles.rbac.authorization.k8s.io --resource-name=view')
    ok('admin', 'create clusterrolebinding binder --clusterrole=binder --user=mallory')
    ok('mallory', 'create rolebinding viewer --clusterrole=view --user=mallory')
    ok('mallory', 'get configmaps')
  })

  it('gathers the rules of aggregated roles', () => {
    const role = (verb: string) =>
      JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'widgets', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
        rules: [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: [verb] }],
      })
    ok('admin', 'apply -f -', role('list'))
    ok('admin', 'wait clusterrole/edit --for=jsonpath={.rules[?(@.apiGroups[0]=="example.com")].verbs[0]}=list --timeout=60s')
    expect(ok('alice', 'auth can-i --list')).toMatch(/^widgets.example.com +\[\] +\[\] +\[list\]$/m)
  })

  it('uses tokens of service accounts, until their account is deleted', () => {
    ok('admin', 'create serviceaccount bot')
    const token = ok('admin', 'create token bot --duration=20m').trim()
    const server = /server: (\S+)/.exec(readFileSync(cluster.kubeconfig, 'utf8'))![1]!
    const asBot = (args: string) =>
      run('kubectl', [`--server=${server}`, '--insecure-skip-tls-verify', `--token=${token}`, '--kubeconfig=/dev/null', ...args.split(' ')])
    expect(asBot('auth whoami').stdout).toContain('system:serviceaccount:default:bot')
    expect(asBot('get configmaps').stderr).toContain('User "system:serviceaccount:default:bot" cannot list resource "configmaps"')
    ok('admin', 'create rolebinding bot --clusterrole=view --serviceaccount=default:bot')
    expect(asBot('get configmaps').status).toBe(0)
    expect(JSON.parse(asBot('get --raw /openid/v1/jwks').stdout)).toMatchObject({ keys: [{ use: 'sig', kty: 'EC', alg: 'ES256' }] })
    const ask = (metadata: object) => {
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} }
      return kubectl('admin', 'create --raw /api/v1/namespaces/default/serviceaccounts/bot/token -f -', JSON.stringify(request))
    }
    expect(JSON.parse(ask({ labels: { a: 'b' } }).stdout).metadata).toMatchObject({
      name: 'bot',
      labels: { a: 'b' },
      managedFields: [{ manager: 'kubectl', subresource: 'token' }],
    })
    expect(ask({ name: 'other' }).stderr).toContain('must match the service account name if specified')
    expect(ask({ namespace: 'other' }).stderr).toContain('does not match the namespace sent on the request')
    expect(ask({ uid: 'other' }).stderr).toContain('the UID in the token request (other) does not match the UID of the service account')
    ok('admin', 'run bound --image=busybox --restart=Never --overrides={"spec":{"serviceAccountName":"bot"}} -- sleep 1000')
    const claimsOf = (spec: object) => {
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
      const answer = ok('admin', 'create --raw /api/v1/namespaces/default/serviceaccounts/bot/token -f -', JSON.stringify(request))
      const { status } = JSON.parse(answer) as { readonly status: { readonly token: string; readonly expirationTimestamp: string } }
      const claims = JSON.parse(Buffer.from(status.token.split('.')[1]!, 'base64url').toString())
      return { claims, requestedSeconds: Date.parse(status.expirationTimestamp) / 1000 - claims.iat }
    }
    // A token that a pod mounts by default is valid for a year, so that clients that read it only once keep working.
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'bound' }
    const mounted = claimsOf({ expirationSeconds: 3607, boundObjectRef })
    expect(mounted.requestedSeconds).toBe(3607)
    expect(mounted.claims.exp - mounted.claims.iat).toBe(365 * 24 * 3600)
    expect(mounted.claims['kubernetes.io']).toMatchObject({ pod: { name: 'bound' }, warnafter: mounted.claims.iat + 3607 })
    for (const spec of [
      { expirationSeconds: 3608, boundObjectRef },
      { expirationSeconds: 3607 },
      { expirationSeconds: 3607, boundObjectRef, audiences: ['x'] },
    ]) {
      const { claims } = claimsOf(spec)
      expect(claims.exp - claims.iat).toBe(spec.expirationSeconds)
      expect(claims['kubernetes.io']).not.toHaveProperty('warnafter')
    }
    ok('admin', 'delete pod bound --now')
    ok('admin', 'delete serviceaccount bot')
    expect(asBot('get configmaps').stderr).toMatch(/Unauthorized|must be logged in/)
  })

  it('gets a certificate by a request that an administrator approves', () => {
    const file = (name: string) => join(cluster.folder, name)
    writeFileSync(file('request.key'), requestKey, { mode: 0o600 })
    const spec = {
      request: Buffer.from(signingRequest).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    }
    const request = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'request' }, spec }
    ok('admin', 'create -f -', JSON.stringify(request))
    expect(ok('admin', 'get csr request -o jsonpath={.spec.username}')).toBe('kubernetes-admin')
    ok('admin', 'certificate approve request')
    ok('admin', 'wait csr/request --for=jsonpath={.status.certificate} --timeout=60s')
    const certificate = Buffer.from(ok('admin', 'get csr request -o jsonpath={.status.certificate}'), 'base64')
    writeFileSync(file('request.crt'), certificate)
    const server = /server: (\S+)/.exec(readFileSync(cluster.kubeconfig, 'utf8'))![1]!
    const flags = [`--client-certificate=${file('request.crt')}`, `--client-key=${file('request.key')}`, '--kubeconfig=/dev/null']
    const { stdout } = run('kubectl', [`--server=${server}`, '--insecure-skip-tls-verify', ...flags, 'auth', 'whoami'])
    expect(stdout).toMatch(/Username +alice\nGroups +\[developers system:authenticated\]/)
  })

  it('gets no certificate for system:masters, whatever is approved', () => {
    const requestOf = (name: string, signer: string) => ({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { request: btoa(signingRequests.master), signerName: `kubernetes.io/${signer}`, usages: ['client auth', 'digital signature'] },
    })
    const refused = kubectl('admin', 'create -f -', JSON.stringify(requestOf('master', 'kube-apiserver-client')))
    expect(refused.stderr).toContain('use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed')
    ok('admin', 'create -f -', JSON.stringify(requestOf('escalation', 'kube-apiserver-client-kubelet')))
    ok('admin', 'certificate approve escalation')
    ok('admin', 'wait csr/escalation --for=condition=Failed --timeout=60s')
    const status = JSON.parse(ok('admin', 'get csr escalation -o jsonpath={.status}'))
    expect(status).not.toHaveProperty('certificate')
    expect(status.conditions.at(-1)).toMatchObject({
      reason: 'SignerValidationFailure',
      message: 'subject organization is not system:nodes',
    })
  })

  it('may impersonate only where a role allows it', () => {
    addUser('helpdesk')
    expect(kubectl('helpdesk', 'get configmaps --as alice').status).toBe(1)
    ok('admin', 'create clusterrole act --verb=impersonate --resource=users,groups')
    ok('admin', 'create clusterrolebinding act --clusterrole=act --user=helpdesk')
    ok('helpdesk', 'get configmaps --as alice --as-group developers')
  })
})

/** For the user alice of the group developers, and its key. */
const signingRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIIBCzCBsgIBADAlMRMwEQYDVQQKDApkZXZlbG9wZXJzMQ4wDAYDVQQDDAVhbGlj
ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC4byo/DUArmGxezGS6IyP8XnjWd
d3wbAMvBDaP+ZV1leZNKTwqy3HoOURfYGEn6bFZEIPnkpenxKQeFq2y7HsugKzAp
BgkqhkiG9w0BCQ4xHDAaMBgGA1UdEQQRMA+CDWEuZXhhbXBsZS5jb20wCgYIKoZI
zj0EAwIDSAAwRQIgbAtDWaGWhWbdTYtJgna5dszHKuC8OAGcLc8UaHlJfPwCIQDd
IfElKFAlT6YBHoCAquxB/MUFm8K2N4WFbZBYlnQMSg==
-----END CERTIFICATE REQUEST-----
`
const requestKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwRzgBdyOFsZzCPy6
pGmxPTb1EUXX0t4LMK2Mw5SEWWGhRANCAAQuG8qPw1AK5hsXsxkuiMj/F541nXd8
GwDLwQ2j/mVdZXmTSk8Kstx6DlEX2BhJ+mxWRCD55KXp8SkHhatsux7L
-----END PRIVATE KEY-----
`

interface DiscoveredResource {
  readonly name: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}
interface ListedObject {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly resourceVersion?: string }
}
/** The cluster itself writes these at any time: simulated nodes renew their Leases. */
const writtenByItself = new Set(['leases', 'nodes', 'events'])

describe('a caller without permissions', { timeout: 120_000 }, () => {
  it('gets nowhere, with every verb, kind and subresource', async () => {
    const list = async (path: string) => (await cluster.ask('GET', path)).json as { resources: DiscoveredResource[] }
    const groups = (await cluster.ask('GET', '/apis')).json as { groups: { versions: { groupVersion: string }[] }[] }
    const roots = ['/api/v1', ...groups.groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))]
    const objects = async () => {
      const found: string[] = []
      for (const root of roots)
        for (const { name, verbs } of (await list(root)).resources) {
          if (!verbs.includes('list') || writtenByItself.has(name)) continue
          const { items } = (await cluster.ask('GET', `${root}/${name}`)).json as { items: ListedObject[] }
          for (const { metadata } of items) found.push(`${root}/${name} ${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`)
        }
      return found.sort()
    }
    const before = await objects()
    const asEve = { 'impersonate-user': 'eve' }
    const wrong: string[] = []
    let asked = 0
    for (const root of roots)
      for (const { name, namespaced } of (await list(root)).resources) {
        if (/^selfsubject/.test(name)) continue
        const [resource, subresource] = name.split('/')
        const places = namespaced ? [`${root}/namespaces/default/${resource}`, `${root}/${resource}`] : [`${root}/${resource}`]
        const targets = subresource ? places.map((one) => `${one}/x/${subresource}`) : [...places, ...places.map((one) => `${one}/x`)]
        for (const target of targets) {
          const requests = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, asEve] as const)
          const answers = [...requests, ['GET', { authorization: '' }] as const].map(async ([method, headers]) => {
            const { code } = await cluster.ask(method, target, method === 'GET' ? undefined : {}, headers)
            asked++
            if (code !== 403) wrong.push(`${method} ${target}: ${code}`)
          })
          await Promise.all(answers)
        }
      }
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(1000)
    expect(before.length).toBeGreaterThan(50)
    expect(await objects()).toEqual(before)
  })
})
