import { describe, expect, it } from 'vitest'
import { authority } from '../../api/kinds/certificates/cluster-trust-bundle/testing/certificates.ts'
import type { Pod } from '../../api/types.ts'
import { firstState } from './pod-sync.ts'
import type { PodEnvironment } from './sync-context.ts'
import { environment, makePod, shell, startMs } from './testing/pod-life.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

const data: Record<string, Readonly<Record<string, string>>> = {
  'ConfigMap/settings': { color: 'blue', size: '7' },
  'Secret/keys': { password: 'abc' },
}
const here: PodEnvironment = {
  ...environment,
  readData: (kind, name, withBinary) => {
    const found = data[`${kind}/${name}`]
    return found && withBinary && kind === 'ConfigMap' ? { ...found, 'dump.bin': '\udcde\udcca\udcfeA' } : found
  },
  readToken: (audience, seconds) => `token for ${audience ?? 'the API server'}, ${seconds} s`,
  readTrustBundles: ({ name }) => (name === 'root' ? [{ spec: { trustBundle: `of root\n${authority}` } }] : []),
  readAllocatable: () => ({ cpu: '4', memory: '1Gi' }),
}

/** What the pod prints until `seconds` after its start. */
function printed(pod: Pod, seconds = 1, change?: { readonly atSeconds: number; apply(): Pod }): string {
  let current = pod
  let state = firstState(pod, startMs, here)
  let text = ''
  for (let nowMs: number | undefined = startMs; nowMs !== undefined && nowMs <= startMs + seconds * 1000; ) {
    if (change !== undefined && nowMs >= startMs + change.atSeconds * 1000) current = change.apply()
    const step = syncWithStatus(state, current, nowMs, here)
    state = step.state
    text += step.output.flatMap((one) => one.output.map((piece) => piece.text)).join('')
    nowMs = step.requeueAtMs
  }
  return text
}

const withVolume = (volume: object, container: object, more: object = {}) =>
  makePod({
    restartPolicy: 'Never',
    containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    volumes: [{ name: 'v', ...volume }],
    ...more,
  })
const mounttest = (...args: readonly string[]) => ({ name: 'c', image: 'agnhost:2', args: ['mounttest', ...args] })
const settings = { configMap: { name: 'settings' } }
const trustBundle = (source: object) => ({ projected: { sources: [{ clusterTrustBundle: { path: 'ca.pem', ...source } }] } })
const token = { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }

describe('the files of a volume', () => {
  it.each([
    ['a ConfigMap', settings, 'cat /v/color /v/size', 'blue7'],
    ['the binary data of a ConfigMap', settings, 'hexdump -C /v/dump.bin', expect.stringContaining('00000000  de ca fe 41 ')],
    ['a Secret', { secret: { secretName: 'keys' } }, 'cat /v/password', 'abc'],
    ['chosen keys', { configMap: { name: 'settings', items: [{ key: 'color', path: 'a/b' }] } }, 'cat /v/a/b; ls /v', 'bluea\n'],
    [
      'a missing optional object',
      { configMap: { name: 'none', optional: true } },
      'cat /v/color',
      expect.stringContaining("can't open '/v/color'"),
    ],
    ['the downward API', { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } }, 'cat /v/name', 'web'],
    [
      'resources of a container',
      {
        downwardAPI: {
          items: [
            { path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } },
            { path: 'memory', resourceFieldRef: { containerName: 'c', resource: 'limits.memory', divisor: '1Mi' } },
          ],
        },
      },
      'cat /v/cpu; echo; cat /v/memory',
      '4\n1024',
    ],
    ['a trust bundle', trustBundle({ name: 'root' }), 'cat /v/ca.pem', authority],
    ['an optional trust bundle that is missing', trustBundle({ name: 'none', optional: true }), 'cat /v/ca.pem; ls /v', 'ca.pem\n'],
    ['a token', token, 'cat /v/token', 'token for the API server, 3600 s'],
    [
      'several sources',
      {
        projected: {
          sources: [
            { configMap: { name: 'settings', items: [{ key: 'color', path: 'color' }] } },
            { secret: { name: 'keys' } },
            { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 } },
            { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
          ],
        },
      },
      'cd /v; ls; cat color password token namespace',
      'color\nnamespace\npassword\ntoken\nblueabctoken for vault, 600 sshop',
    ],
  ])('has the content of %s', (_, volume, script, text) => {
    expect(printed(withVolume(volume, shell(script)))).toEqual(text)
  })

  it('cannot be written or removed', () => {
    const script = 'echo x > /v/color; rm /v/size || echo $?; cat /v/color /v/size'
    expect(printed(withVolume(settings, shell(script)))).toBe(
      "sh: can't create /v/color: Read-only file system\nrm: can't remove '/v/size': No such file or directory\n1\nblue7",
    )
  })

  it('can be mounted one by one, even over a file', () => {
    const volumeMounts = [{ name: 'v', mountPath: '/etc/resolv.conf', subPath: 'color' }]
    const pod = makePod({
      restartPolicy: 'Never',
      containers: [{ ...shell('cat /etc/resolv.conf; [ -d /etc/resolv.conf ] || echo " is no directory"'), volumeMounts }],
      volumes: [{ name: 'v', ...settings }],
    })
    expect(printed(pod)).toBe('blue is no directory\n')
  })

  it('follow their objects', () => {
    const pod = withVolume(settings, shell('cat /v/color; sleep 5; cat /v/color'))
    data['ConfigMap/settings'] = { color: 'blue', size: '7' }
    const change = {
      atSeconds: 3,
      apply() {
        data['ConfigMap/settings'] = { color: 'green', size: '7' }
        return pod
      },
    }
    expect(printed(pod, 10, change)).toBe('bluegreen')
    data['ConfigMap/settings'] = { color: 'blue', size: '7' }
  })

  it('follow the labels of the pod', () => {
    const volume = { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } }
    const pod = withVolume(volume, shell('cat /v/labels; echo; sleep 5; cat /v/labels'))
    const labelled = (labels: Readonly<Record<string, string>>) => ({ ...pod, metadata: { ...pod.metadata, labels } })
    const first = labelled({ b: 'say "hi"', a: '1' })
    expect(printed(first, 10, { atSeconds: 3, apply: () => labelled({ a: '2' }) })).toBe('a="1"\nb="say \\"hi\\""\na="2"')
  })
})

