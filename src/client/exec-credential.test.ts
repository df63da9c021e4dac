import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Clock } from '../base/clock.ts'
import { execCredential } from './exec-credential.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-exec-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let nowMs = Date.parse('2026-01-01T00:00:00Z')
const clock: Clock = { now: () => nowMs, after: () => () => {} }
const cluster = { server: 'https://example:6443', certificateAuthority: 'PEM' }

/** Prints the output, and counts how often it was run. */
function program(body: string): string {
  const path = join(folder, `login-${Math.floor(nowMs)}-${body.length}.sh`)
  writeFileSync(path, `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO $GREETING $1" >> ${path}.asked\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}
const answer = (status: object) =>
  `echo '${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}'`

describe('execCredential()', () => {
  it('runs the program once, and again when the token has expired', () => {
    const path = program(answer({ token: 'one', expirationTimestamp: '2026-01-01T01:00:00Z' }))
    const { token } = execCredential({ command: path }, folder, cluster, clock)
    expect([token!(), token!()]).toEqual(['one', 'one'])
    const asked = () => readFileSync(`${path}.asked`, 'utf8').trim().split('\n').length
    expect(asked()).toBe(1)
    nowMs += 3_600_000
    expect(token!()).toBe('one')
    expect(asked()).toBe(2)
  })

  it('passes the same information to the program as kubectl', () => {
    const path = program(answer({ token: 't' }))
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: `./${path.slice(folder.length + 1)}`,
      args: ['get-token'],
      env: [{ name: 'GREETING', value: 'hello' }],
      provideClusterInfo: true,
      interactiveMode: 'Never',
    }
    execCredential(exec, folder, cluster, clock)
    const [info, greeting, argument] = readFileSync(`${path}.asked`, 'utf8').trim().split(' ')
    expect(JSON.parse(info!)).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://example:6443', 'certificate-authority-data': 'UEVN' } },
    })
    expect([greeting, argument]).toEqual(['hello', 'get-token'])
  })

  it('returns a certificate', () => {
    const path = program(answer({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }))
    expect(execCredential({ command: path }, folder, cluster, clock)).toEqual({ clientCertificate: 'CERT', clientKey: 'KEY' })
  })

  const rows: readonly [string, object | (() => object), string][] = [
    [
      'no such program',
      { command: 'no-such-program-x', installHint: 'brew install it\nmore' },
      'the program was not found (brew install it)',
    ],
    ['a program that fails', () => ({ command: program('exit 3') }), 'it exited with 3'],
    ['output that is not JSON', () => ({ command: program('echo hello') }), 'its output is not JSON'],
    ['another kind', () => ({ command: program('echo "{}"') }), 'its output is not an ExecCredential'],
    ['no credential', () => ({ command: program(answer({})) }), 'its output has neither a token nor a certificate'],
    [
      'no terminal',
      () => ({ command: program(answer({ token: 't' })), interactiveMode: 'Always' }),
      'it needs a terminal (interactiveMode: Always), and there is none',
    ],
  ]
  for (const [name, exec, words] of rows)
    it(`reports ${name}`, () =>
      expect(() => execCredential((typeof exec === 'function' ? exec() : exec) as never, folder, cluster, clock)).toThrow(words))
})
