import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Clock } from '../base/clock.ts'
import { createCredentials } from '../cluster/credentials/credentials.ts'
import { formatKubeconfig } from '../cluster/kubeconfig/kubeconfig.ts'
import { defaultKubeconfigPaths, fileToken, inClusterConnection, readKubeconfig } from './kubeconfig.ts'

const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true }))

let nowMs = 1_000_000
const clock: Clock = { now: () => nowMs, after: () => () => {} }

let files = 0
const write = (text: string, name = `config-${files++}`) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const config = (user: string, cluster = 'server: https://a:6443/') => `
apiVersion: v1
kind: Config
current-context: one
clusters: [{ name: c, cluster: { ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts:
- { name: one, context: { cluster: c, user: u, namespace: space } }
- { name: two, context: { cluster: nowhere, user: u } }
- { name: three, context: { cluster: c } }
`

describe('readKubeconfig()', () => {
  it('reads the file that the cluster writes', async () => {
    const credentials = createCredentials(['localhost'], nowMs)
    const connection = await readKubeconfig({ paths: [write(formatKubeconfig({ url: 'https://127.0.0.1:6443', credentials }))], clock })
    expect(connection).toMatchObject({
      server: 'https://127.0.0.1:6443',
      certificateAuthority: credentials.authority.certificate,
      clientCertificate: credentials.admin.certificate,
      clientKey: credentials.admin.key,
    })
    expect(connection.token?.()).toBe(credentials.token)
  })

  it('reads inline data and referenced files', async () => {
    write('authority', 'ca.pem')
    const user = `client-certificate-data: ${base64('cert')}, client-key-data: ${base64('key')}, username: me, password: secret`
    const path = write(
      config(user, 'server: https://a:6443/, certificate-authority: ca.pem, insecure-skip-tls-verify: true, tls-server-name: b'),
    )
    expect(await readKubeconfig({ paths: [path], clock })).toEqual({
      server: 'https://a:6443',
      certificateAuthority: 'authority',
      skipTlsVerify: true,
      tlsServerName: 'b',
      namespace: 'space',
      clientCertificate: 'cert',
      clientKey: 'key',
      basic: { username: 'me', password: 'secret' },
    })
  })

  it('supports impersonation and contexts without a user', async () => {
    const path = write(config('token: t, as: someone, as-groups: [g], as-user-extra: { scopes: [x] }'))
    const { impersonate } = await readKubeconfig({ paths: [path], clock })
    expect(impersonate).toEqual({ user: 'someone', groups: ['g'], extra: { scopes: ['x'] } })
    expect(await readKubeconfig({ paths: [path], context: 'three', clock })).toEqual({ server: 'https://a:6443' })
  })

  it('merges several files, and the first entry with a name wins', async () => {
    const first = write('current-context: mine\ncontexts: [{ name: mine, context: { cluster: c } }]')
    const second = write(config('token: t'))
    const third = write(config('token: t', 'server: https://b:6443'))
    expect((await readKubeconfig({ paths: [first, join(folder, 'missing'), second, third], clock })).server).toBe('https://a:6443')
  })

  for (const [name, text, context, message] of [
    [
      'no current context',
      'contexts: []',
      undefined,
      'it has no current context. Choose one with kubectl config use-context, or name one with --context',
    ],
    ['no such context', config('token: t'), 'four', 'context "four" does not exist'],
    ['no such cluster', config('token: t'), 'two', 'cluster "nowhere" does not exist'],
    [
      'a program to log in with that is not there',
      config('exec: { command: no-such-program-x }'),
      undefined,
      'Cannot log in with "no-such-program-x": the program was not found',
    ],
    [
      'a provider of old',
      config('auth-provider: { name: gcp }'),
      undefined,
      'user "u" logs in by auth-provider, which is no longer supported',
    ],
    ['a proxy', config('token: t', 'server: https://c, proxy-url: http://p'), undefined, 'cluster "c" is behind a proxy (proxy-url)'],
    ['no server', config('token: t', 'x: y'), undefined, 'cluster "c" has no server'],
    ['invalid YAML', 'a: [', undefined, 'Cannot read kubeconfig'],
    ['a list instead of a map', '- a', undefined, 'it is not a YAML map'],
  ] as const)
    it(`rejects a file with ${name}`, async () => {
      await expect(readKubeconfig({ paths: [write(text)], clock, ...(context && { context }) })).rejects.toThrow(message)
    })

  it('names the missing file, and how to name another', async () => {
    const reading = readKubeconfig({ paths: [join(folder, 'missing')], clock })
    await expect(reading).rejects.toThrow(
      /^Cannot read kubeconfig ".*missing": there is no such file; name one with --kubeconfig or KUBECONFIG$/,
    )
  })
})

describe('fileToken()', () => {
  it('reads the file again after a minute, and keeps the token while the file is missing', () => {
    const path = write('first\n', 'token')
    const token = fileToken(path, clock)
    expect(token()).toBe('first')
    write('second', 'token')
    expect(token()).toBe('first')
    nowMs += 60_000
    expect(token()).toBe('second')
    rmSync(path)
    nowMs += 60_000
    expect(token()).toBe('second')
    expect(() => fileToken(path, clock)()).toThrow('Cannot read token')
  })
})

describe('defaultKubeconfigPaths()', () => {
  it('follows KUBECONFIG', () => {
    expect(defaultKubeconfigPaths({ KUBECONFIG: ['a', '', 'b', 'a'].join(delimiter) })).toEqual(['a', 'b'])
    expect(defaultKubeconfigPaths({})[0]).toMatch(/[\\/]\.kube[\\/]config$/)
  })
})

describe('inClusterConnection()', () => {
  it('finds the server from inside a pod', () => {
    const account = join(folder, 'account')
    mkdirSync(account)
    for (const [name, text] of Object.entries({ token: 't', 'ca.crt': 'ca', namespace: 'ns' })) writeFileSync(join(account, name), text)
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const connection = inClusterConnection(clock, environment, account)
    expect(connection).toMatchObject({ server: 'https://[fd00::1]:443', certificateAuthority: 'ca', namespace: 'ns' })
    expect(connection?.token?.()).toBe('t')
    expect(inClusterConnection(clock, {}, account)).toBeUndefined()
  })
})