describe('agnhost mounttest', () => {
  it.each([
    ['the content of a file', settings, ['--file_content=/v/color'], 'content of file "/v/color": blue\n'],
    [
      'that a file does not exist',
      settings,
      ['--file_content=/v/none', '--file_mode=/v/none', '--file_owner=/none', '--fs_type=/none'],
      'error from statfs("/none"): no such file or directory\nerror from Stat("/v/none"): stat /v/none: no such file or directory\n' +
        'error from stat("/none"): no such file or directory\nerror reading file content for "/v/none": open /v/none: no such file or directory\n',
    ],
    ['the default mode', settings, ['--file_mode', '/v/color'], 'mode of file "/v/color": -rw-r--r--\n'],
    [
      'the mode of the volume',
      { secret: { secretName: 'keys', defaultMode: 0o400 } },
      ['--file_mode=/v/password'],
      'mode of file "/v/password": -r--------\n',
    ],
    [
      'the mode of a file',
      { configMap: { name: 'settings', items: [{ key: 'color', path: 'p/c', mode: 0o400 }] } },
      ['--file_mode=/v/p/c', '--file_perm=/v/p'],
      'mode of file "/v/p/c": -r--------\nperms of file "/v/p": -rwxr-xr-x\n',
    ],
    [
      'tmpfs',
      { secret: { secretName: 'keys' } },
      ['--fs_type=/v', '--file_mode=/v'],
      'mount type of "/v": tmpfs\nmode of file "/v": dtrwxrwxrwx\n',
    ],
    ['an emptyDir', { emptyDir: {} }, ['--fs_type=/v', '--file_perm=/v'], 'mount type of "/v": 61267\nperms of file "/v": -rwxrwxrwx\n'],
    [
      'a new file',
      { emptyDir: { medium: 'Memory' } },
      ['--fs_type=/v', '--new_file_0666=/v/f', '--file_perm=/v/f', '--file_owner=/v/f'],
      'mount type of "/v": tmpfs\ncontent of file "/v/f": mount-tester new file\n\nperms of file "/v/f": -rw-rw-rw-\n' +
        'owner UID of "/v/f": 0\nowner GID of "/v/f": 0\n',
    ],
    [
      'that it cannot write a file',
      settings,
      ['--new_file_0644=/v/f', '--new_file_0666=/none/f'],
      'error writing new file "/v/f": open /v/f: read-only file system\nerror writing new file "/none/f": open /none/f: no such file or directory\n',
    ],
  ])('prints %s', (_, volume, args, text) => {
    expect(printed(withVolume(volume, mounttest(...args)))).toBe(text)
  })

  it.each([
    ['root without a group', {}, '-rw-r--r--', 0, 0],
    ['a user', { runAsUser: 1000 }, '-rw-------', 1000, 0],
    ['a group', { fsGroup: 10_000 }, '-rw-r-----', 0, 10_000],
    ['a user and a group', { runAsUser: 1000, fsGroup: 10_000 }, '-rw-r-----', 1000, 10_000],
  ])('prints who may read a token, for %s', (_, securityContext, mode, user, group) => {
    expect(printed(withVolume(token, mounttest('--file_perm=/v/token', '--file_owner=/v/token'), { securityContext }))).toBe(
      `perms of file "/v/token": ${mode}\nowner UID of "/v/token": ${user}\nowner GID of "/v/token": ${group}\n`,
    )
  })

  it('lets the group of the volumes read all their files', () => {
    const volume = { configMap: { name: 'settings', defaultMode: 0o400 } }
    const pod = withVolume(volume, mounttest('--file_mode=/v/color', '--file_owner=/v/color'), { securityContext: { fsGroup: 7 } })
    expect(printed(pod)).toBe('mode of file "/v/color": -r--r-----\nowner UID of "/v/color": 0\nowner GID of "/v/color": 7\n')
  })

  it('reads a file again and again, until it has the expected content or the time is over', () => {
    const turn = 'content of file "/v/color": blue\n'
    const loop = (...args: readonly string[]) =>
      withVolume(settings, mounttest('--file_content_in_loop=/v/color', '--retry_time=5', ...args))
    expect(printed(loop('--break_on_expected_content=false'), 20)).toBe(turn.repeat(3))
    expect(printed(loop(), 20)).toBe(`${turn}Unexpected content. Expected: mount-tester new file\n. Retrying\n`.repeat(3))
    const fresh = mounttest('--new_file_0644=/v/f', '--file_content_in_loop=/v/f')
    expect(printed(withVolume({ emptyDir: {} }, fresh), 20)).toBe('content of file "/v/f": mount-tester new file\n\n'.repeat(2))
    const missing = withVolume(settings, mounttest('--file_content_in_loop=/v/none', '--retry_time=2'))
    expect(printed(missing, 20)).toBe('Error reading file /v/none: open /v/none: no such file or directory, retrying\n')
  })
})
